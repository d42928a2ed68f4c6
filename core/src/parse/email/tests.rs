//! Whole messages in, trees out.

use crate::{
    document::{Document, NodeKind, facts},
    host::NoProgress,
    parse::{Format, ParseError, ParseWarningKind, Parsed, parse},
};
use proptest::prelude::*;

const MESSAGE: &str = "Received: from mail.pump.example by mail.board.example; Mon, 30 Nov 2026 14:31:00 +0100
From: =?utf-8?Q?Ada_L=C3=A4ng?= <ada@pump.example>
To: Ben <ben@board.example>,
 store@board.example
Date: Mon, 30 Nov 2026 14:30:00 +0100
Subject: =?iso-8859-1?Q?Seals_f=FCr_P100?=
Message-ID: <1@pump.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=\"outer\"

This is for old programs.
--outer
Content-Type: multipart/alternative; boundary=\"inner\"

--inner
Content-Type: text/plain

In plain words.
--inner
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<html><head><title>x</title></head><body><p>Change the seal every <b>4,000</b> hours.</p>
<script>alert(1)</script><blockquote>How often?</blockquote></body></html>
--inner--
--outer
Content-Type: text/csv; name=\"parts.csv\"
Content-Disposition: attachment; filename=\"parts.csv\"
Content-Transfer-Encoding: base64

UGFydCxRdHkKU2VhbCw0Ck51dCw4Cg==
--outer
Content-Type: message/rfc822

From: store@board.example
To: ada@pump.example
Subject: Stock
Date: Sun, 29 Nov 2026 09:00:00 +0000

Four seals are left.

> How many?
--outer
Content-Type: image/png
Content-ID: <logo>

xx
--outer
Content-Type: application/octet-stream; name=\"tool.exe\"
Content-Transfer-Encoding: base64

f0VMRgIBAQAAAAAAAAAAAA==
--outer--
";

fn read(name: &str, text: &str) -> Parsed {
    parse(name, text.as_bytes(), &mut NoProgress).unwrap()
}

fn lines(document: &Document) -> Vec<String> {
    let shown = |kind: &NodeKind| !matches!(kind, NodeKind::Table | NodeKind::Row { .. });
    let line = |kind: &NodeKind, text: &str| match kind {
        NodeKind::Section { level } => format!("H{level} {text}"),
        NodeKind::Cell { .. } => format!("Cell {text}"),
        kind => format!("{kind:?} {text}"),
    };
    document.nodes.iter().skip(1).filter(|node| shown(&node.kind)).map(|node| line(&node.kind, &node.text)).collect()
}

#[test]
fn a_message_is_read_with_all_it_carries() {
    let parsed = read("note.eml", &MESSAGE.replace('\n', "\r\n"));
    assert_eq!((parsed.format, parsed.document.title()), (Format::Email, "Seals für P100"));
    let expected = [
        "KeyValue From: Ada Läng <ada@pump.example>",
        "KeyValue To: Ben <ben@board.example>, store@board.example",
        "KeyValue Date: 2026-11-30 14:30 +01:00",
        "KeyValue Subject: Seals für P100",
        "Paragraph Change the seal every 4,000 hours.",
        "Quote How often?",
        "H1 parts.csv",
        "Cell Part",
        "Cell Qty",
        "Cell Seal",
        "Cell 4",
        "Cell Nut",
        "Cell 8",
        "H1 Stock.eml",
        "KeyValue From: store@board.example",
        "KeyValue To: ada@pump.example",
        "KeyValue Date: 2026-11-29 09:00 +00:00",
        "KeyValue Subject: Stock",
        "Paragraph Four seals are left.",
        "Quote How many?",
        "H1 tool.exe",
    ];
    assert_eq!(lines(&parsed.document), expected);
    let section = parsed.document.nodes.iter().find(|node| node.text == "parts.csv").unwrap();
    assert_eq!(section.metadata[facts::ATTACHMENT], "parts.csv");
    assert_eq!(parsed.warnings.iter().map(|warning| warning.kind).collect::<Vec<_>>(), [ParseWarningKind::NotRead]);
    assert!(parsed.warnings[0].message.starts_with("tool.exe"), "{:?}", parsed.warnings);
}

#[test]
fn a_message_is_told_by_its_head() {
    let format = |name: &str, text: &str| read(name, text).format;
    assert_eq!(format("note.txt", MESSAGE), Format::Email);
    assert_eq!(format("note", &format!("From ada Mon Nov 30\n{MESSAGE}")), Format::Email);
    assert_eq!(format("draft.eml", "Subject: Seals\n\nTwo."), Format::Email);
    assert_eq!(format("a.txt", "Date: today\nPlace: here\n\nFrom: x"), Format::Text);
    assert_eq!(format("a.txt", "From: the beginning\nTo: the end\nof the road"), Format::Text);
    let no_message = read("a.eml", "Just a text.");
    assert_eq!((no_message.format, no_message.warnings[0].kind), (Format::Text, ParseWarningKind::WrongEnding));
}

