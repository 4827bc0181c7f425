//! Rules as KataGo writes them.

use std::{fmt, str::FromStr};

use serde_json::{Map, Value};

use super::{Counting, HandicapBonus, Ko, Preset, Rules, Suicide, Tax};
use crate::Komi;

/// A rule set in KataGo's notation, with what KataGo states beside it.
///
/// Read are the names of KataGo (`chinese-ogs`, `stone-scoring`), its strings (`koSIMPLEscoreAREAtaxNONEsui0whbN`) and the JSON of its GTP
/// commands; capital and small letters are the same in values. Where a string or JSON is silent, the value is Tromp–Taylor's, but
/// territory without a tax has the seki tax. KataGo does not tell free from fixed handicap: free, unless the name is a [`Preset`]'s.
///
/// ```
/// use jigo_engine::rules::{KataGoRules, Preset};
/// let rules: KataGoRules = "koSIMPLEscoreAREAtaxNONEsui0whbNfpok1komi7.5".parse().unwrap();
/// assert_eq!(rules.rules, Preset::Chinese.rules());
/// assert_eq!(rules.komi.unwrap().half_points(), 15);
/// assert_eq!(rules.to_string(), "koSIMPLEscoreAREAtaxNONEsui0whbNfpok1komi7.5");
/// ```
///
/// # Source
/// David J. Wu, KataGo: *GTP Extensions*, `kata-get-rules` and `kata-set-rules`; *Supported Go Rules*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KataGoRules {
    /// The rules.
    pub rules: Rules,
    /// Whether players may pass before they have captured all dead stones. A hint for players, no rule that jigo applies.
    pub friendly_pass_ok: bool,
    /// The komi, if it is stated.
    pub komi: Option<Komi>,
}

impl KataGoRules {
    /// The JSON of `kata-get-rules`: all fields in alphabetical order, the komi only if there is one.
    #[must_use]
    pub fn to_json(&self) -> String {
        let value = |field: &Field| match field.value_in(self) {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            word => Value::from(word),
        };
        let mut object: Map<_, _> =
            FIELDS.iter().map(|field| (field.name.to_owned(), value(field))).collect();
        object.extend(self.komi.map(|komi| ("komi".to_owned(), komi.to_f64().into())));
        Value::Object(object).to_string()
    }

    /// The same rules with one field changed, as by `kata-set-rule`.
    ///
    /// # Errors
    /// [`InvalidKataGoRules`] when there is no such field or value.
    pub fn with(mut self, field: &str, value: &str) -> Result<Self, InvalidKataGoRules> {
        self.set(field, value)?;
        Ok(self)
    }

    /// Sets a field. The names of fields and values are those of JSON.
    fn set(&mut self, name: &str, value: &str) -> Result<(), InvalidKataGoRules> {
        let invalid =
            |field, expected| InvalidKataGoRules::Value { field, value: value.to_owned(), expected };
        if name == "komi" {
            let komi = value.parse().map_err(|_| invalid("komi", "whole or half points, as in 7.5"))?;
            self.komi = Some(komi);
            return Ok(());
        }
        let is_named = |field: &&Field| field.name == name || field.name == "scoring" && name == "score";
        let field = FIELDS.iter().find(is_named);
        let field = field.ok_or_else(|| InvalidKataGoRules::Field(name.to_owned()))?;
        let is_meant = |(word, _): &&Choice| word.eq_ignore_ascii_case(value.trim());
        let (word, set) =
            field.values.iter().find(is_meant).ok_or_else(|| invalid(field.name, field.expected))?;
        if (field.name, *word) == ("hasButton", "true") {
            return Err(InvalidKataGoRules::Button);
        }
        set(self);
        Ok(())
    }

