pub fn trim(text: &str) -> &str {
    text.trim()
}

pub fn shared() {}

pub mod text {
    pub fn trim(text: &str) -> &str {
        super::trim(text) // calls :trim
    }
}
