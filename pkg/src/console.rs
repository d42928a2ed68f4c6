//! All that the tool prints. Writing ignores a closed pipe: `cargo pkg doctor | head` is no error.

use std::{
    io::{self, Write},
    time::Duration,
};

/// Prints a line.
pub(crate) fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{text}");
    let _ = out.flush();
}

/// Prints a line to the error stream.
pub(crate) fn warn(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// A duration as people say it: `0.4 s`, `12 s`, `3 min 05 s`.
pub(crate) fn human_time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 9.95 {
        format!("{seconds:.1} s")
    } else if seconds < 119.5 {
        format!("{seconds:.0} s")
    } else {
        let whole = seconds.round() as u64;
        format!("{} min {:02} s", whole / 60, whole % 60)
    }
}

/// A size as people say it: `812 B`, `43 kB`, `1.35 MB`, `4.0 GB`.
pub(crate) fn human_size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.0} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.2} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// Lays rows out in columns as wide as their widest cell; the last column is left ragged.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..n_columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(&format!("{cell:<width$}  "));
        }
        text.push_str("  ");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_read_as_people_say_them() {
        assert_eq!(human_time(Duration::from_millis(430)), "0.4 s");
        assert_eq!(human_time(Duration::from_millis(9_960)), "10 s");
        assert_eq!(human_time(Duration::from_secs(185)), "3 min 05 s");
        assert_eq!(human_size(812), "812 B");
        assert_eq!(human_size(43_200), "43 kB");
        assert_eq!(human_size(1_350_000), "1.35 MB");
        assert_eq!(human_size(4_000_000_000), "4.0 GB");
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [vec!["a".into(), "bb".into(), "end".into()], vec!["long".into(), "é".into()]];
        assert_eq!(table(&rows), "  a     bb  end\n  long  é\n");
    }
}
