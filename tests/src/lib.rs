//! Data-driven suite, browser tests, tidy.
