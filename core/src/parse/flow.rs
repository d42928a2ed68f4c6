//! Blocks of word processors to nodes: what DOCX and OpenDocument have in common.
//!
//! Paragraphs come one after another, and only together they are lists, program text, framed warnings or captioned
//! tables. Not for knowing any file format: readers say what each paragraph is.

pub(super) mod table;
pub(super) mod words;

use super::{ParseWarning, ParseWarningKind, admonition, markup::Stream, writer::Writer};
use crate::{
    document::{Document, NodeId, NodeKind, facts},
    text::collapse_whitespace,
};

/// The document that was written, with warnings where the markup did not let all of it be read; `program` is what could
/// mend it. `title` is taken where the text has none.
pub(super) fn conclude(
    writer: Writer,
    stream: &Stream<'_>,
    program: &str,
    title: Option<String>,
    warnings: &mut Vec<ParseWarning>,
) -> Document {
    let mut warn = |kind, message: String| warnings.push(ParseWarning { kind, page: None, message });
    if stream.damaged {
        warn(
            ParseWarningKind::Damaged,
            format!(
                "The text breaks off in the middle of its markup; what stands after that was left out. Open the file in \
                 {program} and save it anew."
            ),
        );
    }
    if writer.is_full() || stream.truncated {
        warn(
            ParseWarningKind::Truncated,
            "The document is very long; the rest was left out. Split it to have all of it.".to_owned(),
        );
    }
    let mut document = writer.finish();
    if let Some(root) = document.nodes.first_mut().filter(|root| root.text.is_empty()) {
        root.text = title.unwrap_or_default();
    }
    document
}

/// What is known of a paragraph besides its text.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Names by which links reach it.
    pub(super) anchors: Vec<String>,
    /// Where it links to.
    pub(super) links: Vec<String>,
    /// What tracked changes did.
    pub(super) changes: Vec<String>,
}

/// The place of an item among lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// The numbering it counts in.
    pub(super) numbering: u32,
    /// How deep in that numbering.
    pub(super) level: usize,
    /// How far its text stands from the margin; compared between numberings.
    pub(super) indent: i32,
    pub(super) ordered: bool,
}

/// A list that is open.
#[derive(Debug)]
struct OpenList {
    place: Place,
    /// Containers that were open before it.
    depth: usize,
}

/// Blocks in a row that are one.
#[derive(Debug, Default)]
enum Group {
    #[default]
    None,
    /// Lines of program text.
    Code(Vec<String>),
    /// Paragraphs of a style that means a warning or note; so many containers were open before it.
    Label(String, usize),
    /// Paragraphs in a frame, of which the first began with a signal word.
    Frame(usize),
    /// A picture that waits for its caption.
    Figure(usize),
}

/// Appends paragraphs in reading order.
#[derive(Debug)]
pub(super) struct Flow<'w> {
    pub(super) writer: &'w mut Writer,
    lists: Vec<OpenList>,
    group: Group,
    /// A caption that may belong to the table after it.
    caption: Option<String>,
    /// A table without a caption, which may come after it.
    table: Option<NodeId>,
    /// Boxes, notes and cells around the text that is written.
    pub(super) depth: usize,
}

impl<'w> Flow<'w> {
    pub(super) fn new(writer: &'w mut Writer) -> Self {
        Self { writer, lists: Vec::new(), group: Group::None, caption: None, table: None, depth: 0 }
    }

    /// Before every block: what was waiting for one is done.
    pub(super) fn begin_block(&mut self) {
        self.end_group();
        self.table = None;
        if let Some(caption) = self.caption.take() {
            self.writer.leaf(NodeKind::Caption, &caption, None);
        }
    }

    fn end_group(&mut self) {
        match std::mem::take(&mut self.group) {
            Group::None => {}
            Group::Code(lines) => {
                let code = lines.join("\n");
                if !code.trim().is_empty() {
                    self.writer.leaf(NodeKind::Code { language: String::new() }, &code, None);
                }
            }
            Group::Label(_, depth) | Group::Frame(depth) | Group::Figure(depth) => self.writer.close_down_to(depth),
        }
    }

    fn end_lists(&mut self) {
        if let Some(outermost) = self.lists.first() {
            self.writer.close_down_to(outermost.depth);
            self.lists.clear();
        }
    }

