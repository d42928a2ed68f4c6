//! The page (Leptos) and the engine worker, with the browser's forms of the core's ports.
