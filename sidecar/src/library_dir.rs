//! Where the library is kept when nobody says otherwise. Not for making the folder: that is [`crate::store`].

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// The user's data folder for Millwright: `$XDG_DATA_HOME/millwright` or `~/.local/share/millwright`,
/// `~/Library/Application Support/Millwright` on macOS, `%LOCALAPPDATA%\Millwright` on Windows; `None` where the
/// system names no home.
#[must_use]
pub fn default_library_dir() -> Option<PathBuf> {
    let home = || env::home_dir().filter(|home| home.is_absolute());
    if cfg!(target_os = "windows") {
        absolute(env::var_os("LOCALAPPDATA")).map(|data| data.join("Millwright"))
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support/Millwright"))
    } else {
        xdg_library_dir(env::var_os("XDG_DATA_HOME"), home().as_deref())
    }
}

/// The XDG base directory specification: a relative path is to be ignored.
fn xdg_library_dir(data_home: Option<OsString>, home: Option<&Path>) -> Option<PathBuf> {
    absolute(data_home).or_else(|| home.map(|home| home.join(".local/share"))).map(|data| data.join("millwright"))
}

fn absolute(value: Option<OsString>) -> Option<PathBuf> {
    value.map(PathBuf::from).filter(|path| path.is_absolute())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn xdg_is_followed() {
        let home = Path::new("/home/ana");
        assert_eq!(xdg_library_dir(Some("/data".into()), Some(home)), Some("/data/millwright".into()));
        assert_eq!(xdg_library_dir(None, Some(home)), Some("/home/ana/.local/share/millwright".into()));
        assert_eq!(
            xdg_library_dir(Some("relative".into()), Some(home)),
            Some("/home/ana/.local/share/millwright".into())
        );
        assert_eq!(xdg_library_dir(None, None), None);
    }
}