    /// Before every block that is in no list.
    pub(super) fn begin_outside(&mut self) {
        self.begin_block();
        self.end_lists();
    }

    /// Says of the next node what is known of it.
    pub(super) fn say(&mut self, facts: &Facts) {
        // Names of people's own making say more than those that programs give.
        let own = facts.anchors.iter().find(|name| !name.starts_with('_'));
        if let Some(anchor) = own.or(facts.anchors.iter().find(|name| *name != "_GoBack")) {
            self.writer.anchor(anchor);
        }
        if !facts.links.is_empty() {
            let mut links = facts.links.clone();
            links.dedup();
            self.writer.fact(facts::LINK, &links.join(" "));
        }
        if !facts.changes.is_empty() {
            self.writer.fact(facts::CHANGE, &facts.changes.join("; "));
        }
    }

    pub(super) fn heading(&mut self, level: u8, text: &str, facts: &Facts) {
        self.begin_outside();
        self.say(facts);
        self.writer.section(level, &text.replace('\n', " "), None);
    }

    /// The document's title; a second one is a heading.
    pub(super) fn title(&mut self, text: &str, facts: &Facts) {
        if self.writer.builder().has_title() {
            self.heading(1, text, facts);
            return;
        }
        self.begin_outside();
        self.say(facts);
        self.writer.builder().title(&text.replace('\n', " "));
        self.writer.name_root();
    }

    /// A line of a table of contents.
    pub(super) fn contents(&mut self, text: &str) {
        self.begin_outside();
        self.writer.leaf(NodeKind::Furniture, text, None);
    }

    pub(super) fn formulas(&mut self, formulas: &[String], facts: &Facts) {
        self.begin_block();
        for formula in formulas {
            self.say(facts);
            self.writer.leaf(NodeKind::Formula, formula, None);
        }
    }

    /// A line of program text, blanks kept.
    pub(super) fn code(&mut self, line: &str) {
        if !matches!(self.group, Group::Code(_)) {
            self.begin_outside();
            self.group = Group::Code(Vec::new());
        }
        if let Group::Code(lines) = &mut self.group {
            lines.extend(line.trim_end().split('\n').map(str::to_owned));
        }
    }

    /// A paragraph of a style that means a warning or note; those of one style in a row are one.
    pub(super) fn labelled(&mut self, style: &str, kind: NodeKind, text: &str, facts: &Facts) {
        if !matches!(&self.group, Group::Label(open, _) if *open == style) {
            self.begin_outside();
            self.group = Group::Label(style.to_owned(), self.writer.depth());
            self.writer.open(kind, None);
        }
        self.say(facts);
        self.writer.paragraph(text, None);
    }

    pub(super) fn quote(&mut self, text: &str, lead: &str, facts: &Facts) {
        self.begin_outside();
        self.say(facts);
        self.writer.open(NodeKind::Quote, None);
        self.writer.paragraph_led(text, Some(lead), None);
        self.writer.close();
    }

    /// An item with its marker as printed; empty for bullets.
    pub(super) fn item(&mut self, place: Place, marker: &str, text: &str, facts: &Facts) {
        self.begin_block();
        let deeper = |list: &OpenList| {
            let open = &list.place;
            if open.numbering == place.numbering { open.level < place.level } else { open.indent + 100 < place.indent }
        };
        let same = |list: &OpenList| {
            let open = &list.place;
            (open.numbering, open.level, open.ordered) == (place.numbering, place.level, place.ordered)
        };
        while self.lists.last().is_some_and(|list| !deeper(list) && !same(list)) {
            if let Some(list) = self.lists.pop() {
                self.writer.close_down_to(list.depth);
            }
        }
        match self.lists.last() {
            Some(list) if same(list) => self.writer.close_down_to(list.depth + 1),
            _ => {
                let depth = self.writer.depth();
                self.writer.open_as(NodeKind::List { ordered: place.ordered }, "", None);
                self.lists.push(OpenList { place, depth });
            }
        }
        self.writer.open_marked(NodeKind::ListItem, marker, None);
        self.say(facts);
        self.writer.paragraph(text, None);
    }

