//! The native side: command line, server, file-system store.
