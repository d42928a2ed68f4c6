//! `millwright evaluate`: how well it does on data whose answers are known.

mod answers;
mod generation;
mod parsing;
pub(super) mod ranking;

use super::CommandError;
use crate::{
    cli::{EvaluateArgs, Subject},
    output::Output,
};

pub(super) fn run(args: &EvaluateArgs, output: &mut Output) -> Result<u8, CommandError> {
    match &args.subject {
        Subject::Ranking(args) => ranking::run(args, output),
        Subject::Generation(args) => generation::run(args, output),
        Subject::Parsing(args) => parsing::run(args, output),
        Subject::Answers(args) => answers::run(args, output),
    }
}
