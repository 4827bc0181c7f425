//! Comparison of files by what is promised of them: names of fields and columns, not their order or number.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::Value;

use crate::CHANGED;

#[track_caller]
pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[track_caller]
pub(crate) fn json(path: &Path) -> Value {
    serde_json::from_str(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Panics unless every field of the golden file, with the kind of its value, is in the file that is written now.
#[track_caller]
pub(crate) fn same_fields(expected: &Path, written: &Path) {
    let (old, new) = (fields(&json(expected)), fields(&json(written)));
    assert!(old.len() > 4, "{} has hardly a field", expected.display());
    // What is not known on every machine may be null.
    let is_null =
        |field: &str| field.rsplit_once(' ').is_some_and(|(path, _)| new.contains(&format!("{path} null")));
    let missing: Vec<_> = old.difference(&new).filter(|field| !is_null(field)).collect();
    assert!(missing.is_empty(), "{}: {missing:?} is gone: {CHANGED}", expected.display());
}

/// Paths of all values with their kinds; elements of an array have one path.
fn fields(value: &Value) -> BTreeSet<String> {
    fn add(value: &Value, path: &str, found: &mut BTreeSet<String>) {
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "bool",
            Value::Number(_) => "number",
            Value::String(_) => "text",
            Value::Array(elements) => {
                elements.iter().for_each(|element| add(element, &format!("{path}[]"), found));
                "array"
            }
            Value::Object(fields) => {
                fields.iter().for_each(|(name, field)| add(field, &format!("{path}.{name}"), found));
                "object"
            }
        };
        found.insert(format!("{path} {kind}"));
    }
    let mut found = BTreeSet::new();
    add(value, "", &mut found);
    found
}

/// Panics unless every column of the golden CSV file is in the one that is written now.
#[track_caller]
pub(crate) fn same_columns(expected: &Path, written: &Path) {
    let columns = |path: &Path| -> BTreeSet<String> {
        let text = read(path);
        let header = text.lines().next().unwrap_or_else(|| panic!("{} is empty", path.display()));
        header.split(',').map(str::to_owned).collect()
    };
    let (old, new) = (columns(expected), columns(written));
    let missing: Vec<_> = old.difference(&new).collect();
    assert!(missing.is_empty(), "{}: {missing:?} is gone: {CHANGED}", expected.display());
}

/// The names of the files in a folder that end so, in order.
pub(crate) fn files(folder: &Path, end: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(end)).collect();
    names.sort();
    assert!(!names.is_empty(), "{} has no {end}", folder.display());
    names
}
