//! The native rows: the same index code as in the tab, and tantivy as it comes.

mod stems;

use crate::{
    corpus::{Chunk, Corpus},
    table::Row,
};
use anyhow::Result;
use millwright_bench_lexical::{DEPTH, Lexical};
use std::time::Instant;
use stems::EnglishStems;
use tantivy::{
    Index, TantivyDocument,
    collector::TopDocs,
    directory::RamDirectory,
    query::QueryParser,
    schema::{IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions, Value as _},
    tokenizer::{LowerCaser, RemoveLongFilter, SimpleTokenizer, TextAnalyzer, TokenizerManager},
};

/// How often each question is asked; the least time counts, as in the tab.
const PASSES: usize = 3;

/// The name of the analyser.
const ENGLISH: &str = "english";

/// Our index, natively: its row and its answers.
pub(crate) fn millwright(corpus: &Corpus, chunks: &[Chunk]) -> Result<(Row, Vec<Vec<u32>>)> {
    let titles: Vec<String> = chunks.iter().map(|chunk| chunk.title.clone()).collect();
    let texts: Vec<String> = chunks.iter().map(|chunk| chunk.text.clone()).collect();
    let began = Instant::now();
    let index = Lexical::build(&titles, &texts)?;
    let build_millis = millis(began);
    let began = Instant::now();
    let opened = Lexical::open(index.packed().to_vec())?;
    opened.search(&corpus.questions[3])?;
    let first_answer_millis = Some(millis(began));
    let (timings, answers) = ask(corpus, |question| Ok(index.search(question)?))?;
    let row = Row::new("Millwright, native", build_millis, index.packed().len(), timings, first_answer_millis);
    Ok((row, answers))
}

/// tantivy with its English stemmer, one segment in memory, words joined by OR.
pub(crate) fn tantivy(corpus: &Corpus, chunks: &[Chunk]) -> Result<Row> {
    let mut schema = Schema::builder();
    let indexing =
        TextFieldIndexing::default().set_tokenizer(ENGLISH).set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let options = TextOptions::default().set_indexing_options(indexing);
    let title = schema.add_text_field("title", options.clone());
    let text = schema.add_text_field("text", options);
    let number = schema.add_u64_field("number", STORED);
    let tokenizers = TokenizerManager::default();
    tokenizers.register(ENGLISH, english());
    let directory = RamDirectory::create();
    let began = Instant::now();
    let mut writer = Index::builder()
        .schema(schema.build())
        .tokenizers(tokenizers)
        .single_segment_index_writer(directory.clone(), 128_000_000)?;
    for (n, chunk) in (0..).zip(chunks) {
        let mut document = TantivyDocument::default();
        document.add_text(title, &chunk.title);
        document.add_text(text, &chunk.text);
        document.add_u64(number, n);
        writer.add_document(document)?;
    }
    let index = writer.finalize()?;
    let build_millis = millis(began);
    let searcher = index.reader()?.searcher();
    let parser = QueryParser::for_index(&index, vec![title, text]);
    let (timings, _) = ask(corpus, |question| {
        let words: Vec<&str> = question.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let (query, _) = parser.parse_query_lenient(&words.join(" "));
        let hits = searcher.search(&query, &TopDocs::with_limit(DEPTH).order_by_score())?;
        hits.into_iter()
            .map(|(_, address)| {
                let document: TantivyDocument = searcher.doc(address)?;
                Ok(document.get_first(number).and_then(|value| value.as_u64()).unwrap_or_default() as u32)
            })
            .collect()
    })?;
    Ok(Row::new("tantivy, native", build_millis, directory.total_mem_usage(), timings, None))
}

/// tantivy's `en_stem`, with the stemmer that the core uses: tantivy's own is a feature that nothing else here needs.
fn english() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(40))
        .filter(LowerCaser)
        .filter(EnglishStems)
        .build()
}

/// The least milliseconds of each question, ascending, and the answers.
fn ask(corpus: &Corpus, mut search: impl FnMut(&str) -> Result<Vec<u32>>) -> Result<(Vec<f64>, Vec<Vec<u32>>)> {
    let mut least = vec![f64::INFINITY; corpus.questions.len()];
    let mut answers = Vec::new();
    for _ in 0..PASSES {
        answers.clear();
        for (question, least) in corpus.questions.iter().zip(&mut least) {
            let asked = Instant::now();
            let hits = search(question)?;
            *least = least.min(millis(asked));
            answers.push(hits);
        }
    }
    least.sort_by(f64::total_cmp);
    Ok((least, answers))
}

fn millis(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1000.0
}
