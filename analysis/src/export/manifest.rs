//! What an export says of itself.

use jigo_selfplay::dataset::{Import, Run};
use serde::Serialize;
use serde_json::Value;

use super::{ExportSpec, folder::ExportedFile};

/// The name of the format.
const FORMAT: &str = "jigo-export";
/// Its version.
const FORMAT_VERSION: u32 = 1;

/// Games that were looked at and games that were exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExportCounts {
    /// Games read from the dataset.
    pub games_read: u64,
    /// Games among them that were exported.
    pub games_kept: u64,
}

/// `export.json`: how to export the same again, and, once it is complete, what the files are.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Manifest {
    #[serde(flatten)]
    request: Request,
    complete: bool,
    counts: ExportCounts,
    files: Vec<ExportedFile>,
}

/// What determines the bytes of the export, in words. Stands in the files as well, where their format allows.
#[derive(Clone, Debug, Serialize)]
struct Request {
    format: &'static str,
    format_version: u32,
    jigo_version: String,
    git_commit: String,
    command: String,
    filters: serde_json::Map<String, Value>,
    run_fingerprint: String,
    run: Origin,
}

/// Where the games come from, as the dataset says.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Origin {
    /// They were played.
    Run(Box<Run>),
    /// They were imported.
    Import(Box<Import>),
}

impl Manifest {
    /// The manifest of an export that has not begun.
    pub(super) fn new(run: Origin, run_fingerprint: &str, spec: &ExportSpec) -> Self {
        let filters = spec.filter.options().into_iter();
        let request = Request {
            format: FORMAT,
            format_version: FORMAT_VERSION,
            jigo_version: spec.provenance.version.clone(),
            git_commit: spec.provenance.commit.clone(),
            command: spec.command(),
            filters: filters.map(|(name, value)| (name.to_owned(), value.into())).collect(),
            run_fingerprint: run_fingerprint.to_owned(),
            run,
        };
        Self { request, complete: false, counts: ExportCounts::default(), files: Vec::new() }
    }

    /// The manifest once all is written.
    pub(super) fn completed(self, counts: ExportCounts, files: Vec<ExportedFile>) -> Self {
        Self { complete: true, counts, files, ..self }
    }

    /// The file's text.
    pub(super) fn to_json(&self) -> String {
        to_json(self)
    }

    /// The same without what is known at the end only, for the exported files themselves.
    pub(super) fn request_json(&self) -> String {
        to_json(&self.request)
    }

    /// Whether the bytes are the manifest of the same export, be it complete or not.
    pub(super) fn is_request_of(&self, bytes: &[u8]) -> bool {
        let Ok(Value::Object(mut found)) = serde_json::from_slice(bytes) else { return false };
        for name in ["complete", "counts", "files"] {
            found.remove(name);
        }
        serde_json::to_value(&self.request).is_ok_and(|request| request == Value::Object(found))
    }
}

fn to_json(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("structs of text and numbers");
    format!("{text}\n")
}
