//! BM25 over tantivy: analysers, segments, query building, scoring.
