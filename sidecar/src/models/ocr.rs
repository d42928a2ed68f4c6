//! The reader of scans, made of the model `ocr` where that is there. It is loaded when the first picture is met: most
//! files have none.

use millwright_core::parse::scan::ReadScan;
use std::{path::Path, sync::Arc};

/// What a build without the cargo feature `scan`, or a user without the model, is told.
pub const HOW_TO_GET: &str = "`millwright models fetch ocr` gets the reading model for scans.";

/// The reader of the model in `dir`; `None` where the model is not there or this build cannot run it.
#[must_use]
pub fn reader(dir: Option<&Path>) -> Option<Arc<dyn ReadScan>> {
    imp::reader(dir)
}

#[cfg(not(feature = "scan"))]
mod imp {
    use super::{Arc, Path, ReadScan};

    pub(super) fn reader(_dir: Option<&Path>) -> Option<Arc<dyn ReadScan>> {
        None
    }
}

#[cfg(feature = "scan")]
mod imp {
    use super::{Arc, Path, ReadScan};
    use crate::models::{Presence, models_dir, presence, shipped};
    use millwright_core::parse::{
        ParseError,
        scan::{Picture, Reader, ScanError, Seen},
    };
    use std::{fs, path::PathBuf, sync::OnceLock};

    pub(super) fn reader(dir: Option<&Path>) -> Option<Arc<dyn ReadScan>> {
        let dir = models_dir(dir)?;
        let model = shipped().model("ocr")?;
        (presence(model, &dir) == Presence::Whole)
            .then(|| Arc::new(Ocr { folder: dir.join(&model.id), loaded: OnceLock::new() }) as Arc<dyn ReadScan>)
    }

    /// The model, loaded at its first use.
    #[derive(Debug)]
    struct Ocr {
        folder: PathBuf,
        loaded: OnceLock<Result<Reader, String>>,
    }

    impl Ocr {
        fn load(&self) -> Result<Reader, String> {
            let file = |part: &str| -> Result<Vec<u8>, String> {
                let model = shipped().model("ocr").ok_or("no model `ocr` ships with this build")?;
                let file = model.part(part).ok_or(format!("the model has no {part}"))?;
                let path = self.folder.join(&file.name);
                fs::read(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))
            };
            let characters = String::from_utf8(file("characters")?).map_err(|error| error.to_string())?;
            Reader::new(file("detector")?, file("recogniser")?, &characters).map_err(|error| error.to_string())
        }
    }

    impl ReadScan for Ocr {
        fn read(&self, picture: &Picture, tick: &mut dyn FnMut() -> Result<(), ParseError>) -> Result<Seen, ScanError> {
            tick()?;
            let loaded = self.loaded.get_or_init(|| self.load());
            // Loading takes as long as a step of reading does.
            tick()?;
            match loaded {
                Ok(reader) => reader.read(picture, tick),
                Err(why) => Err(ScanError::NoModel(why.clone())),
            }
        }
    }
}
