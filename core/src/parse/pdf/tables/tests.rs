//! Tables from segments and lines that are made up here; whole files are read in [`crate::parse::pdf::tests`].

use super::*;
use crate::parse::pdf::{font::Style, glyphs::Rule, lines::Word};

fn line(horizontal: bool, at: f32, from: f32, to: f32) -> Rule {
    Rule { horizontal, at, from, to }
}

fn text(text: &str, u0: f32, v: f32) -> Segment {
    let mut words = Vec::new();
    let mut at = u0;
    for word in text.split(' ') {
        let u1 = at + 5.0 * word.chars().count() as f32;
        words.push(Word { text: word.into(), u0: at, u1 });
        at = u1 + 5.0;
    }
    let u1 = at - 5.0;
    Segment {
        text: text.to_owned(),
        words,
        bbox: BBox { x0: u0, y0: v - 8.0, x1: u1, y1: v + 2.0 },
        v,
        size: 10.0,
        style: Style::default(),
        artifact: false,
        role: None,
    }
}

/// Three rows of two columns of 100 by 20, from (0, 0); the middle row is one cell.
fn lines() -> Vec<Rule> {
    let mut lines: Vec<Rule> = [0.0, 20.0, 40.0, 60.0].map(|y| line(true, y, 0.0, 200.0)).to_vec();
    lines.extend([0.0, 200.0].map(|x| line(false, x, 0.0, 60.0)));
    lines.extend([line(false, 100.0, 0.0, 20.0), line(false, 100.5, 40.0, 60.0)]);
    lines
}

fn texts(table: &Table) -> Vec<Vec<(&str, u16)>> {
    table.rows.iter().map(|row| row.iter().map(|cell| (cell.text.as_str(), cell.colspan)).collect()).collect()
}

#[test]
fn a_grid_becomes_rows_and_spans() {
    let mut segments = vec![
        text("G21", 10.0, 15.0),
        text("millimetres", 110.0, 15.0),
        text("below", 10.0, 80.0),
        text("both", 60.0, 35.0),
        text("G20", 10.0, 55.0),
        text("inches", 110.0, 55.0),
    ];
    let tables = ruled(&lines(), &mut segments, &mut Vec::new());
    let [table] = tables.as_slice() else { panic!("one table: {tables:?}") };
    assert_eq!(
        texts(table),
        [vec![("G21", 1), ("millimetres", 1)], vec![("both", 2)], vec![("G20", 1), ("inches", 1)]]
    );
    assert_eq!(segments.len(), 1, "what stands outside stays");
}

#[test]
fn an_empty_grid_is_a_drawing() {
    let mut segments = vec![text("x", 10.0, 15.0)];
    assert!(ruled(&lines(), &mut segments, &mut Vec::new()).is_empty());
    assert_eq!(segments.len(), 1);
}