#[test]
fn letters_in_a_head_that_say_no_encoding_are_read() {
    let latin = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
    let head = "From: Jörg <j@pump.example>\nTo: b@board.example\nSubject: Größe der Dichtungen für die Prüfung\n";
    let message = latin(&format!("{head}Content-Type: text/plain; charset=iso-8859-1\n\nGrößer."));
    let document = parse("a.eml", &message, &mut NoProgress).unwrap().document;
    assert_eq!(document.title(), "Größe der Dichtungen für die Prüfung");
    assert_eq!(document.nodes.last().unwrap().text, "Größer.");
}

#[test]
fn a_text_that_is_no_file_belongs_to_the_message() {
    let text = "From: a@b.example\nTo: c@d.example\nSubject: s\nContent-Type: multipart/mixed; boundary=b\n\n\
                --b\n\nFirst.\n--b\nContent-Type: text/x-note\n\nSecond.\n\
                --b\nContent-Type: text/plain; name=third.txt\n\nThird.\n--b--\n";
    let lines = lines(&read("a.eml", text).document);
    assert_eq!(lines[3..], ["Paragraph First.", "Paragraph Second.", "H1 third.txt", "Paragraph Third."]);
}

#[test]
fn messages_in_messages_end() {
    let nested = |n: usize| {
        let head = "From: a@b.example\nTo: c@d.example\nSubject: s\nContent-Type: message/rfc822\n\n";
        format!("{}From: a@b.example\nTo: x@y.example\nSubject: last\n\nThe innermost text.", head.repeat(n))
    };
    for n in [20, 400, 20_000] {
        let parsed = read("deep.eml", &nested(n));
        assert_eq!(parsed.format, Format::Email);
        assert!(!parsed.warnings.is_empty());
        assert!(parsed.document.nodes.len() < 1_000 || n == 20_000, "{}", parsed.document.nodes.len());
    }
}

#[test]
fn boundaries_that_never_end_are_survived() {
    let mut text = "From: a@b.example\nTo: c@d.example\nSubject: s\n".to_owned();
    for n in 0..5_000 {
        text.push_str(&format!("Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n"));
    }
    assert_eq!(read("parts.eml", &text).format, Format::Email);
}

/// Pieces that make up messages.
const PIECES: [&str; 24] = [
    "From: a@b.example\n",
    "To: \"x\" <y@z.example>, group: a, b;\n",
    "Date: Mon, 30 Nov 2026 14:30:00 +0100\n",
    "Date: 99 Foo 9999999 99:99 +9999\n",
    "Subject: =?utf-8?B?4pyT?= =?x?Q?=C3\n",
    "MIME-Version: 1.0\n",
    "Content-Type: multipart/mixed; boundary=b\n",
    "Content-Type: multipart/digest; boundary=\"c\"\n",
    "Content-Type: message/rfc822\n",
    "Content-Type: text/html; charset=iso-8859-1\n",
    "Content-Type: text/plain; charset=utf-7; name*0=a; name*1*=utf-8''%e2\n",
    "Content-Transfer-Encoding: base64\n",
    "Content-Transfer-Encoding: quoted-printable\n",
    "Content-Disposition: attachment; filename=a.xml\n",
    "\n",
    "\r\n\r\n",
    "--b\n",
    "--b--\n",
    "--c\n",
    "PGE+=\n",
    "=C3=28=\n",
    "<p>x<blockquote>y\n",
    "> > quoted\n",
    "-- \n",
];

proptest! {
    #[test]
    fn any_message_is_read(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40)) {
        let text = pieces.concat();
        let full = format!("From: a@b.example\nTo: c@d.example\nSubject: s\n{text}");
        for text in [text, full] {
            let _ = parse("a.eml", text.as_bytes(), &mut NoProgress);
        }
    }

    #[test]
    fn any_bytes_after_a_head_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut message = b"From: a@b.example\nSubject: x\nTo: c@d.example\nContent-Type: multipart/mixed; boundary=b\n".to_vec();
        message.extend(bytes);
        let parsed = parse("a.eml", &message, &mut NoProgress);
        let refused = matches!(parsed, Err(ParseError::Unsupported { .. }));
        prop_assert!(refused || parsed.is_ok());
    }
}
