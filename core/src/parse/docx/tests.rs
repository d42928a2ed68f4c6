//! DOCX files made from XML, and what is read of them.

mod marks;
mod robust;
mod structure;

use crate::parse::{
    Parsed,
    fixture::{outline, read},
    package::fixture::package,
};

/// All namespaces under the prefixes that Word gives them.
pub(super) const NAMESPACES: &str = r#"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"
    xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
    xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"
    xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"
    xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
    xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"
    xmlns:v="urn:schemas-microsoft-com:vml""#;

/// Styles that the tests name.
const STYLES: &str = r#"
    <w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
    <w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>
    <w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
    <w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
    <w:style w:type="paragraph" w:styleId="H3"><w:name w:val="Titre 3"/></w:style>
    <w:style w:type="paragraph" w:styleId="NumH"><w:name w:val="Own heading"/><w:basedOn w:val="H1"/>
      <w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>
    <w:style w:type="paragraph" w:styleId="NumH2"><w:name w:val="Own heading 2"/><w:basedOn w:val="H2"/>
      <w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>
    <w:style w:type="paragraph" w:styleId="Caption"><w:name w:val="caption"/></w:style>
    <w:style w:type="paragraph" w:styleId="Quote"><w:name w:val="Quote"/></w:style>
    <w:style w:type="paragraph" w:styleId="Code"><w:name w:val="Source Code"/></w:style>
    <w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>
    <w:style w:type="paragraph" w:styleId="Warn"><w:name w:val="Warning Text"/></w:style>
    <w:style w:type="character" w:styleId="Gone"><w:name w:val="Gone"/><w:rPr><w:vanish/></w:rPr></w:style>
    <w:style w:type="table" w:styleId="Grid"><w:name w:val="Fancy"/>
      <w:tblStylePr w:type="firstRow"><w:rPr><w:b/></w:rPr></w:tblStylePr>
      <w:tblStylePr w:type="firstCol"><w:rPr><w:b/></w:rPr></w:tblStylePr></w:style>"#;

/// 1: `1.`, `a)`; 2: headings `1`, `1.1` by style; 3: bullets; 4: as 1, from 1 again.
const NUMBERING: &str = r#"
    <w:abstractNum w:abstractNumId="0">
      <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/><w:pPr><w:ind w:left="720"/></w:pPr></w:lvl>
      <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%2)"/><w:pPr><w:ind w:left="1440"/></w:pPr></w:lvl>
    </w:abstractNum>
    <w:abstractNum w:abstractNumId="1">
      <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="NumH"/><w:lvlText w:val="%1"/></w:lvl>
      <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="NumH2"/><w:lvlText w:val="%1.%2"/></w:lvl>
    </w:abstractNum>
    <w:abstractNum w:abstractNumId="2">
      <w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/><w:pPr><w:ind w:left="1440"/></w:pPr></w:lvl>
    </w:abstractNum>
    <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
    <w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
    <w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num>
    <w:num w:numId="4"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>"#;

/// A paragraph of a style; without one where it is empty.
pub(super) fn styled(style: &str, text: &str) -> String {
    format!(r#"<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{}</w:p>"#, run(text))
}

/// A paragraph of plain text.
pub(super) fn paragraph(text: &str) -> String {
    format!("<w:p>{}</w:p>", run(text))
}

/// A run of plain text.
pub(super) fn run(text: &str) -> String {
    format!(r#"<w:r><w:t xml:space="preserve">{text}</w:t></w:r>"#)
}

/// An item of a numbering.
fn item(number: u32, level: u32, text: &str) -> String {
    format!(
        r#"<w:p><w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr></w:pPr>{}</w:p>"#,
        run(text)
    )
}

/// A row of cells with plain text.
fn row(cells: &[&str]) -> String {
    let cells: String = cells.iter().map(|text| format!("<w:tc>{}</w:tc>", paragraph(text))).collect();
    format!("<w:tr>{cells}</w:tr>")
}

/// A package with this body and these further parts of the folder `word`, related by their names.
pub(super) fn docx(body: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let rels = "http://schemas.openxmlformats.org/package/2006/relationships";
    let mut all: Vec<(String, String)> = vec![
        ("[Content_Types].xml".into(), "<Types/>".into()),
        (
            "_rels/.rels".into(),
            format!(
                r#"<Relationships xmlns="{rels}"><Relationship Id="1" Type="{kind}/officeDocument" Target="word/document.xml"/></Relationships>"#
            ),
        ),
        ("word/document.xml".into(), format!("<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>")),
        ("word/styles.xml".into(), format!("<w:styles {NAMESPACES}>{STYLES}</w:styles>")),
        ("word/numbering.xml".into(), format!("<w:numbering {NAMESPACES}>{NUMBERING}</w:numbering>")),
    ];
    let mut related = String::new();
    for name in ["styles.xml", "numbering.xml"].into_iter().chain(parts.iter().map(|(name, _)| *name)) {
        let by_name = name.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        let by_name = if by_name == "chart" { "chart" } else { by_name };
        related.push_str(&format!(r#"<Relationship Id="{name}" Type="{kind}/{by_name}" Target="{name}"/>"#));
    }
    related.push_str(&format!(
        r#"<Relationship Id="web" Type="{kind}/hyperlink" Target="https://example.org/p" TargetMode="External"/>"#
    ));
    all.push((
        "word/_rels/document.xml.rels".into(),
        format!(r#"<Relationships xmlns="{rels}">{related}</Relationships>"#),
    ));
    all.extend(parts.iter().map(|(name, content)| (format!("word/{name}"), (*content).to_owned())));
    let all: Vec<(&str, &str)> = all.iter().map(|(name, content)| (name.as_str(), content.as_str())).collect();
    package(&all)
}

/// What is read of a body.
fn parsed(body: &str) -> Parsed {
    read("a.docx", &docx(body, &[]))
}

/// The outline of what is read of a body.
fn tree(body: &str) -> String {
    outline(&parsed(body).document)
}
