//! Warnings and notes that CommonMark has no form for: `:::warning` (Docusaurus, MyST, pandoc), `{% alert warning %}`
//! (Jekyll, GitBook) and `!!! warning` (MkDocs), each on a line of its own.
//!
//! Not for GitHub's alerts, which the CommonMark reader knows, and not for containers inside lists.

use crate::{document::NodeKind, parse::admonition};
use std::{collections::BTreeSet, ops::Range};

/// A stretch of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Ordinary Markdown.
    Text(Range<usize>),
    /// A warning or note.
    Admonition {
        /// What it is.
        kind: NodeKind,
        /// Its title, or the word that grades it.
        label: String,
        /// Its content.
        content: Range<usize>,
        /// The content is indented and has to be moved to the margin first.
        indented: bool,
    },
}

/// Cuts a text at its admonitions; one piece if it has none. O(n).
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut text_start = 0;
    let mut fence: Option<&str> = None;
    let lines: Vec<(usize, &str)> = lines(text);
    // Closing lines that were looked for to the end of the text in vain.
    let mut unclosed: BTreeSet<String> = BTreeSet::new();
    let mut at = 0;
    while let Some(&(start, line)) = lines.get(at) {
        at += 1;
        let mark = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        let Some(opening) = opening(line).filter(|_| fence.is_none()) else { continue };
        let is_unclosed = matches!(&opening.end, End::Line(closing) if unclosed.contains(closing));
        let n_lines = if is_unclosed { None } else { content_lines(&lines[at..], &opening.end) };
        let Some(n_lines) = n_lines else {
            if let End::Line(closing) = opening.end {
                unclosed.insert(closing);
            }
            continue;
        };
        let end = |index: usize| lines.get(index).map_or(text.len(), |(start, _)| *start);
        if text_start < start {
            pieces.push(Piece::Text(text_start..start));
        }
        let indented = opening.end == End::Outdent;
        pieces.push(Piece::Admonition {
            kind: opening.kind,
            label: opening.label,
            content: end(at)..end(at + n_lines),
            indented,
        });
        at += n_lines + usize::from(!indented);
        text_start = end(at);
    }
    if text_start < text.len() || pieces.is_empty() {
        pieces.push(Piece::Text(text_start..text.len()));
    }
    pieces
}

/// Moves indented lines to the margin.
pub(super) fn outdent(text: &str) -> String {
    let lines = text.lines().map(|line| line.strip_prefix("    ").or_else(|| line.strip_prefix('\t')).unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

struct Opening {
    kind: NodeKind,
    label: String,
    end: End,
}

/// What ends a container.
#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
    /// This line.
    Line(String),
    /// The first line that is not indented.
    Outdent,
}

fn opening(line: &str) -> Option<Opening> {
    let line = line.trim_end();
    if let Some(rest) = line.strip_prefix(":::") {
        let colons = line.len() - rest.trim_start_matches(':').len();
        let inside = rest.trim_start_matches(':').trim_start_matches(['{', ' ', '.']);
        let (name, title) = inside.split_once(['}', ' ', '[']).unwrap_or((inside, ""));
        let title = title.trim_matches([' ', '[', ']', '"', '{', '}']);
        return opened(name, title, End::Line(":".repeat(colons)));
    }
    if let Some(rest) =
        line.strip_prefix("!!! ").or_else(|| line.strip_prefix("??? ")).or_else(|| line.strip_prefix("???+ "))
    {
        let (name, title) = rest.split_once(' ').unwrap_or((rest, ""));
        return opened(name, title.trim_matches(['"', ' ']), End::Outdent);
    }
    let inside = line.strip_prefix("{%")?.strip_suffix("%}")?.trim();
    let (tag, arguments) = inside.split_once(' ')?;
    if !matches!(tag, "alert" | "panel" | "hint" | "callout" | "admonition" | "notice" | "box") {
        return None;
    }
    let words: Vec<&str> = arguments.split([' ', '=', '"', '\'', ',']).filter(|word| !word.is_empty()).collect();
    let name = words.iter().find(|word| admonition::named(word).is_some())?;
    opened(name, "", End::Line(format!("{{%end{tag}%}}")))
}

fn opened(name: &str, title: &str, end: End) -> Option<Opening> {
    let kind = admonition::named(name)?;
    let mut label = if title.is_empty() { name.to_owned() } else { title.to_owned() };
    // The name is a keyword; what sites print of it begins with a capital.
    if title.is_empty() {
        label[..1].make_ascii_uppercase();
    }
    Some(Opening { kind, label, end })
}

/// How many of the following lines are the container's content; `None` if it is never closed.
fn content_lines(lines: &[(usize, &str)], end: &End) -> Option<usize> {
    match end {
        End::Line(closing) => lines.iter().position(|(_, line)| {
            let mut bare = line.chars().filter(|c| !c.is_whitespace());
            closing.chars().all(|c| bare.next() == Some(c)) && bare.next().is_none()
        }),
        End::Outdent => {
            let inside = |line: &str| line.trim().is_empty() || line.starts_with("    ") || line.starts_with('\t');
            let n_lines = lines.iter().position(|(_, line)| !inside(line)).unwrap_or(lines.len());
            Some(n_lines)
        }
    }
}

fn lines(text: &str) -> Vec<(usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n')
        .map(|line| {
            start += line.len();
            (start - line.len(), line)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::WarningGrade;

    fn found(text: &str) -> Vec<(String, String)> {
        let pieces = pieces(text).into_iter();
        pieces
            .filter_map(|piece| match piece {
                Piece::Admonition { label, content, .. } => Some((label, text[content].trim().to_owned())),
                Piece::Text(_) => None,
            })
            .collect()
    }

    #[test]
    fn all_forms() {
        let pair = |label: &str, content: &str| (label.to_owned(), content.to_owned());
        assert_eq!(found("a\n:::danger Keep off\nHot.\n:::\nb\n"), [pair("Keep off", "Hot.")]);
        assert_eq!(found(":::{warning}\nHot.\n:::\n"), [pair("Warning", "Hot.")]);
        assert_eq!(found("{% alert warning %}\nHot.\n{% endalert %}\n"), [pair("Warning", "Hot.")]);
        assert_eq!(found("{% hint style=\"info\" %}\nHot.\n{% endhint %}\n"), [pair("Info", "Hot.")]);
        assert_eq!(found("!!! caution \"Load\"\n\n    Hot.\n\nb\n"), [pair("Load", "Hot.")]);
    }

    #[test]
    fn the_text_around_stays_whole() {
        let text = "a\n:::note\nb\n:::\nc";
        assert_eq!(
            pieces(text),
            [
                Piece::Text(0..2),
                Piece::Admonition { kind: NodeKind::Note, label: "Note".into(), content: 10..12, indented: false },
                Piece::Text(16..17),
            ]
        );
        assert_eq!(pieces(""), [Piece::Text(0..0)]);
    }

    #[test]
    fn code_and_unclosed_containers_are_text() {
        for text in [
            "```\n:::warning\nx\n:::\n```\n",
            ":::warning\nnever closed",
            ":::unknown\nx\n:::\n",
            "{% alert %}\nx\n{% endalert %}",
        ] {
            assert_eq!(pieces(text).len(), 1, "{text}");
        }
        assert_eq!(admonition::named("danger"), Some(NodeKind::Warning(WarningGrade::Danger)));
    }
}
