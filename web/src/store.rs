//! The library's storage in the browser.