    /// The rules of this name in KataGo, in small letters with hyphens.
    fn named(name: &str) -> Option<Result<Self, InvalidKataGoRules>> {
        let chinese = Preset::Chinese.rules();
        let ancient = Rules { tax: Tax::All, handicap_bonus: HandicapBonus::None, ..chinese };
        let (rules, friendly_pass_ok) = match name {
            "tromp-taylor" | "tromptaylor" => (Rules::TROMP_TAYLOR, false),
            "japanese" | "korean" => (Preset::Japanese.rules(), false),
            "chinese" => (chinese, true),
            "chinese-ogs" | "chineseogs" | "chinese-kgs" | "chinesekgs" => {
                (Rules { ko: Ko::PositionalSuperko, ..chinese }, true)
            }
            "aga" | "bga" | "french" => (Preset::Aga.rules(), true),
            "aga-button" | "agabutton" => return Some(Err(InvalidKataGoRules::Button)),
            "new-zealand" | "newzealand" | "nz" => (Preset::NewZealand.rules(), true),
            "goe" | "ing" => (Rules::TROMP_TAYLOR, true),
            "ancient-area" | "ancientarea" | "stone-scoring" | "stonescoring" => (ancient, true),
            "ancient-territory" | "ancientterritory" => {
                (Rules { counting: Counting::Territory, ..ancient }, false)
            }
            _ => return None,
        };
        Some(Ok(Self { rules, friendly_pass_ok, komi: None }))
    }
}

/// Nothing stated beside the rules.
impl From<Rules> for KataGoRules {
    fn from(rules: Rules) -> Self {
        Self { rules, friendly_pass_ok: false, komi: None }
    }
}

impl FromStr for KataGoRules {
    type Err = InvalidKataGoRules;

    fn from_str(text: &str) -> Result<Self, InvalidKataGoRules> {
        let mut rest = text.trim();
        if let Some(named) = Self::named(&rest.to_ascii_lowercase().replace(['_', ' '], "-")) {
            return named;
        }
        let mut all = Self::from(Rules::TROMP_TAYLOR);
        let mut has_tax = false;
        let mut set = |name: &str, value: &str| {
            has_tax |= name == "tax";
            all.set(name, value)
        };
        if rest.starts_with('{') {
            let object: Map<String, Value> =
                serde_json::from_str(rest).map_err(|error| InvalidKataGoRules::Json(error.to_string()))?;
            for (name, value) in &object {
                match value {
                    Value::String(text) => set(name, text)?,
                    value => set(name, &value.to_string())?,
                }
            }
        } else {
            loop {
                let (name, value, after) = split_field(rest)?;
                set(name, value)?;
                rest = after;
                if rest.is_empty() {
                    break;
                }
            }
        }
        if !has_tax && all.rules.counting == Counting::Territory {
            all.rules.tax = Tax::Seki;
        }
        Ok(all)
    }
}

/// KataGo's string; button, bonus, `fpok` and komi only where there are any.
impl fmt::Display for KataGoRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for field in &FIELDS {
            let word = field.value_in(self);
            if !["0", "false"].contains(&word) || field.name == "suicide" {
                write!(f, "{}{}", field.prefixes[0], in_string(word))?;
            }
        }
        self.komi.map_or(Ok(()), |komi| write!(f, "komi{komi}"))
    }
}

/// Text that is not a rule set of KataGo, or one that jigo does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidKataGoRules {
    /// No name, and not built of fields.
    #[error(
        "cannot read `{rest}` in rules as KataGo writes them: expected a name such as chinese-ogs, or fields as in \
         koPOSITIONALscoreAREAtaxNONEsui1"
    )]
    Text {
        /// What could not be read, to the end.
        rest: String,
    },
    /// Not JSON, or no object.
    #[error("these rules are not a JSON object: {0}")]
    Json(String),
    /// A field that KataGo does not have.
    #[error(
        "`{0}` is not a field of KataGo's rules: known are ko, scoring, tax, suicide, whiteHandicapBonus, hasButton, \
         friendlyPassOk and komi"
    )]
    Field(String),
    /// A value that the field does not have.
    #[error("`{value}` is not a value of {field}: write {expected}")]
    Value {
        /// The field.
        field: &'static str,
        /// What was written.
        value: String,
        /// The values that there are.
        expected: &'static str,
    },
    /// Button go.
    #[error(
        "the button is not supported: use the same rules with hasButton false (aga instead of aga-button)"
    )]
    Button,
}

/// A value of a field in JSON, and the function that sets it in the rules.
type Choice = (&'static str, fn(&mut KataGoRules));

/// A field of a rule set: the one place that says how its values are read and written.
struct Field {
    /// The name in JSON.
    name: &'static str,
    /// The keys of the field in a string; the first is the one that is written.
    prefixes: &'static [&'static str],
    values: &'static [Choice],
    /// What an error says of the values.
    expected: &'static str,
}

