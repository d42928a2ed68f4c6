//! What control words mean.

use super::{letters::Letters, paragraph::Properties, styles::Styles, table::Table, tokens::Token};
use crate::parse::{
    flow::{
        Flow, lines,
        words::{Format, Words},
    },
    writer::Writer,
};

/// Groups inside one another; deeper ones share what is said in them.
const MAX_DEPTH: usize = 400;
/// Bytes of one paragraph, field or name; nobody writes longer ones.
const MAX_TEXT_BYTES: usize = 1 << 20;
/// Footnotes and pictures of one paragraph.
const MAX_HANGING: usize = 1_000;

/// Where letters go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Target {
    #[default]
    Text,
    /// Nowhere: pictures, drawings, programs' own business.
    Nowhere,
    /// The number or bullet of an item, as printed.
    Marker,
    /// What a field does.
    Instruction,
    Fonts,
    Styles,
    Title,
    Author,
    Note,
    /// Running heads.
    Furniture,
}

/// What is said in a group and taken back at its end.
#[derive(Clone, Debug, Default)]
struct Group {
    target: Target,
    format: Format,
    font: i32,
    /// How many letters stand for a letter given by its number.
    n_instead: usize,
    deleted: bool,
}

/// Reads tokens into a document.
pub(super) struct Reader<'w> {
    pub(super) flow: Flow<'w>,
    pub(super) words: Words,
    pub(super) properties: Properties,
    pub(super) marker: Option<String>,
    pub(super) links: Vec<String>,
    pub(super) notes: Vec<(String, String)>,
    pub(super) n_pictures: usize,
    pub(super) table: Table,
    pub(super) styles: Styles,
    letters: Letters,
    group: Group,
    outer: Vec<Group>,
    /// Groups beyond [`MAX_DEPTH`].
    n_deeper: usize,
    /// What goes to a target other than the text.
    aside: String,
    /// Letters that still stand for one already given by its number.
    n_skipped: usize,
    /// The group begins with `\*`: it may be skipped by who does not know it.
    is_optional: bool,
    has_ended: bool,
}

