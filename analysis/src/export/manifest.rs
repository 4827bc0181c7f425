//! What an export says of itself.

use jigo_selfplay::dataset::{Import, RunDescription};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ExportSpec, folder::ExportedFile};

/// The name of the format.
const FORMAT: &str = "jigo-export";
/// The version of exports, `export.json` and all formats of games, that this program writes.
pub const EXPORT_FORMAT_VERSION: u32 = 1;
/// What stands before the digest of `export.json` in it, at the beginning of a line.
const DIGEST: &str = "  \"blake3\": \"";
/// What stands behind it.
const END: &str = "\"\n}\n";

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
    Run(Box<RunDescription>),
    /// They were imported.
    Import(Box<Import>),
}

impl Manifest {
    /// The manifest of an export that has not begun.
    pub(super) fn new(run: Origin, run_fingerprint: &str, spec: &ExportSpec) -> Self {
        let filters = spec.filter.options().into_iter();
        let request = Request {
            format: FORMAT,
            format_version: EXPORT_FORMAT_VERSION,
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

    /// The file's text. Its last field is the digest of all lines before it.
    pub(super) fn to_json(&self) -> String {
        let text = to_json(self);
        let open = text.strip_suffix("\n}\n").expect("an object with fields, indented");
        let text = format!("{open},\n");
        let digest = blake3::hash(text.as_bytes());
        format!("{text}{DIGEST}{digest}{END}")
    }

    /// The same without what is known at the end only, for the exported files themselves.
    pub(super) fn request_json(&self) -> String {
        to_json(&self.request)
    }

    /// Whether the bytes are the manifest of the same export, be it complete or not.
    pub(super) fn is_request_of(&self, bytes: &[u8]) -> bool {
        let Ok(Value::Object(mut found)) = serde_json::from_slice(bytes) else { return false };
        for name in ["complete", "counts", "files", "blake3"] {
            found.remove(name);
        }
        serde_json::to_value(&self.request).is_ok_and(|request| request == Value::Object(found))
    }
}

/// What `export.json` says of the files, as far as it is checked.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Written {
    pub(super) complete: bool,
    pub(super) files: Vec<ExportedFile>,
}

impl Written {
    /// Reads what [`Manifest::to_json`] wrote.
    ///
    /// # Errors
    /// What is wrong with it, and what to do.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
            format_version: u32,
        }
        let damaged = |error| {
            format!("damaged: {error}; export again to a new folder, or restore the file from a copy")
        };
        let head: Head = serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
        if head.format != FORMAT || head.format_version != EXPORT_FORMAT_VERSION {
            let Head { format, format_version } = head;
            return Err(format!(
                "{format} version {format_version}; this jigo reads {FORMAT} version {EXPORT_FORMAT_VERSION}: use the jigo that wrote it, or export again \
                 to a new folder"
            ));
        }
        if !has_own_digest(bytes) {
            return Err(damaged("it does not match its own digest".to_owned()));
        }
        serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))
    }
}

/// Whether the last field is the digest of the lines before it.
fn has_own_digest(bytes: &[u8]) -> bool {
    let length = DIGEST.len() + 2 * blake3::OUT_LEN + END.len();
    let Some((text, last)) = bytes.len().checked_sub(length).map(|at| bytes.split_at(at)) else {
        return false;
    };
    last == format!("{DIGEST}{}{END}", blake3::hash(text)).as_bytes()
}

fn to_json(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("structs of text and numbers");
    format!("{text}\n")
}
