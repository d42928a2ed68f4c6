//! The names over a list of items: which line has them, and which column a text under them belongs to.

use super::{Cell, Line, Piece};
use crate::{
    document::BBox,
    parse::pdf::{
        lines::Segment,
        prose,
        tables::{Table, text::is_figure},
    },
};

/// Lines of names above and below the one with most of them.
const MAX_MORE_LINES: usize = 3;
/// They follow one another within so many ems.
const STEP: f32 = 1.45;
/// A longer text names no column, in characters.
const MAX_NAME: usize = 34;
/// Fewer names, or names of fewer kinds, are no list's.
const MIN_NAMES: usize = 3;

/// What a column of a list is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Position,
    What,
    Quantity,
    Price,
    Tax,
    Amount,
}

impl Kind {
    /// Figures stand in such a column.
    fn is_figures(self) -> bool {
        self >= Self::Quantity
    }
}

/// Words that name columns, English, German, French, Spanish, Dutch, Italian.
const WORDS: [(Kind, &[&str]); 6] = [
    (Kind::Position, &["pos", "position", "no", "nr", "sl", "sr", "line", "ligne", "regel"]),
    (
        Kind::What,
        &[
            "description",
            "item",
            "items",
            "product",
            "article",
            "articles",
            "part",
            "particulars",
            "service",
            "services",
            "details",
            "title",
            "artikel",
            "beschreibung",
            "bezeichnung",
            "leistung",
            "produkt",
            "art",
            "ware",
            "désignation",
            "designation",
            "libellé",
            "produit",
            "prestation",
            "référence",
            "reference",
            "omschrijving",
            "descripción",
            "descripcion",
            "concepto",
            "producto",
            "artículo",
            "articulo",
            "referencia",
            "descrizione",
            "prodotto",
            "gtin",
        ],
    ),
    (
        Kind::Quantity,
        &[
            "qty",
            "quantity",
            "quantities",
            "units",
            "hours",
            "menge",
            "anzahl",
            "stück",
            "stk",
            "stunden",
            "quantité",
            "quantite",
            "qté",
            "qte",
            "nombre",
            "aantal",
            "hoeveelheid",
            "cantidad",
            "cant",
            "unidades",
            "quantità",
            "quantita",
        ],
    ),
    (Kind::Price, &["price", "rate", "preis", "prix", "pu", "tarif", "prijs", "stuk", "precio", "prezzo", "cost"]),
    (
        Kind::Tax,
        &["vat", "tax", "taxes", "gst", "cgst", "sgst", "igst", "mwst", "ust", "steuersatz", "tva", "btw", "iva"],
    ),
    (
        Kind::Amount,
        &[
            "amount", "total", "betrag", "gesamt", "summe", "netto", "montant", "ht", "ttc", "bedrag", "totaal",
            "importe", "importo", "totale", "subtotal",
        ],
    ),
];

/// Endings of German compounds: "Einzelpreis", "Zeilenbetrag", "Artikelbezeichnung".
const ENDINGS: [(Kind, &[&str]); 3] = [
    (Kind::What, &["bezeichnung", "beschreibung", "omschrijving"]),
    (Kind::Price, &["preis", "prijs"]),
    (Kind::Amount, &["betrag", "wert", "summe", "bedrag"]),
];

/// The kinds that the words of a text name.
fn kinds(text: &str) -> impl Iterator<Item = Kind> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase);
    words.filter_map(|word| {
        let whole = WORDS.iter().find(|(_, words)| words.contains(&word.as_str())).map(|(kind, _)| *kind);
        let ends =
            || ENDINGS.iter().find(|(_, ends)| ends.iter().any(|end| word.ends_with(end))).map(|(kind, _)| *kind);
        whole.or_else(ends)
    })
}

/// Whether a table is nothing but the names over a list.
pub(in crate::parse::pdf::tables) fn are_heads(table: &Table) -> bool {
    let filled = || table.rows.iter().flatten().filter(|cell| !cell.text.is_empty());
    let mut all: Vec<Kind> = filled().flat_map(|cell| kinds(&cell.text)).collect();
    all.sort_unstable();
    all.dedup();
    table.rows.len() <= MAX_MORE_LINES && head_lists(&all) && !filled().any(|cell| is_figure(&cell.text))
}

/// Whether the kinds of a row's names are those of a list of items.
fn head_lists(kinds: &[Kind]) -> bool {
    let pays = kinds.iter().any(|kind| matches!(kind, Kind::Price | Kind::Amount));
    let tells = kinds.iter().any(|kind| matches!(kind, Kind::What | Kind::Quantity));
    kinds.len() >= MIN_NAMES && pays && tells
}

/// Whether any of these may be the names of a list.
pub(super) fn may_head(segments: &[Segment]) -> bool {
    let is_amount = |segment: &Segment| {
        segment.text.len() <= 4 * MAX_NAME
            && kinds(&segment.text).any(|kind| matches!(kind, Kind::Price | Kind::Amount))
    };
    segments.iter().any(is_amount)
}

