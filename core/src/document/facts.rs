//! The keys of [`Node::metadata`](super::Node::metadata) that more than one part of Millwright reads.
//!
//! Not a closed list: a parser may keep whatever else its source says under a key of its own.

/// On a cell: the unit its value is in, from the cell or its header (`Nm`, `mm`, `EUR`).
pub const UNIT: &str = "unit";
/// On a row: `yes` where it sums up others.
pub const TOTAL: &str = "total";
/// On any node: why a person looking at the document does not see it (`invisible`, `white`, `sheet`, `row`, `column`,
/// `style`, `tiny`, `outside`). Kept and searched, but said wherever it is shown, and never given to a model as it stands.
pub const HIDDEN: &str = "hidden";
/// On a section of a workbook: the sheet's name.
pub const SHEET: &str = "sheet";
/// On a section: the name of the embedded or attached file that it holds.
pub const ATTACHMENT: &str = "attachment";
/// On a node below such a section: its page in that file. Its place is not one of the document around it.
pub const ATTACHMENT_PAGE: &str = "attachment_page";
/// On a node read from a picture: the mean confidence of its words, 0 to 1, two digits.
pub const CONFIDENCE: &str = "confidence";
/// On a node: the page number as printed, in documents where that of any page differs from the count.
pub const PAGE_LABEL: &str = "page_label";
/// On a node: where it links to; addresses parted by blanks, `#page=3` for a page of the same file.
pub const LINK: &str = "link";
/// On a node: the name by which links reach it.
pub const ANCHOR: &str = "anchor";
/// On a node: what a tracked change did (`inserted`, `moved`, or the deleted text), with its author and date.
pub const CHANGE: &str = "change";
/// On a cell of a spreadsheet: its stored number, where what is shown rounds, scales or rewrites it (`1234.567` of a cell
/// that shows `1.2 k`), or the day and time as `2026-11-30 14:05`, where they are shown in another way.
pub const VALUE: &str = "value";
/// On a cell of a spreadsheet: the formula whose cached value it shows.
pub const FORMULA: &str = "formula";
/// On a footnote or comment: the mark by which the text refers to it.
pub const MARK: &str = "mark";
