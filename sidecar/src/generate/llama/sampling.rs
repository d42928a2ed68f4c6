//! How the next token is chosen: the grammar first, so that only what it allows is weighed at all, then the likeliest, or one
//! by chance. Not for when to stop.

use llama_cpp_2::{json_schema_to_grammar, model::LlamaModel, sampling::LlamaSampler};
use millwright_core::host::generator::{GenerateError, Generation};

/// Only so many of the likeliest are drawn from.
const TOP_K: i32 = 40;
/// And of these those that make up so much of the whole.
const TOP_P: f32 = 0.95;
/// And are at least so likely, compared with the likeliest.
const MIN_P: f32 = 0.05;

/// The chain for a text.
pub(super) fn sampler(model: &LlamaModel, generation: &Generation) -> Result<LlamaSampler, GenerateError> {
    let mut chain = Vec::new();
    if let Some(schema) = &generation.schema {
        let invalid =
            |why: String| GenerateError::Invalid { why: format!("the JSON schema cannot be followed: {why}") };
        let grammar = json_schema_to_grammar(schema).map_err(|error| invalid(error.to_string()))?;
        let grammar = LlamaSampler::grammar(model, &compact(&grammar), "root");
        chain.push(grammar.map_err(|error| invalid(error.to_string()))?);
    }
    if generation.temperature > 0.0 {
        chain.extend([
            LlamaSampler::top_k(TOP_K),
            LlamaSampler::top_p(TOP_P, 1),
            LlamaSampler::min_p(MIN_P, 1),
            LlamaSampler::temp(generation.temperature),
            LlamaSampler::dist(generation.seed),
        ]);
    } else {
        chain.push(LlamaSampler::greedy());
    }
    Ok(LlamaSampler::chain_simple(chain))
}

/// Small models spend their tokens on the white space that JSON leaves free: one space is enough.
fn compact(grammar: &str) -> String {
    let lines = grammar.lines().map(|line| if line.starts_with("space ::=") { "space ::= \" \"?" } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_space_is_one_space() {
        let grammar = json_schema_to_grammar(r#"{"type":"object","properties":{"a":{"type":"integer"}}}"#).unwrap();
        assert!(grammar.lines().any(|line| line.starts_with("space ::=") && line.contains("\\n")), "{grammar}");
        let compact = compact(&grammar);
        let space = compact.lines().find(|line| line.starts_with("space ::="));
        assert_eq!(space, Some("space ::= \" \"?"));
        assert_eq!(compact.lines().count(), grammar.lines().count());
    }
}