/// The name of a column, all lines of it.
#[derive(Clone, Debug)]
pub(super) struct Name {
    cell: Cell,
    /// From where to where it stands, and what was learned to stand under it.
    pub(super) u0: f32,
    pub(super) u1: f32,
    kind: Option<Kind>,
    /// Its words on the line with most names.
    words: Vec<super::Token>,
}

/// The names of all columns.
#[derive(Clone, Debug)]
pub(in crate::parse::pdf) struct Heads {
    /// From the left.
    pub(super) names: Vec<Name>,
    /// The last of their lines.
    pub(super) last: usize,
    /// Their em.
    pub(super) size: f32,
    /// Where they end.
    pub(super) bottom: f32,
}

/// The names whose first line, or one of the next, is the line `at`.
pub(super) fn heads(lines: &[Line], at: usize) -> Option<Heads> {
    let line = lines.get(at)?;
    if line.pieces.len() < MIN_NAMES
        || !line.has_no_figure()
        || line.pieces.iter().any(|p| p.text.chars().count() > MAX_NAME)
    {
        return None;
    }
    let mut of_line: Vec<Kind> = line.pieces.iter().flat_map(|piece| kinds(&piece.text)).collect();
    of_line.sort_unstable();
    of_line.dedup();
    if !head_lists(&of_line) {
        return None;
    }
    let more = |a: &Line, b: &Line| {
        b.v - a.v <= STEP * line.size
            && [a, b].iter().all(|l| (l.size / line.size - 1.0).abs() < 0.15 && l.has_no_figure())
            && [a, b]
                .iter()
                .all(|l| l.is_bold() == line.is_bold() && l.pieces.iter().all(|p| p.text.chars().count() <= MAX_NAME))
    };
    let above = lines[..=at].windows(2).rev().take_while(|pair| more(&pair[0], &pair[1]) && !pair[1].ruled_above);
    let n_above = above.take(MAX_MORE_LINES).count();
    let below = lines[at..].windows(2).take_while(|pair| more(&pair[0], &pair[1]) && !pair[1].ruled_above);
    let n_below = below.take(MAX_MORE_LINES).count();
    // Where nothing sets the names apart, lines below them may be an item's.
    let n_below = if line.is_bold() { n_below } else { n_below.min(1).min(apart(lines, at)) };
    let (first, last) = (at - n_above, at + n_below);
    let size = line.size;
    let mut names: Vec<Name> = line.pieces.iter().map(|piece| name(piece, line)).collect();
    for index in (first..at).rev().chain(at + 1..=last) {
        for piece in &lines[index].pieces {
            add(&mut names, piece, &lines[index], index < at);
        }
    }
    for name in &mut names {
        name.kind = kinds(&name.cell.text).max();
    }
    Some(Heads { names, last, size, bottom: lines[last].v })
}

/// 1 if the line after `at` is nearer to it than to the next, and so the last line of the names.
fn apart(lines: &[Line], at: usize) -> usize {
    match lines.get(at..at + 3) {
        Some([names, more, next]) => usize::from(next.v - more.v > 1.3 * (more.v - names.v) || next.ruled_above),
        _ => 0,
    }
}

fn name(piece: &Piece, line: &Line) -> Name {
    let (y0, y1) = (line.v - super::ASCENT * line.size, line.v + super::DESCENT * line.size);
    let bbox = BBox { x0: piece.u0, y0, x1: piece.u1, y1 };
    let cell = Cell { text: piece.text.clone(), bold: piece.bold, ..Cell::empty(bbox, 0, 1) };
    Name { cell, u0: piece.u0, u1: piece.u1, kind: None, words: piece.words.clone() }
}

/// Adds another line of names: to the one it stands over or under, or as a name of its own.
fn add(names: &mut Vec<Name>, piece: &Piece, line: &Line, above: bool) {
    let overlap = |name: &Name| name.u1.min(piece.u1) - name.u0.max(piece.u0);
    let nearest = names.iter_mut().max_by(|a, b| overlap(a).total_cmp(&overlap(b)));
    let other = name(piece, line);
    match nearest.filter(|name| overlap(name) > 0.0) {
        Some(name) => {
            if above {
                let mut text = other.cell.text;
                prose::append(&mut text, &name.cell.text, &prose::Vocabulary::default());
                name.cell.text = text;
            } else {
                prose::append(&mut name.cell.text, &other.cell.text, &prose::Vocabulary::default());
            }
            name.cell.bbox = name.cell.bbox.union(other.cell.bbox);
            (name.u0, name.u1) = (name.u0.min(piece.u0), name.u1.max(piece.u1));
        }
        None => {
            let at = names.partition_point(|name| name.u0 < piece.u0);
            names.insert(at, other);
        }
    }
}

impl Heads {
    /// The column a text stands in: the one whose left end, right end or middle it shares best.
    fn column(&self, piece: &Piece) -> usize {
        let far = |name: &Name| {
            let middle = ((piece.u0 + piece.u1) - (name.u0 + name.u1)).abs() / 2.0;
            let edges = (piece.u0 - name.u0).abs().min((piece.u1 - name.u1).abs()).min(middle);
            let gap = (piece.u0 - name.u1).max(name.u0 - piece.u1).max(0.0);
            edges + if gap > 0.0 { gap + self.size } else { 0.0 }
        };
        let columns = self.names.iter().enumerate();
        columns.min_by(|a, b| far(a.1).total_cmp(&far(b.1))).map_or(0, |(column, _)| column)
    }

