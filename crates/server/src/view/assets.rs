//! The files of the page, which are part of the program.

/// A file.
pub(super) struct Asset {
    pub(super) name: &'static str,
    pub(super) content_type: &'static str,
    pub(super) bytes: &'static [u8],
}

macro_rules! assets {
    ($($name:literal, $kind:expr;)*) => {
        /// All files. Modules come after those that they import, so that [`super::export`] can join them.
        pub(super) const ASSETS: &[Asset] = &[
            $(Asset {
                name: $name,
                content_type: $kind,
                bytes: include_bytes!(concat!("assets/", $name)),
            },)*
        ];
    };
}

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
pub(super) const SCRIPT: &str = "text/javascript; charset=utf-8";

assets! {
    "index.html", HTML;
    "icon.svg", "image/svg+xml";
    "style.css", STYLE;
    "dom.js", SCRIPT;
    "api.js", SCRIPT;
    "parts.js", SCRIPT;
    "source.js", SCRIPT;
    "picture.js", SCRIPT;
    "overview.js", SCRIPT;
    "symbol.js", SCRIPT;
    "walk.js", SCRIPT;
    "treemap.js", SCRIPT;
    "lists.js", SCRIPT;
    "search.js", SCRIPT;
    "main.js", SCRIPT;
}

/// The file with that name.
pub(super) fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}
