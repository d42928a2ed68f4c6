//! What holds for every text format and every input.

use super::*;
use crate::{
    document::{Node, NodeKind},
    host::NoProgress,
};
use proptest::prelude::*;

/// Names that lead to each reader of text.
const NAMES: [&str; 6] = ["a.md", "a.html", "a.csv", "a.txt", "a.xls", "a.xml"];

/// Pieces whose combinations reach the corners of every format.
const PIECES: [&str; 74] = [
    "a",
    "B2",
    " ",
    "  ",
    "    ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\u{c}",
    "---\n",
    "+++\n",
    "...",
    "# ",
    "##x",
    "===\n",
    "- ",
    "* ",
    "1. ",
    "2) ",
    "> ",
    "> [!NOTE]\n",
    "```",
    "~~~",
    "|",
    "|-|-|\n",
    "[",
    "](x)",
    "![",
    "[^1]",
    "[^1]: ",
    "**",
    "_",
    "`",
    "<",
    ">",
    "</",
    "<p>",
    "<div class=warning>",
    "<table>",
    "<tr>",
    "<td rowspan=9>",
    "<th>",
    "</table>",
    "<ul>",
    "<li>",
    "<dl><dt>",
    "<dd>",
    "<pre>",
    "<b>",
    "</b>",
    "<a id=x>",
    "<svg>",
    "<!--",
    "-->",
    "<template>",
    "<h1>",
    "</h1>",
    "<figure>",
    "<img alt=y>",
    "&amp;",
    "&#0;",
    "key: ",
    "key = ",
    "[t]\n",
    "\"",
    "'",
    ",",
    ";",
    "WARNING",
    ":::note\n",
    "2026-11-30 12:00 ",
    "\u{301}é漢\u{202e}",
];

pub(super) fn check(document: &Document, text: &str) {
    let is_root = |node: &Node| matches!(node.kind, NodeKind::Document) && node.parent.is_none();
    assert!(is_root(&document.nodes[0]));
    for (index, node) in document.nodes.iter().enumerate().skip(1) {
        assert_eq!(node.id.index(), index);
        // Preorder: the parent is the node before, or one of its ancestors.
        let mut above = Some(document.nodes[index - 1].id);
        while above != node.parent {
            above = document.node(above.expect("an ancestor")).and_then(|node| node.parent);
        }
        if let Some(span) = node.span {
            assert!(span.start <= span.end && span.end as usize <= text.len(), "{:?} of {}", span, text.len());
            assert!(text.is_char_boundary(span.start as usize) && text.is_char_boundary(span.end as usize), "{span:?}");
        }
        if let NodeKind::Cell { .. } = node.kind {
            let parent = node.parent.and_then(|parent| document.node(parent)).map(|parent| &parent.kind);
            assert!(matches!(parent, Some(NodeKind::Row { .. })));
        }
    }
}

fn read_as_all(bytes: &[u8]) {
    for name in NAMES {
        match parse(name, bytes, &mut NoProgress) {
            Ok(parsed) if parsed.format != Format::Pdf => {
                let decoded = decode(bytes, &mut Vec::new());
                check(&parsed.document, &decoded.text);
                assert_eq!(parse(name, bytes, &mut NoProgress), Ok(parsed), "the same bytes give the same tree");
            }
            Ok(_) | Err(ParseError::Empty | ParseError::Unsupported { .. } | ParseError::Damaged { .. }) => {}
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read_as_all(&bytes);
    }

    #[test]
    fn any_text_is_read(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60)) {
        read_as_all(pieces.concat().as_bytes());
    }

    #[test]
    fn front_matter_of_any_form_is_read(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..30), toml in any::<bool>()) {
        let fence = if toml { "+++" } else { "---" };
        read_as_all(format!("{fence}\ntitle: x\nk: {}\n{fence}\ntext", pieces.concat()).as_bytes());
    }

    #[test]
    fn any_text_in_any_encoding_keeps_its_letters(words in prop::collection::vec("[a-zäöüß]{3,9}", 8..20)) {
        let text = words.join(" ");
        let wide = text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        prop_assert_eq!(decode(&wide, &mut Vec::new()).text, text);
    }
}

