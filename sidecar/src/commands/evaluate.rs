//! `millwright evaluate`: ranks a test collection's queries and prints the measures.

use super::CommandError;
use crate::{cli::EvaluateArgs, collections, output::Output};
use millwright_core::protocol::{Failure, FailureKind};

pub(super) fn run(args: &EvaluateArgs, output: &mut Output) -> Result<u8, CommandError> {
    let collection = collections::load(&args.collection)?;
    output.status(&format!("{}: {} documents", collection.name, collection.documents.len()));
    Err(Failure { error: "Measuring is not built yet.".to_owned(), error_type: FailureKind::Internal }.into())
}
