//! Labelled positions beside the repository.

use std::fs;

use serde_json::Value;

/// The records of a labelled file; `None`, with a message, where it is absent.
pub(crate) fn labelled(name: &str) -> Option<Vec<Value>> {
    let path = format!("{}/../../shared/labelled/{name}", env!("CARGO_MANIFEST_DIR"));
    let Ok(text) = fs::read_to_string(&path) else {
        println!("skipped: {path} is absent");
        return None;
    };
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// The rows of a position, as signs.
pub(crate) fn rows(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect()
}
