//! The pictograms: drawn for this page on a 24-unit grid, one line width, the colour of the text around them.

use leptos::prelude::*;

/// A pictogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Glyph {
    Alert,
    Back,
    Bin,
    Check,
    Close,
    Code,
    Comment,
    Dark,
    Download,
    File,
    Folder,
    Hidden,
    Info,
    Light,
    Lock,
    Offline,
    Refresh,
    Search,
    Stop,
    Table,
    Undo,
    Upload,
}

impl Glyph {
    fn path(self) -> &'static str {
        match self {
            Self::Alert => "M12 3.5 21.5 20h-19zM12 10v4.5M12 17.2v.3",
            Self::Back => "M10.5 5.5 4 12l6.5 6.5M4.5 12H20",
            Self::Bin => "M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 13h9l1-13M10.3 10.5v6M13.7 10.5v6",
            Self::Check => "M5 12.5 10 17.5 19.5 7",
            Self::Close => "M6 6l12 12M18 6 6 18",
            Self::Code => "M8.5 7 3.5 12l5 5M15.5 7l5 5-5 5",
            Self::Comment => "M4 5h16v11H11l-4 4v-4H4z",
            Self::Dark => "M20 14.200A8.3 8.3 0 0 1 9.8 4a8.3 8.3 0 1 0 10.2 10.200z",
            Self::Download => "M12 4v11M7 10.500l5 5 5-5M4.5 20h15",
            Self::File => "M6 3.500h8l4.5 4.500v12.500H6zM13.5 3.500V8.500h5",
            Self::Folder => "M3.5 6.500h6l2 2.500h9v10h-17z",
            Self::Hidden => {
                "M4 4l16 16M9.9 5.800A9.5 9.5 0 0 1 21 12a12 12 0 0 1-2.6 3.200M6.3 7.800A12 12 0 0 0 3 12a9.5 9.5 0 0 0 11.5 5.500M10 10.200a2.7 2.7 0 0 0 3.8 3.800"
            }
            Self::Info => "M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 11v5.500M12 7.700v.3",
            Self::Light => {
                "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.500v2M12 19.500v2M2.5 12h2M19.5 12h2M5.3 5.300l1.4 1.400M17.3 17.300l1.4 1.400M18.7 5.300l-1.4 1.400M6.7 17.300l-1.4 1.4"
            }
            Self::Lock => "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 14.5v2",
            Self::Offline => {
                "M4 4l16 16M9.8 6.200A12 12 0 0 1 21 9.500M3 9.500a12 12 0 0 1 4-2.400M6.3 13a8 8 0 0 1 4-1.900M14.5 11.500a8 8 0 0 1 3.2 1.500M9.5 16.500a4 4 0 0 1 5 0M12 19.700v.3"
            }
            Self::Refresh => "M19.5 12a7.5 7.5 0 1 1-2.2-5.300L19.5 9M19.5 4.500V9H15",
            Self::Search => "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.3 15.3 20.5 20.5",
            Self::Stop => "M8.3 3.500h7.400l4.8 4.800v7.400l-4.8 4.800H8.300l-4.8-4.800V8.300zM12 7.500v5.500M12 16v.3",
            Self::Table => "M3.5 5h17v14h-17zM3.5 9.700h17M3.5 14.300h17M9.5 9.700V19",
            Self::Undo => "M8 4.5 4 8.500l4 4M4.5 8.500H14a5.5 5.5 0 0 1 0 11H8",
            Self::Upload => "M12 16V5M7 9.500l5-5 5 5M4.5 20h15",
        }
    }
}

/// A pictogram, invisible to screen readers: words stand beside it or in the label of its button.
#[component]
pub(crate) fn Icon(glyph: Glyph) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path d=glyph.path() />
        </svg>
    }
}
