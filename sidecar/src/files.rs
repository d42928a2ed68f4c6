//! From paths on the command line to files with the names that the browser would give them. Not for reading them.

use millwright_core::protocol::{Failure, FailureKind};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
};

/// A file to be added, or why it cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name it gets in the library: its file name, or from the named folder on, with `/`.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// What is known to be wrong with it before it is read.
    pub problem: Option<Failure>,
}

/// Every file under the paths, in the order of the arguments, below folders ascending by name.
///
/// As when a folder is dropped on the page, `manuals` gives `manuals/a/b.md`. Hidden files and folders (their name
/// begins with a dot) are left out unless named themselves. Links are followed, each folder is entered once, so that
/// loops end. A path that cannot be read, and a second file of the same name, come with their problem.
#[must_use]
pub fn collect(paths: &[PathBuf]) -> Vec<Source> {
    let mut walk = Walk::default();
    for path in paths {
        let name = base_name(path);
        walk.visit(path, &name);
    }
    let mut first_of_name: BTreeMap<String, PathBuf> = BTreeMap::new();
    for source in &mut walk.sources {
        if let Some(first) = first_of_name.get(&source.name)
            && source.problem.is_none()
        {
            source.problem = Some(Failure {
                error: format!(
                    "Its name is the same as that of {}, and one would replace the other. Add the folder above them, \
                     so that their names differ.",
                    first.display()
                ),
                error_type: FailureKind::BadRequest,
            });
        }
        first_of_name.entry(source.name.clone()).or_insert_with(|| source.path.clone());
    }
    walk.sources
}

#[derive(Default)]
struct Walk {
    sources: Vec<Source>,
    /// Canonical paths of the folders entered and the files taken: the same file named twice is added once.
    seen: BTreeSet<PathBuf>,
}

impl Walk {
    fn visit(&mut self, path: &Path, name: &str) {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.enter(path, name),
            Ok(metadata) if metadata.is_file() => {
                if self.is_new(path) {
                    self.add(path, name, None);
                }
            }
            // Reading a pipe or a device may wait for ever.
            Ok(_) => self.add(
                path,
                name,
                Some("It is not a regular file. Copy its content into a file and add that.".to_owned()),
            ),
            Err(error) => self.add(path, name, Some(unreadable(&error))),
        }
    }

    fn enter(&mut self, dir: &Path, name: &str) {
        if !self.is_new(dir) {
            return;
        }
        let mut entries = match fs::read_dir(dir).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
            Ok(entries) => entries,
            Err(error) => return self.add(dir, name, Some(unreadable(&error))),
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let file_name = entry.file_name();
            let file_name = file_name.to_string_lossy();
            if !file_name.starts_with('.') {
                self.visit(&entry.path(), &format!("{name}/{file_name}"));
            }
        }
    }

    /// Whether a path is met for the first time; one that cannot be resolved counts as new.
    fn is_new(&mut self, path: &Path) -> bool {
        path.canonicalize().map_or(true, |canonical| self.seen.insert(canonical))
    }

    fn add(&mut self, path: &Path, name: &str, problem: Option<String>) {
        let problem = problem.map(|error| Failure { error, error_type: FailureKind::UnreadableFile });
        self.sources.push(Source { name: name.to_owned(), path: path.to_owned(), problem });
    }
}

/// What to tell about a file that the system does not give out.
#[must_use]
pub fn unreadable(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "The file is not there (any more). Check the path and add it again.".to_owned(),
        io::ErrorKind::PermissionDenied => {
            "You may not read it. Ask its owner for the permission, or copy it, and add it again.".to_owned()
        }
        _ => format!("It cannot be read: {error}. Check the disk or copy the file, and add it again."),
    }
}

/// The last part of a path; of `.` and `..` what they stand for.
#[must_use]
pub fn base_name(path: &Path) -> String {
    let named = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let resolved = || path.canonicalize().ok()?.file_name().map(|name| name.to_string_lossy().into_owned());
    named.or_else(resolved).unwrap_or_else(|| "files".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(sources: &[Source]) -> Vec<&str> {
        sources.iter().map(|source| source.name.as_str()).collect()
    }

    fn write(root: &Path, name: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, name).unwrap();
    }

    #[test]
    fn folders_give_the_names_that_a_browser_gives() {
        let root = tempfile::tempdir().unwrap();
        for name in ["manuals/b.md", "manuals/a/z.md", "manuals/a/y.md", "manuals/.git/x", "manuals/.DS_Store"] {
            write(root.path(), name);
        }
        let sources = collect(&[root.path().join("manuals"), root.path().join("manuals/b.md")]);
        assert_eq!(names(&sources), ["manuals/a/y.md", "manuals/a/z.md", "manuals/b.md"]);
        let dotted = collect(&[root.path().join("manuals/a/..")]);
        assert_eq!(names(&dotted)[0], "manuals/a/y.md");
    }

    #[test]
    fn same_names_from_different_folders_do_not_replace_each_other() {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), "a/readme.md");
        write(root.path(), "b/readme.md");
        let sources = collect(&[root.path().join("a/readme.md"), root.path().join("b/readme.md")]);
        assert_eq!(sources[0].problem, None);
        assert_eq!(sources[1].problem.as_ref().unwrap().error_type, FailureKind::BadRequest);
    }

    #[test]
    fn what_is_not_there_is_said() {
        let sources = collect(&[PathBuf::from("no/such/file.md")]);
        assert_eq!(sources[0].name, "file.md");
        assert_eq!(sources[0].problem.as_ref().unwrap().error_type, FailureKind::UnreadableFile);
    }

    #[cfg(unix)]
    #[test]
    fn loops_of_links_end() {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), "m/a/one.md");
        write(root.path(), "m/b/two.md");
        std::os::unix::fs::symlink(root.path().join("m"), root.path().join("m/a/up")).unwrap();
        std::os::unix::fs::symlink("nowhere", root.path().join("m/dangling.md")).unwrap();
        let sources = collect(&[root.path().join("m")]);
        assert_eq!(names(&sources), ["m/a/one.md", "m/b/two.md", "m/dangling.md"]);
        assert!(sources[2].problem.is_some());
    }
}