#[test]
fn whatever_nests_ends() {
    let open = [
        "<div>",
        "<b>",
        "<table><tr><td>",
        "<ul><li>",
        "<p><font a=1>",
        "<svg>",
        "> ",
        "- ",
        "[",
        "![",
        "**a",
        "`",
        "(",
        "\"",
    ];
    for piece in open {
        let text = piece.repeat(20_000);
        for name in NAMES {
            let parsed = parse(name, text.as_bytes(), &mut NoProgress).expect("reads");
            let document = &parsed.document;
            let depth = |node: &Node| std::iter::successors(node.parent, |id| document.node(*id)?.parent).count();
            let deepest = document.nodes.iter().map(depth).max();
            assert!(deepest < Some(100), "{piece}");
        }
    }
}

#[test]
fn every_reader_can_be_stopped() {
    for name in NAMES {
        let mut reports = 0;
        let mut stop = |_, _| {
            reports += 1;
            if reports > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let text = "Some words.\n\n".repeat(20_000);
        assert_eq!(parse(name, text.as_bytes(), &mut stop), Err(ParseError::Cancelled), "{name}");
    }
}

#[test]
fn a_tree_is_bounded_and_says_what_is_missing() {
    for (name, piece) in [("a.md", "x\n\n"), ("a.html", "<p>x"), ("a.csv", "x,y\n"), ("a.txt", "x\n\n")] {
        let parsed = parse(name, piece.repeat(MAX_NODES + 10).as_bytes(), &mut NoProgress).expect("reads");
        assert!(parsed.document.nodes.len() <= MAX_NODES + 1, "{name}");
        assert_eq!(parsed.warnings[0].kind, ParseWarningKind::Truncated, "{name}");
    }
}

#[test]
fn markdown_shows_what_browsers_show() {
    let tree = |text: &str| super::fixture::outline(&super::fixture::read("a.md", text.as_bytes()).document);
    assert_eq!(tree("003. a\n3. b\n3. c\n"), "ol\n  li 3. a\n  li 4. b\n  li 5. c\n");
    assert_eq!(tree("7) a\n"), "ol\n  li 7) a\n");
    assert_eq!(tree("a&#10;b\n"), "p a b\n");
    assert_eq!(tree("<table><tr><td>\n<pre>\na\n\n_b_ & c\n</pre>\n</td></tr></table>\n"), "Code a⏎b & c\n");
    assert_eq!(tree("a <![CDATA[>b]]>\n"), "p a b]]>\n");
}

#[test]
fn html_keeps_what_is_meant_and_drops_what_is_not() {
    let tree = |text: &str| super::fixture::outline(&super::fixture::read("a.html", text.as_bytes()).document);
    assert_eq!(tree(r##"<h2>C #</h2><h2>Use<a href="#use">#</a></h2>"##), "h2 C #\nh2 Use\n");
    assert_eq!(tree("<img src=a.png><p><img src=b.png alt=''>"), "Figure\n");
    let inner = "<table><tr><td>a<td>b<tr><td>c<td>d</table>";
    let outer = format!("<table><tr><td>A<td>B<tr><td>x{inner}<td>y</table>");
    let expected = "Table\n  tr\n    td A\n    td B\n  tr\n    td x⏎a | b⏎c | d\n    td y\nTable\n  tr\n    td a\n    td b\n  tr\n    td c\n    td d\n";
    assert_eq!(tree(&outer), expected);
}

#[test]
fn nodes_of_a_text_know_their_lines() {
    let parsed = parse("pump.md", b"# Care\n\nKeep it clean\nand dry.\n\n- Stop.\n- Wipe.", &mut NoProgress).unwrap();
    let nodes = parsed.document.nodes.iter().filter(|node| !node.text.is_empty());
    let lines: Vec<_> =
        nodes.filter_map(|node| Some((node.text.as_str(), node.lines?.first, node.lines?.last))).collect();
    assert_eq!(lines, [("Care", 1, 1), ("Keep it clean and dry.", 3, 4), ("Stop.", 6, 6), ("Wipe.", 7, 7)]);
}
