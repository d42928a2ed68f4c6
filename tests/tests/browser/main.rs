//! What a person does with the page, in a real Chromium. Set `MILLWRIGHT_BUNDLE` to the built page (`cargo pkg test`
//! does); pictures are left in `tests/out/browser`.

mod accessibility;
mod agreement;
mod answers;
mod bad_files;
mod explanation;
mod files;
mod harness;
mod keyboard;
mod library;
mod manuals;
mod meaning;
mod passwords;
mod path;
mod reading;
mod rows;
mod scans;
mod storage;
mod tabs;
mod versions;
