//! The page: views and signals over [`crate::client`]. Not for parsing or retrieval, and never busy for more than 50 ms.

/// Mounts the page.
pub fn start() {}
