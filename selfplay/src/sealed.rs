//! JSON objects whose last member is a digest of all that stands before it, so that any change of the text is noticed.

/// What stands before the digest and after it in indented text, whose hashed part ends with a line.
const INDENTED: [&str; 2] = ["  \"blake3\": \"", "\"\n}\n"];
/// The same in text on one line.
const COMPACT: [&str; 2] = ["\"blake3\":\"", "\"}\n"];

/// Adds the digest to the text of a JSON object with members, indented or on one line. The result ends with a line break.
///
/// # Panics
/// When the text does not end with a closing brace.
///
/// ```
/// use jigo_selfplay::sealed::{is_sealed, seal};
/// let text = seal(r#"{"games":12}"#);
/// assert!(text.starts_with(r#"{"games":12,"blake3":""#) && is_sealed(text.as_bytes()));
/// assert!(!is_sealed(text.replace("12", "13").as_bytes()));
/// ```
#[must_use]
pub fn seal(object: &str) -> String {
    let open = object.trim_end().strip_suffix('}').expect("a JSON object");
    let (text, [before, after]) = match open.strip_suffix('\n') {
        Some(open) => (format!("{open},\n"), INDENTED),
        None => (format!("{open},"), COMPACT),
    };
    let digest = blake3::hash(text.as_bytes());
    format!("{text}{before}{digest}{after}")
}

/// Returns whether [`seal`] can have written the text.
#[must_use]
pub fn is_sealed(text: &[u8]) -> bool {
    [INDENTED, COMPACT].into_iter().any(|[before, after]| {
        let length = before.len() + 2 * blake3::OUT_LEN + after.len();
        let parts = text.len().checked_sub(length).map(|start| text.split_at(start));
        parts.is_some_and(|(text, last)| last == format!("{before}{}{after}", blake3::hash(text)).as_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_is_noticed() {
        for object in ["{\"a\":[1,2]}\n", "{\n  \"a\": 1,\n  \"b\": {}\n}\n"] {
            let sealed = seal(object);
            serde_json::from_str::<serde_json::Value>(&sealed).expect("JSON");
            assert!(is_sealed(sealed.as_bytes()));
            for place in 0..sealed.len() {
                for bit in 0..8 {
                    let mut bytes = sealed.clone().into_bytes();
                    bytes[place] ^= 1 << bit;
                    assert!(!is_sealed(&bytes), "{object} {place} {bit}");
                }
                assert!(!is_sealed(&sealed.as_bytes()[..place]));
            }
        }
        assert!(!is_sealed(b"{}") && !is_sealed(b""));
    }
}
