macro_rules! bump {
    ($n:expr) => {
        $n + 1
    };
}

macro_rules! map {
    ($($key:expr => $value:expr),* $(,)?) => {{
        let mut map = ::std::collections::HashMap::new();
        $(map.insert($key, $value);)*
        map
    }};
}

#[macro_export]
macro_rules! shout {
    ($text:literal) => {
        $crate::define::loud($text)
    };
}

pub fn loud(_text: &str) {}

/// A function may have the name of a macro.
pub fn bump(n: u32) -> u32 {
    bump!(n) // calls :bump@1
}