/// What an error says of truth values.
const BOOL: &str = "true or false (1 or 0 in a string)";

/// All fields but the komi, in the order of strings.
const FIELDS: [Field; 7] = [
    Field {
        name: "ko",
        prefixes: &["ko"],
        values: &[
            ("SIMPLE", |all| all.rules.ko = Ko::Simple),
            ("POSITIONAL", |all| all.rules.ko = Ko::PositionalSuperko),
            ("SITUATIONAL", |all| all.rules.ko = Ko::SituationalSuperko),
        ],
        expected: "SIMPLE, POSITIONAL or SITUATIONAL",
    },
    Field {
        name: "scoring",
        prefixes: &["score", "scoring"],
        values: &[
            ("AREA", |all| all.rules.counting = Counting::Area),
            ("TERRITORY", |all| all.rules.counting = Counting::Territory),
        ],
        expected: "AREA or TERRITORY",
    },
    Field {
        name: "tax",
        prefixes: &["tax"],
        values: &[
            ("NONE", |all| all.rules.tax = Tax::None),
            ("SEKI", |all| all.rules.tax = Tax::Seki),
            ("ALL", |all| all.rules.tax = Tax::All),
        ],
        expected: "NONE, SEKI or ALL",
    },
    Field {
        name: "suicide",
        prefixes: &["sui"],
        values: &[
            ("true", |all| all.rules.suicide = Suicide::Allowed),
            ("false", |all| all.rules.suicide = Suicide::Forbidden),
        ],
        expected: BOOL,
    },
    Field {
        name: "hasButton",
        prefixes: &["button"],
        // jigo has no button, and setting it is an error.
        values: &[("false", |_| {}), ("true", |_| {})],
        expected: BOOL,
    },
    Field {
        name: "whiteHandicapBonus",
        prefixes: &["whb"],
        // `N` begins another value and stands after it.
        values: &[
            ("0", |all| all.rules.handicap_bonus = HandicapBonus::None),
            ("N-1", |all| all.rules.handicap_bonus = HandicapBonus::PerStoneButFirst),
            ("N", |all| all.rules.handicap_bonus = HandicapBonus::PerStone),
        ],
        expected: "0, N or N-1",
    },
    Field {
        name: "friendlyPassOk",
        prefixes: &["fpok"],
        values: &[("true", |all| all.friendly_pass_ok = true), ("false", |all| all.friendly_pass_ok = false)],
        expected: BOOL,
    },
];

impl Field {
    /// The value that these rules have. It is found as the one that changes nothing in them.
    fn value_in(&self, all: &KataGoRules) -> &'static str {
        let changes_nothing = |(_, set): &&Choice| {
            let mut same = *all;
            set(&mut same);
            same == *all
        };
        let (word, _) = self.values.iter().find(changes_nothing).expect("every value is in the table");
        word
    }
}

/// How strings write a value of JSON.
fn in_string(word: &str) -> &str {
    match word {
        "true" => "1",
        "false" => "0",
        word => word,
    }
}

/// The part of `text` after `prefix`, in capitals or small letters.
fn strip<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| rest.trim_start())
}

/// Splits the first field off a string: its name and value as in JSON, and what follows.
fn split_field(text: &str) -> Result<(&str, &str, &str), InvalidKataGoRules> {
    if let Some(value) = strip(text, "komi") {
        let is_number = |char: char| char.is_ascii_digit() || ['.', '-', '+'].contains(&char);
        let (komi, rest) = value.split_at(value.find(|char| !is_number(char)).unwrap_or(value.len()));
        return Ok(("komi", komi, rest));
    }
    for field in &FIELDS {
        for value in field.prefixes.iter().filter_map(|prefix| strip(text, prefix)) {
            let after = |&(word, _): &Choice| Some((field.name, word, strip(value, in_string(word))?));
            if let Some(found) = field.values.iter().find_map(after) {
                return Ok(found);
            }
        }
    }
    Err(InvalidKataGoRules::Text { rest: text.to_owned() })
}
