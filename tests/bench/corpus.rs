//! What is indexed and asked: descriptions of Debian's packages where the machine has them, otherwise made-up text with
//! the same lengths and Zipf's distribution of words.

use anyhow::{Context, Result};
use millwright_tests::corpus::Numbers;
use std::{collections::HashSet, fs, path::PathBuf, process::Command};

/// Longer descriptions are cut into chunks of this many words.
const MAX_WORDS: usize = 180;
/// Shorter ones say too little to be searched for.
const MIN_WORDS: usize = 15;
/// Chunks kept out of the index, whose summaries make the questions.
const N_HELD_OUT: usize = 400;
/// Questions asked.
const N_QUESTIONS: usize = 200;
/// Fewer chunks than this are no corpus.
const MIN_CHUNKS: usize = 10_000;

/// A chunk.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    pub(crate) title: String,
    pub(crate) text: String,
}

/// Chunks and questions.
#[derive(Debug)]
pub(crate) struct Corpus {
    /// Where it is from, for the table.
    pub(crate) origin: String,
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) questions: Vec<String>,
}

/// At most `max_chunks` chunks with their questions.
pub(crate) fn corpus(max_chunks: usize) -> Result<Corpus> {
    let mut corpus = match debian()? {
        Some(corpus) => corpus,
        None => {
            eprintln!(
                "No package descriptions on this machine (on Debian: `apt-get -o Acquire::Languages=en update`); \
                 the corpus is made up instead."
            );
            made_up(max_chunks)
        }
    };
    corpus.chunks.truncate(max_chunks);
    Ok(corpus)
}

struct Package {
    name: String,
    summary: String,
    description: String,
}

fn debian() -> Result<Option<Corpus>> {
    let mut seen = HashSet::new();
    let mut pieces = Vec::new();
    for list in translations() {
        let printed = Command::new("/usr/lib/apt/apt-helper").arg("cat-file").arg(&list).output();
        let printed = printed.with_context(|| format!("cannot read {}", list.display()))?;
        for stanza in String::from_utf8_lossy(&printed.stdout).split("\n\n") {
            let Some(package) = package(stanza) else { continue };
            if !seen.insert(package.description.clone()) {
                continue;
            }
            let words: Vec<&str> = package.description.split(' ').collect();
            for part in words.chunks(MAX_WORDS).filter(|part| part.len() >= MIN_WORDS) {
                pieces.push((package.name.clone(), package.summary.clone(), part.join(" ")));
            }
        }
    }
    if pieces.len() < MIN_CHUNKS {
        return Ok(None);
    }
    Numbers::new(7).shuffle(&mut pieces);
    let held_out = pieces.split_off(pieces.len() - N_HELD_OUT);
    let questions = held_out.iter().filter_map(|(_, summary, _)| question(summary)).take(N_QUESTIONS).collect();
    let chunks = pieces.into_iter().map(|(title, summary, text)| Chunk { title, text: format!("{summary}. {text}") });
    Ok(Some(Corpus { origin: "descriptions of Debian packages".to_owned(), chunks: chunks.collect(), questions }))
}

fn translations() -> Vec<PathBuf> {
    let lists = fs::read_dir("/var/lib/apt/lists").into_iter().flatten().flatten().map(|entry| entry.path());
    let mut lists: Vec<_> = lists.filter(|path| path.to_string_lossy().contains("Translation-en")).collect();
    lists.sort();
    lists
}

/// The parts of a stanza of a Translation file; the description on one line.
fn package(stanza: &str) -> Option<Package> {
    let name = stanza.lines().find_map(|line| line.strip_prefix("Package: "))?;
    let mut lines = stanza.lines().skip_while(|line| !line.starts_with("Description-en: "));
    let summary = lines.next()?.strip_prefix("Description-en: ")?.trim();
    let body = lines.take_while(|line| line.starts_with(' ')).map(str::trim).filter(|line| *line != ".");
    let description = body.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    (description.split(' ').count() >= MIN_WORDS).then(|| Package {
        name: name.to_owned(),
        summary: summary.to_owned(),
        description,
    })
}

/// A summary as a question: its words, if three to eight of them say something.
fn question(summary: &str) -> Option<String> {
    const EMPTY_WORDS: [&str; 19] = [
        "a", "an", "the", "of", "for", "and", "to", "in", "with", "on", "by", "is", "are", "from", "as", "or", "at",
        "it", "this",
    ];
    let is_part = |c: char| c.is_ascii_alphanumeric() || "+.-".contains(c);
    let words: Vec<&str> = summary
        .split(|c| !is_part(c))
        .map(|word| word.trim_start_matches(|c: char| !c.is_ascii_alphabetic()))
        .filter(|word| !word.is_empty())
        .collect();
    let n_telling = words.iter().filter(|word| !EMPTY_WORDS.contains(&word.to_lowercase().as_str())).count();
    (3..=8).contains(&n_telling).then(|| words.join(" "))
}

/// Text whose words follow Zipf's law over 60,000 made-up words, 20 to 92 words a chunk (56 on average, as Debian's).
fn made_up(n_chunks: usize) -> Corpus {
    const N_WORDS: usize = 60_000;
    const SYLLABLES: [&str; 20] = [
        "ba", "co", "di", "fe", "gu", "ha", "ji", "ko", "lu", "me", "na", "po", "qui", "ra", "se", "ti", "vo", "wa",
        "xe", "zu",
    ];
    let mut numbers = Numbers::new(11);
    let words: Vec<String> = (0..N_WORDS)
        .map(|n| {
            (0..2 + n % 3).map(|place| SYLLABLES[n / 20_usize.pow(place as u32) % 20]).collect::<String>()
                + &(n / 8000).to_string()
        })
        .collect();
    // Sums of 1/rank, in parts of a million, so that one random number finds a word.
    let mut sums = Vec::with_capacity(N_WORDS);
    let mut sum = 0;
    for rank in 1..=N_WORDS {
        sum += 1_000_000_000 / (rank + 2);
        sums.push(sum);
    }
    let text = |n_words: usize, numbers: &mut Numbers| {
        let picked = (0..n_words).map(|_| {
            let at = numbers.below(sum);
            words[sums.partition_point(|sum| *sum <= at)].as_str()
        });
        picked.collect::<Vec<_>>().join(" ")
    };
    let chunks = (0..n_chunks)
        .map(|_| {
            let (title, n_words) = (text(1, &mut numbers), 20 + numbers.below(73));
            Chunk { title, text: text(n_words, &mut numbers) }
        })
        .collect();
    let questions = (0..N_QUESTIONS)
        .map(|_| {
            let n_words = 3 + numbers.below(6);
            text(n_words, &mut numbers)
        })
        .collect();
    Corpus { origin: "made-up text, words by Zipf's law".to_owned(), chunks, questions }
}
