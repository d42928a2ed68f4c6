//! What the elements of a syntax are called in EN 16931, as tables; [`super::collect`] goes by them.

/// A syntax: how its elements are named.
///
/// Paths are names without prefixes from below the outermost element, parted by `/`. An element that a [`qualifier`]
/// tells apart is first looked up as `Name[value]`.
///
/// [`qualifier`]: Syntax::qualifiers
#[derive(Debug)]
pub(super) struct Syntax {
    /// The name that is used in the tables, for names of older versions.
    pub(super) canonical: fn(&str) -> &str,
    /// Elements whose meaning depends on what stands in them: their name and where the value stands, `@` for an
    /// attribute.
    pub(super) qualifiers: &'static [(&'static str, &'static str)],
    /// Fields of the whole invoice.
    pub(super) fields: &'static [Field],
    /// Who takes part: path, where it is shown, role.
    pub(super) parties: &'static [(&'static str, Group, &'static str)],
    /// What is said of each of them.
    pub(super) party: &'static [Column],
    /// What there may be many of.
    pub(super) tables: &'static [TableRule],
    /// Where free text stands.
    pub(super) notes: &'static [&'static str],
    /// Elements that hold a name and a value: in tables they go into the column [`ATTRIBUTES`].
    pub(super) pairs: &'static [&'static str],
    /// Elements that hold a packed file.
    pub(super) binary: &'static str,
    /// Elements that only wrap a value and are no part of paths.
    pub(super) transparent: &'static [&'static str],
}

/// A field: path, where it is shown, term, what its value is.
pub(super) type Field = (&'static str, Group, &'static str, What);
/// A column, or a fact about a party: path below it, term, what its value is.
pub(super) type Column = (&'static str, &'static str, What);

/// The column for named properties of an item.
pub(super) const ATTRIBUTES: &str = "Item attributes";

/// Elements that become rows.
#[derive(Debug)]
pub(super) struct TableRule {
    /// The paths of the rows.
    pub(super) rows: &'static [&'static str],
    /// Where it is shown.
    pub(super) group: Group,
    /// In the order in which they are shown. Several paths may lead to one column: they stand side by side in the list.
    pub(super) columns: &'static [Column],
}

/// What a value is.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// As it stands.
    Text,
    /// An amount in the invoice's currency, or in the one named beside it.
    Amount,
    /// A number of hundredths.
    Percent,
    /// A code and the list that says what it means.
    Code(fn(&str) -> Option<&'static str>),
    /// Says nothing where it has this value, as a tax that is VAT.
    Unless(&'static str),
}

/// The parts in which an invoice is shown, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    /// Directly under the title.
    Header,
    Seller,
    Buyer,
    OtherParties,
    Delivery,
    References,
    Lines,
    Charges,
    Vat,
    Totals,
    Payment,
    Notes,
    /// What the tables do not know.
    Further,
}

impl Group {
    /// All, in order.
    pub(super) const ALL: [Self; 13] = [
        Self::Header,
        Self::Seller,
        Self::Buyer,
        Self::OtherParties,
        Self::Delivery,
        Self::References,
        Self::Lines,
        Self::Charges,
        Self::Vat,
        Self::Totals,
        Self::Payment,
        Self::Notes,
        Self::Further,
    ];

    /// The heading; empty for the first.
    pub(super) fn heading(self) -> &'static str {
        match self {
            Self::Header => "",
            Self::Seller => "Seller",
            Self::Buyer => "Buyer",
            Self::OtherParties => "Other parties",
            Self::Delivery => "Delivery",
            Self::References => "References",
            Self::Lines => "Invoice lines",
            Self::Charges => "Document level allowances and charges",
            Self::Vat => "VAT breakdown",
            Self::Totals => "Document totals",
            Self::Payment => "Payment",
            Self::Notes => "Notes",
            Self::Further => "Further fields",
        }
    }
}
