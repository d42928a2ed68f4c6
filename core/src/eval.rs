//! Measures of retrieval effectiveness over runs and relevance judgements.
