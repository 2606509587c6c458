//! Stack traces of Elixir.

use crate::trace::*;

/// `(shop 0.1.0) lib/shop/cart.ex:12: Shop.Cart.add/2`.
pub(super) const FORMAT: TraceFormat = TraceFormat {
    name: "Elixir",
    frame,
    ..TraceFormat::NEUTRAL
};

fn frame(line: TraceLine<'_>) -> Option<Frame> {
    let text = match line.text.strip_prefix('(') {
        Some(application) => application.split_once(") ")?.1,
        None => line.text,
    };
    let (at, name) = text.split_once(": ")?;
    let (path, line) = at.rsplit_once(':')?;
    if path.contains(' ') || !(path.ends_with(".ex") || path.ends_with(".exs")) {
        return None;
    }
    let line = line.parse().ok()?;
    // `anonymous fn/1 in Shop.Cart.add/2`, `(module)`
    let name = name.rsplit(" in ").next().unwrap_or(name);
    let name = name.split(['/', '(']).next();
    FrameLocation::from_path_and_line(path, Some(line)).into_frame(name)
}