impl<'w> Reader<'w> {
    pub(super) fn new(writer: &'w mut Writer) -> Self {
        Self {
            flow: Flow::new(writer),
            words: Words::default(),
            properties: Properties::default(),
            marker: None,
            links: Vec::new(),
            notes: Vec::new(),
            n_pictures: 0,
            table: Table::default(),
            styles: Styles::default(),
            letters: Letters::default(),
            group: Group { n_instead: 1, ..Group::default() },
            outer: Vec::new(),
            n_deeper: 0,
            aside: String::new(),
            n_skipped: 0,
            is_optional: false,
            has_ended: false,
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.flow.writer.is_full()
    }

    /// Writes what is still open; tells whether the document had its end.
    pub(super) fn finish(mut self) -> bool {
        self.end_paragraph();
        self.end_table();
        self.flow.begin_outside();
        self.has_ended
    }

    pub(super) fn token(&mut self, token: Token<'_>) {
        if self.has_ended {
            return;
        }
        match token {
            Token::Open => {
                self.n_skipped = 0;
                if self.outer.len() < MAX_DEPTH {
                    self.outer.push(self.group.clone());
                } else {
                    self.n_deeper += 1;
                }
            }
            Token::Close => self.close(),
            Token::Word(word, number) => self.word(word, number),
            Token::Symbol(b'*') => self.is_optional = true,
            Token::Symbol(symbol) => self.symbol(symbol),
            Token::Byte(byte) => {
                if self.n_skipped > 0 {
                    self.n_skipped -= 1;
                } else {
                    let mut text = String::new();
                    self.letters.byte(byte, self.group.font, &mut text);
                    self.put(&text);
                }
            }
            Token::Text(text) => {
                let n = self.n_skipped.min(text.len());
                self.n_skipped -= n;
                self.put(&text[n..]);
            }
        }
    }

    fn close(&mut self) {
        self.n_skipped = 0;
        self.is_optional = false;
        if self.n_deeper > 0 {
            self.n_deeper -= 1;
            return;
        }
        let target = self.group.target;
        let Some(outer) = self.outer.pop() else { return };
        self.group = outer;
        self.has_ended = self.outer.is_empty();
        if target == self.group.target {
            // Styles stand side by side in their sheet.
            if target == Target::Styles {
                let name = std::mem::take(&mut self.aside);
                self.styles.close(&name);
            }
            return;
        }
        let aside = std::mem::take(&mut self.aside);
        match target {
            Target::Marker => self.marker = Some(aside),
            Target::Instruction => self.links.extend(address(&aside)),
            Target::Title if !aside.trim().is_empty() => self.flow.writer.builder().metadata("title", aside.trim()),
            Target::Author if !aside.trim().is_empty() => self.flow.writer.builder().metadata("author", aside.trim()),
            Target::Note if self.notes.len() < MAX_HANGING => {
                let mark = (self.notes.len() + 1).to_string();
                self.put(&format!("[{mark}]"));
                self.notes.push((mark, lines(&aside)));
            }
            Target::Furniture => {
                let text = lines(&aside);
                if !text.is_empty() {
                    self.end_table();
                    self.flow.contents(&text);
                }
            }
            _ => {}
        }
    }

    /// Adds letters to where they go.
    fn put(&mut self, text: &str) {
        match self.group.target {
            Target::Nowhere => {}
            Target::Text if self.group.deleted || self.words.text.len() + text.len() > MAX_TEXT_BYTES => {}
            Target::Text => self.words.push(text, &self.group.format, self.properties.in_table > 0),
            _ if self.aside.len() + text.len() <= MAX_TEXT_BYTES => self.aside.push_str(text),
            _ => {}
        }
    }

    fn symbol(&mut self, symbol: u8) {
        match symbol {
            b'~' => self.put("\u{a0}"),
            b'_' => self.put("\u{2011}"),
            // A place where a word may be broken, and index marks.
            b'-' | b':' | b'|' => {}
            b'{' | b'}' | b'\\' => self.put(&char::from(symbol).to_string()),
            _ => {}
        }
    }

    fn word(&mut self, word: &str, number: Option<i32>) {
        let is_optional = std::mem::take(&mut self.is_optional);
        if self.n_skipped > 0 {
            // A word stands for one letter, too.
            self.n_skipped -= 1;
        }
        let n = number.unwrap_or(0);
        let on = number != Some(0);
        let small = usize::try_from(n).unwrap_or(0);
        match word {
            "u" => {
                let mut text = String::new();
                self.letters.unit(n, &mut text);
                self.put(&text);
                self.n_skipped = self.group.n_instead;
            }
            "uc" => self.group.n_instead = small.min(8),
            "ansicpg" => self.letters.set_code_page(n),
            "par" | "sect" if self.group.target == Target::Text => self.end_paragraph(),
            "par" | "line" | "sect" | "softline" => self.put("\n"),
            "tab" => self.put("\t"),
            "emdash" => self.put("—"),
            "endash" => self.put("–"),
            "bullet" => self.put("•"),
            "lquote" => self.put("‘"),
            "rquote" => self.put("’"),
            "ldblquote" => self.put("“"),
            "rdblquote" => self.put("”"),
            "emspace" | "enspace" | "qmspace" => self.put(" "),
            "plain" => (self.group.format, self.group.deleted) = (Format::default(), false),
            "b" => self.group.format.bold = Some(on),
            "v" => self.group.format.hidden = Some(on),
            "deleted" => self.group.deleted = on,
            "f" => self.group.font = n,
            "fcharset" => self.letters.set_font(self.group.font, n),
            "s" if self.group.target == Target::Styles => self.styles.open(n),
            "outlinelevel" if self.group.target == Target::Styles => self.styles.outline(n),
            // What notes and running heads say of their paragraphs is not said of the text around them.
            _ if self.group.target == Target::Text && self.property(word, n) => {}
            _ => self.destination(word, is_optional),
        }
    }

    /// Words about paragraphs and rows; false for others.
    fn property(&mut self, word: &str, n: i32) -> bool {
        match word {
            "pard" => self.properties = Properties::default(),
            "s" => self.properties.style = n,
            "outlinelevel" => self.properties.outline = u8::try_from(n).ok().filter(|level| *level < 9),
            "intbl" => self.properties.in_table = self.properties.in_table.max(1),
            "itap" => self.properties.in_table = u32::try_from(n).unwrap_or(0),
            "ls" => self.properties.list = Some(n),
            "ilvl" => self.properties.level = usize::try_from(n).unwrap_or(0).min(9),
            "li" => self.properties.indent = n,
            "box" => self.properties.framed = true,
            "trowd" => self.table.define(),
            "trhdr" => self.table.is_header = true,
            "clmrg" => self.table.shape().after = true,
            "clvmrg" => self.table.shape().below = true,
            "clcbpat" => self.table.shape().shaded = n > 0,
            "cellx" => self.table.define_cell(n),
            "cell" | "row" | "nestcell" | "nestrow" => self.cell(word),
            _ => return false,
        }
        true
    }

    fn cell(&mut self, word: &str) {
        let words = std::mem::take(&mut self.words);
        let marker = self.marker.take();
        self.add_to_cell(&words, marker.as_deref());
        match word {
            "cell" => self.table.end_cell(),
            "row" => self.table.end_row(),
            // A table in a cell is lines of the cell.
            _ => {}
        }
    }

    /// Words that say where the letters of their group go.
    fn destination(&mut self, word: &str, is_optional: bool) {
        let target = match word {
            "fonttbl" => Target::Fonts,
            "stylesheet" => Target::Styles,
            "listtext" | "pntext" => Target::Marker,
            "fldinst" => Target::Instruction,
            "title" => Target::Title,
            "author" => Target::Author,
            "footnote" => Target::Note,
            "header" | "headerl" | "headerr" | "headerf" | "footer" | "footerl" | "footerr" | "footerf" => {
                Target::Furniture
            }
            "pict" => {
                if self.group.target == Target::Text && self.n_pictures < MAX_HANGING {
                    self.n_pictures += 1;
                }
                Target::Nowhere
            }
            "colortbl" | "info" | "nonshppict" | "objdata" | "listtable" | "listoverridetable" | "revtbl"
            | "themedata" | "datastore" | "latentstyles" | "generator" | "xe" | "tc" | "bkmkstart" | "bkmkend"
            | "filetbl" | "pgdsctbl" | "nonesttables" | "annotation" | "atnid" | "atnauthor" | "fldtype" | "sp"
            | "userprops" | "xmlnstbl" | "rsidtbl" | "mmathPr" => Target::Nowhere,
            "fldrslt" | "shptxt" | "shppict" | "shpinst" | "shp" | "result" | "nesttableprops" => return,
            _ if is_optional => Target::Nowhere,
            _ => return,
        };
        // What is nowhere stays so, but for the document's title among its properties.
        let is_property = matches!(target, Target::Title | Target::Author);
        if self.group.target != Target::Nowhere || is_property {
            self.group.target = target;
            self.aside.clear();
        }
    }
}

/// The address of `HYPERLINK "https://…"`.
fn address(instruction: &str) -> Option<String> {
    let rest = instruction.trim().strip_prefix("HYPERLINK")?.trim();
    let is_inside = rest.starts_with("\\l");
    let quoted = rest.split('"').nth(1).filter(|address| !address.is_empty())?;
    Some(if is_inside { format!("#{quoted}") } else { quoted.to_owned() })
}
