//! The sample documents, which come with the app so that trying it needs neither files nor a network.

/// A sample document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Its name in the library.
    pub(crate) name: &'static str,
    /// What it says.
    pub(crate) text: &'static str,
    /// Its media type.
    pub(crate) media_type: &'static str,
}

/// The sample documents: they tell of the same pump, so that a question may lead through several of them.
pub(crate) const SAMPLES: [Sample; 4] = [
    Sample {
        name: "samples/TF-200 pump manual.md",
        text: include_str!("../../../sample/pump-manual.md"),
        media_type: "text/markdown",
    },
    Sample {
        name: "samples/spare parts.csv",
        text: include_str!("../../../sample/spare-parts.csv"),
        media_type: "text/csv",
    },
    Sample {
        name: "samples/invoice TF-2026-27-001.html",
        text: include_str!("../../../sample/invoice.html"),
        media_type: "text/html",
    },
    Sample {
        name: "samples/maintenance log.txt",
        text: include_str!("../../../sample/maintenance-log.txt"),
        media_type: "text/plain",
    },
];

/// Whether a document of the library is one of the samples.
pub(crate) fn is_sample(name: &str) -> bool {
    SAMPLES.iter().any(|sample| sample.name == name)
}
