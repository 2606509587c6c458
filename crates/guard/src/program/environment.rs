//! The variables of the user's environment that other programs may need, by purpose.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

/// Variables that any program may get: language, time zone, folders of the system. Without the last two, programs on Windows
/// may put temporary files into the system's own folder.
const PLAIN: &[&str] = &[
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "SYSTEMROOT",
    "COMSPEC",
    "PATHEXT",
    "TEMP",
    "TMP",
];

/// Variables of the network: the user's proxy and its certificate authorities.
const NETWORK: &[&str] = &[
    "HTTP_PROXY",
    "http_proxy",
    "HTTPS_PROXY",
    "https_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
];

/// Variables with the folders of tools and of their downloads.
const PLACES: &[&str] = &[
    "HOME",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "GOPATH",
    "GOMODCACHE",
    "GOROOT",
    "JAVA_HOME",
    "GRADLE_USER_HOME",
    "COURSIER_CACHE",
    "NVM_DIR",
    "VOLTA_HOME",
    "PYENV_ROOT",
    "VIRTUAL_ENV",
    "PYTHONPATH",
    "OSV_SCANNER_LOCAL_DB_CACHE_DIRECTORY",
];

/// Variables of the user's desktop: the screen, the session and installed programs.
const DESKTOP: &[&str] = &[
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
    "XDG_SESSION_TYPE",
    "XDG_CURRENT_DESKTOP",
    "XDG_DATA_DIRS",
    "XDG_CONFIG_DIRS",
    "DESKTOP_SESSION",
    "DBUS_SESSION_BUS_ADDRESS",
    "KDE_FULL_SESSION",
    "KDE_SESSION_VERSION",
    "BROWSER",
    "WSL_DISTRO_NAME",
    "WSL_INTEROP",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMFILES",
];

/// The part of the user's environment that other programs may get. It has no key, token or password.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    variables: BTreeMap<&'static str, OsString>,
}

impl Environment {
    /// Collects it by asking `read` for each variable.
    pub fn from_variables(read: impl Fn(&str) -> Option<OsString>) -> Environment {
        let names = ["PATH"]
            .iter()
            .chain(PLAIN)
            .chain(NETWORK)
            .chain(PLACES)
            .chain(DESKTOP);
        let found = names.filter_map(|name| Some((*name, read(name)?)));
        Environment {
            variables: found.filter(|(_, value)| !value.is_empty()).collect(),
        }
    }

    /// An environment with this search path and nothing else.
    pub fn with_path(path: impl Into<OsString>) -> Environment {
        Environment {
            variables: BTreeMap::from([("PATH", path.into())]),
        }
    }

    /// A variable's value; `None` if it is not set or not kept.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(name).map(OsString::as_os_str)
    }

    /// Variables that every program gets in addition to the search path.
    pub fn basic_variables(&self) -> impl Iterator<Item = (&'static str, &OsStr)> {
        self.select(PLAIN)
    }

    /// Variables for a program that may use the network.
    pub fn network_variables(&self) -> impl Iterator<Item = (&'static str, &OsStr)> {
        self.select(NETWORK)
    }

    /// Variables with the folders of tools, for a program that the user trusts with their home folder.
    pub fn tool_home_variables(&self) -> impl Iterator<Item = (&'static str, &OsStr)> {
        self.select(PLACES)
    }

    /// Variables for a program that shows something on the user's screen.
    pub fn desktop_variables(&self) -> impl Iterator<Item = (&'static str, &OsStr)> {
        self.select(DESKTOP)
    }

    fn select(
        &self,
        names: &'static [&'static str],
    ) -> impl Iterator<Item = (&'static str, &OsStr)> {
        names
            .iter()
            .filter_map(|name| Some((*name, self.get(name)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_not_taken_over() {
        let taken = Environment::from_variables(|_| Some("x".into()));
        for secret in ["AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY", "GITHUB_TOKEN"] {
            assert_eq!(taken.get(secret), None);
        }
        for name in taken.variables.keys() {
            let name = name.to_uppercase();
            let secret = ["KEY", "TOKEN", "SECRET", "PASS"]
                .iter()
                .any(|word| name.contains(word));
            assert!(!secret, "{name}");
        }
        assert!(taken.basic_variables().all(|(name, _)| name != "HOME"));
    }
}