    /// The texts of a line with their columns, from the left.
    pub(super) fn placed<'l>(&self, line: &'l Line) -> Vec<(&'l Piece, usize)> {
        let near = |(piece, name): (&Piece, &Name)| {
            piece.u0 - name.u1 < 2.0 * self.size && name.u0 - piece.u1 < 2.0 * self.size
        };
        let all_near = line.pieces.iter().zip(&self.names).all(near);
        if line.pieces.len() == self.names.len() && self.n_figures(line) >= 2 && all_near {
            return line.pieces.iter().zip(0..).collect();
        }
        let mut least = 0;
        let place = |piece: &'l Piece| {
            least = self.column(piece).max(least);
            (piece, least)
        };
        line.pieces.iter().map(place).collect()
    }

    fn n_figures(&self, line: &Line) -> usize {
        line.pieces.iter().filter(|piece| piece.is_figure).count()
    }

    /// The columns of figures that this line has one in.
    pub(super) fn figures(&self, line: &Line) -> Vec<usize> {
        let is_value = |column: usize| self.names[column].kind.is_some_and(Kind::is_figures);
        let placed = self.placed(line).into_iter();
        placed.filter(|(piece, column)| piece.is_figure && is_value(*column)).map(|(_, column)| column).collect()
    }

    /// Whether a line has the figures of an item: one in the last column of money, and something beside it.
    pub(super) fn is_item(&self, line: &Line) -> bool {
        let is_money = |name: &Name| matches!(name.kind, Some(Kind::Price | Kind::Amount));
        let amount = self.names.iter().rposition(|name| name.kind == Some(Kind::Amount));
        let Some(amount) = amount.or_else(|| self.names.iter().rposition(is_money)) else { return false };
        self.figures(line).contains(&amount) && line.pieces.len() > 1 || self.figures(line).len() > 2
    }

    /// Whether a line may say more of an item: it stands under the names of things alone.
    pub(super) fn describes(&self, line: &Line) -> bool {
        let first = self.names.iter().position(|name| name.kind == Some(Kind::What)).unwrap_or(0);
        let left = self.names.get(first).map_or(0.0, |name| name.u0);
        self.figures(line).is_empty() && line.pieces.iter().all(|piece| piece.u0 > left - self.size)
    }

    /// Parts names that stand closer together than what they name, and lets the names reach as far as this first item.
    pub(super) fn learn(&mut self, line: &Line) {
        let mut at = 0;
        while at < self.names.len() {
            let of_name: Vec<(f32, f32)> = self
                .placed(line)
                .iter()
                .filter(|(_, column)| *column == at)
                .map(|(piece, _)| (piece.u0, piece.u1))
                .collect();
            if let [left, .., right] = of_name.as_slice()
                && let Some((first, second)) = self.names[at].parted((left.1 + right.0) / 2.0)
            {
                self.names.splice(at..=at, [first, second]);
            }
            at += 1;
        }
        for (piece, column) in self.placed(line) {
            let name = &mut self.names[column];
            if piece.is_figure {
                (name.u0, name.u1) = (name.u0.min(piece.u0), name.u1.max(piece.u1));
            }
        }
    }

    /// Where the first column begins.
    pub(super) fn left(&self) -> f32 {
        self.names.first().map_or(0.0, |name| name.u0)
    }

    /// The names as a row.
    pub(super) fn row(&self) -> Vec<Cell> {
        let cell = |(column, name): (usize, &Name)| Cell { column, ..name.cell.clone() };
        self.names.iter().enumerate().map(cell).collect()
    }

    /// From where to where the columns reach.
    pub(super) fn columns(&self) -> Vec<(f32, f32)> {
        self.names.iter().map(|name| (name.u0, name.u1)).collect()
    }
}

impl Name {
    /// It as two, parted between the words nearest to a place; `None` if it is one word or more than a line.
    fn parted(&self, at: f32) -> Option<(Self, Self)> {
        let gap = |index: &usize| {
            let (before, after) = (&self.words[index - 1], &self.words[*index]);
            ((before.u1 + after.u0) / 2.0 - at).abs()
        };
        let index = (1..self.words.len()).min_by(|a, b| gap(a).total_cmp(&gap(b)))?;
        let (left, right) = self.words.split_at(index);
        let (left, right) = (Piece::of(left.to_vec())?, Piece::of(right.to_vec())?);
        if format!("{} {}", left.text, right.text) != self.cell.text {
            return None;
        }
        let part = |piece: &Piece| {
            let bbox = BBox { x0: piece.u0, x1: piece.u1, ..self.cell.bbox };
            let cell = Cell { text: piece.text.clone(), bbox, ..self.cell.clone() };
            let kind = kinds(&piece.text).max();
            Self { cell, u0: piece.u0, u1: piece.u1, kind, words: piece.words.clone() }
        };
        Some((part(&left), part(&right)))
    }
}
