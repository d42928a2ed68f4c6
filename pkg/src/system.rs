//! What this machine has beside Rust: system packages, ports, disk space, a display to open a browser on.

use crate::{
    error::PkgError,
    process::{Program, find},
};
use std::{
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::Path,
    time::Duration,
};

/// How system packages can be had here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Apt {
    /// By this user.
    Root,
    /// By this user through sudo, without a password.
    Sudo,
    /// apt is there, but somebody has to type a password.
    Ask,
    /// No apt: another system.
    None,
}

impl Apt {
    /// Looks what this machine allows.
    pub(crate) fn find() -> Self {
        let here = Path::new(".");
        let succeeds =
            |program: &str, argument: &str| Program::new(program, here).args(["-n", argument]).capture().is_ok();
        if find("apt-get", &[]).is_none() {
            Self::None
        } else if is_root() {
            Self::Root
        } else if find("sudo", &[]).is_some() && succeeds("sudo", "true") {
            Self::Sudo
        } else {
            Self::Ask
        }
    }

    /// Installs packages, or says what to type.
    ///
    /// # Errors
    /// [`PkgError::Missing`] with the line to type where this user may not install; otherwise apt's failure.
    pub(crate) fn install(self, packages: &[&str]) -> Result<(), PkgError> {
        let apt = |arguments: &[&str]| {
            let program = match self {
                Self::Sudo => {
                    Program::new("sudo", Path::new("/")).args(["-n", "DEBIAN_FRONTEND=noninteractive", "apt-get"])
                }
                _ => Program::new("apt-get", Path::new("/")).env("DEBIAN_FRONTEND", "noninteractive"),
            };
            program.args(["-q", "-y"]).args(arguments)
        };
        match self {
            Self::Root | Self::Sudo => {
                // Lists on a fresh machine are empty or old. A stale list is no reason to give up before trying.
                if let Err(error) = apt(&["update"]).capture() {
                    crate::console::warn(&format!("      {error}"));
                }
                apt(&["install", "--no-install-recommends"]).args(packages).capture().map(drop)
            }
            Self::Ask | Self::None => Err(PkgError::Missing {
                what: format!("{} must be installed by somebody who may", packages.join(" and ")),
                remedy: self.line(packages),
            }),
        }
    }

    /// What a person would type.
    pub(crate) fn line(self, packages: &[&str]) -> String {
        match self {
            Self::Root => format!("apt-get update && apt-get install -y {}", packages.join(" ")),
            Self::Sudo | Self::Ask => format!("sudo apt-get update && sudo apt-get install -y {}", packages.join(" ")),
            Self::None => format!("install {} the way this system installs programs", packages.join(" and ")),
        }
    }
}

/// Whether this is the superuser, for whom Chromium needs `--no-sandbox`.
pub(crate) fn is_root() -> bool {
    cfg!(unix) && Program::new("id", Path::new(".")).arg("-u").capture().is_ok_and(|id| id.trim() == "0")
}

/// Who has a port of this machine.
#[derive(Debug, PartialEq)]
pub(crate) enum Port {
    /// Nobody.
    Free,
    /// A Millwright, already serving.
    Millwright,
    /// Some other program.
    Taken,
}

/// Asks who has the port.
pub(crate) fn port(port: u16) -> Port {
    match health(port) {
        Some(true) => Port::Millwright,
        Some(false) => Port::Taken,
        None if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() => Port::Free,
        None => Port::Taken,
    }
}

/// Asks for the sidecar's health: `None` if nobody answers the connection, otherwise whether it is a healthy Millwright.
pub(crate) fn health(port: u16) -> Option<bool> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_millis(300)).ok()?;
    // Somebody listens from here on. A service that is silent, or no web server, is somebody else.
    let mut answer = Vec::new();
    let wait = Some(Duration::from_secs(2));
    let request = format!("GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    let spoke = stream.set_read_timeout(wait).and_then(|()| stream.set_write_timeout(wait)).and_then(|()| {
        stream.write_all(request.as_bytes())?;
        stream.take(64 * 1024).read_to_end(&mut answer)
    });
    Some(spoke.is_ok() && is_millwrights(&String::from_utf8_lossy(&answer)))
}

/// Whether an HTTP answer to `/api/health` comes from a Millwright in health.
fn is_millwrights(answer: &str) -> bool {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    let health: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
    head.split_whitespace().nth(1) == Some("200") && health["name"] == "millwright" && health["status"] == "ok"
}

/// Free bytes where `folder` lies; `None` where the system does not tell.
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    let text = Program::new("df", folder).args(["-Pk", "."]).capture().ok()?;
    kilobytes_free(&text).map(|kilobytes| kilobytes * 1024)
}

/// The fourth column of POSIX `df -Pk`. A device's name may hold spaces, so it is counted from the percentage.
fn kilobytes_free(text: &str) -> Option<u64> {
    let words: Vec<&str> = text.lines().nth(1)?.split_whitespace().collect();
    let capacity = words.iter().position(|word| word.ends_with('%') && word.len() > 1)?;
    words.get(capacity.checked_sub(1)?)?.parse().ok()
}

/// Opens an address in the user's browser if there is a display. Returns whether it was tried; never fails.
pub(crate) fn open_browser(address: &str) -> bool {
    let here = Path::new(".");
    let opener = if cfg!(target_os = "macos") {
        Program::new("open", here)
    } else if cfg!(windows) {
        // The empty argument is the window's title, which `start` would otherwise take the address for.
        Program::new("cmd", here).args(["/C", "start", ""])
    } else {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        if !(is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")) || find("xdg-open", &[]).is_none() {
            return false;
        }
        Program::new("xdg-open", here)
    };
    opener.arg(address).detach();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_healthy_millwright_counts_as_one() {
        let health = r#"{"name":"millwright","status":"ok","version":"0.1.0","protocol":1,"bundle":null}"#;
        assert!(is_millwrights(&format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{health}")));
        assert!(!is_millwrights(&format!("HTTP/1.1 503 Service Unavailable\r\n\r\n{health}")));
        assert!(!is_millwrights("HTTP/1.1 200 OK\r\n\r\n{\"status\":\"ok\"}"));
        assert!(!is_millwrights("SSH-2.0-server\r\n"));
        assert!(!is_millwrights(""));
    }

    #[test]
    fn a_port_is_free_until_somebody_listens() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let number = listener.local_addr().unwrap().port();
        let stranger = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 1024];
            let _ = stream.read(&mut request).unwrap();
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\nhello").unwrap();
        });
        assert_eq!(port(number), Port::Taken);
        stranger.join().unwrap();
        assert_eq!(port(number), Port::Free);
    }

    #[test]
    fn free_space_is_read_past_odd_device_names() {
        let df = "Filesystem 1024-blocks Used Available Capacity Mounted on\nmap auto home 100 40 60 40% /home\n";
        assert_eq!(kilobytes_free(df), Some(60));
        assert_eq!(kilobytes_free("nonsense"), None);
    }
}