    /// Running text. Indented like the item before it, it goes on with that; framed paragraphs of which the first
    /// begins with a signal word are one warning.
    pub(super) fn paragraph(&mut self, text: &str, lead: &str, framed: bool, indent: i32, facts: &Facts) {
        if !(framed && matches!(self.group, Group::Frame(_))) {
            self.begin_block();
            if self.lists.last().is_none_or(|list| indent <= 0 || indent < list.place.indent) {
                self.end_lists();
            }
            if let Some(label) = admonition::recognise(text).filter(|_| framed) {
                self.group = Group::Frame(self.writer.depth());
                self.say(facts);
                if label.alone {
                    self.writer.open_as(label.kind, text, None);
                } else {
                    self.writer.open(label.kind, None);
                    self.writer.paragraph(text, None);
                }
                return;
            }
        }
        self.say(facts);
        self.writer.paragraph_led(text, Some(lead), None);
    }

    /// A caption goes with the picture or table right before it, or with the table right after it.
    pub(super) fn caption(&mut self, text: &str, facts: &Facts) {
        if matches!(self.group, Group::Figure(_)) {
            self.say(facts);
            self.writer.leaf(NodeKind::Caption, text, None);
            self.end_group();
            return;
        }
        let table = self.table.filter(|_| names_table(text));
        self.begin_outside();
        match table {
            Some(table) => self.writer.builder().set_text(table, text),
            None => self.caption = Some(text.to_owned()),
        }
    }

    /// A picture with its alternative text.
    pub(super) fn figure(&mut self, alternative: &str) {
        self.begin_block();
        let depth = self.writer.depth();
        self.writer.open_as(NodeKind::Figure, alternative, None);
        self.group = Group::Figure(depth);
    }

    /// Text that is there but not shown.
    pub(super) fn hidden(&mut self, why: &str, text: &str) {
        let text = lines(text);
        if !text.is_empty() {
            self.begin_block();
            self.writer.fact(facts::HIDDEN, why);
            self.writer.leaf(NodeKind::Paragraph, &text, None);
        }
    }

    /// The caption that waits for a table; called before the table begins.
    pub(super) fn table_caption(&mut self) -> Option<String> {
        self.caption.take_if(|caption| names_table(caption))
    }

    /// A table is written: its caption may follow, if it has none.
    fn table_ended(&mut self, table: NodeId, captioned: bool) {
        self.table = (!captioned).then_some(table);
    }

    /// Opens a note with its mark; closed by closing down to the depth that is returned.
    pub(super) fn open_note(&mut self, mark: &str, printed: &str) -> usize {
        self.begin_block();
        let depth = self.writer.depth();
        self.writer.fact(facts::MARK, mark);
        self.writer.open_marked(NodeKind::Footnote, printed, None);
        depth
    }

    /// A remark on the text.
    pub(super) fn comment(&mut self, text: &str, author: &str, date: &str) {
        if text.is_empty() {
            return;
        }
        self.begin_block();
        for (key, value) in [("author", author), ("date", date)] {
            if !value.is_empty() {
                self.writer.fact(key, value);
            }
        }
        self.writer.leaf(NodeKind::Comment, text, None);
    }

    /// Begins text that stands beside this one, with lists of its own; given back to [`end_aside`](Self::end_aside).
    pub(super) fn begin_aside(&mut self) -> Aside {
        self.end_group();
        self.depth += 1;
        Aside(std::mem::take(&mut self.lists))
    }

    /// Goes back to the text beside which another stood.
    pub(super) fn end_aside(&mut self, aside: Aside) {
        self.begin_outside();
        self.depth = self.depth.saturating_sub(1);
        self.lists = aside.0;
    }
}

/// The lists that are open around a text beside the text.
pub(super) struct Aside(Vec<OpenList>);

/// Blanks collapsed line by line.
pub(super) fn lines(text: &str) -> String {
    let lines = text.split('\n').map(collapse_whitespace);
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Whether a caption is a table's.
pub(super) fn names_table(caption: &str) -> bool {
    let word = caption.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    matches!(
        &*word,
        "table" | "tabelle" | "tab" | "tableau" | "tabla" | "tabella" | "tabel" | "tabela" | "таблица" | "表"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_of_tables_by_their_word() {
        assert!(names_table("Table 3: Torques") && names_table("Tab. 2") && names_table("Tabelle 1"));
        assert!(!names_table("Figure 3: Table saw") && !names_table(""));
    }
}
