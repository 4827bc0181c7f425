//! Rules as KataGo writes them.

use std::{fmt, str::FromStr};

use serde_json::{Map, Value, json};

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
        let [ko, scoring, tax, bonus] = self.words();
        let mut object = json!({
            "ko": ko,
            "scoring": scoring,
            "tax": tax,
            "suicide": self.rules.suicide == Suicide::Allowed,
            "hasButton": false,
            "whiteHandicapBonus": bonus,
            "friendlyPassOk": self.friendly_pass_ok,
        });
        if let Some(komi) = self.komi {
            object["komi"] = komi.to_f64().into();
        }
        object.to_string()
    }

    /// The same rules with one field changed, as by `kata-set-rule`.
    ///
    /// # Errors
    /// [`InvalidKataGoRules`] when there is no such field or value.
    pub fn with(self, field: &str, value: &str) -> Result<Self, InvalidKataGoRules> {
        let mut reading = Reading::new(self);
        reading.read_member(field, &Value::String(value.to_owned()))?;
        Ok(reading.finish())
    }

    /// Ko, scoring, tax and handicap bonus in KataGo's words.
    const fn words(&self) -> [&'static str; 4] {
        let ko = match self.rules.ko {
            Ko::Simple => "SIMPLE",
            Ko::PositionalSuperko => "POSITIONAL",
            Ko::SituationalSuperko => "SITUATIONAL",
        };
        let scoring = match self.rules.counting {
            Counting::Area => "AREA",
            Counting::Territory => "TERRITORY",
        };
        let tax = match self.rules.tax {
            Tax::None => "NONE",
            Tax::Seki => "SEKI",
            Tax::All => "ALL",
        };
        let bonus = match self.rules.handicap_bonus {
            HandicapBonus::None => "0",
            HandicapBonus::PerStone => "N",
            HandicapBonus::PerStoneButFirst => "N-1",
        };
        [ko, scoring, tax, bonus]
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
        let mut reading = Reading::default();
        if rest.starts_with('{') {
            let object: Map<String, Value> =
                serde_json::from_str(rest).map_err(|error| InvalidKataGoRules::Json(error.to_string()))?;
            object.iter().try_for_each(|(name, value)| reading.read_member(name, value))?;
            return Ok(reading.finish());
        }
        if rest.is_empty() {
            return Err(InvalidKataGoRules::Text { rest: String::new() });
        }
        while !rest.is_empty() {
            rest = reading.read_field(rest)?;
        }
        Ok(reading.finish())
    }
}

/// KataGo's string; button, bonus, `fpok` and komi only where there are any.
impl fmt::Display for KataGoRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [ko, scoring, tax, bonus] = self.words();
        let suicide = u8::from(self.rules.suicide == Suicide::Allowed);
        write!(f, "ko{ko}score{scoring}tax{tax}sui{suicide}")?;
        if self.rules.handicap_bonus != HandicapBonus::None {
            write!(f, "whb{bonus}")?;
        }
        if self.friendly_pass_ok {
            f.write_str("fpok1")?;
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

impl InvalidKataGoRules {
    /// Whether nothing of `text` could be read, so that it may be meant in another notation.
    pub(in crate::rules) fn is_other_notation(&self, text: &str) -> bool {
        matches!(self, Self::Text { rest } if rest == text.trim())
    }
}

/// A field of a rule set: its name in JSON, in strings, and its values.
struct Field {
    name: &'static str,
    /// Before the value in a string.
    prefixes: &'static [&'static str],
    /// The values in JSON and in strings. A value that is the beginning of another comes after it.
    values: &'static [(&'static str, &'static str)],
    expected: &'static str,
}

const BOOL: &[(&str, &str)] = &[("true", "1"), ("false", "0")];
const FIELDS: [Field; 7] = [
    Field {
        name: "ko",
        prefixes: &["ko"],
        values: &[("SIMPLE", "SIMPLE"), ("POSITIONAL", "POSITIONAL"), ("SITUATIONAL", "SITUATIONAL")],
        expected: "SIMPLE, POSITIONAL or SITUATIONAL",
    },
    Field {
        name: "scoring",
        prefixes: &["scoring", "score"],
        values: &[("AREA", "AREA"), ("TERRITORY", "TERRITORY")],
        expected: "AREA or TERRITORY",
    },
    Field {
        name: "tax",
        prefixes: &["tax"],
        values: &[("NONE", "NONE"), ("SEKI", "SEKI"), ("ALL", "ALL")],
        expected: "NONE, SEKI or ALL",
    },
    Field {
        name: "suicide",
        prefixes: &["sui"],
        values: BOOL,
        expected: "true or false (1 or 0 in a string)",
    },
    Field {
        name: "hasButton",
        prefixes: &["button"],
        values: BOOL,
        expected: "true or false (1 or 0 in a string)",
    },
    Field {
        name: "whiteHandicapBonus",
        prefixes: &["whb"],
        values: &[("0", "0"), ("N-1", "N-1"), ("N", "N")],
        expected: "0, N or N-1",
    },
    Field {
        name: "friendlyPassOk",
        prefixes: &["fpok"],
        values: BOOL,
        expected: "true or false (1 or 0 in a string)",
    },
];

impl Field {
    fn invalid(&self, value: &str) -> InvalidKataGoRules {
        InvalidKataGoRules::Value { field: self.name, value: value.to_owned(), expected: self.expected }
    }
}

/// The part of `text` after `prefix`, in capitals or small letters.
fn strip<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| rest.trim_start())
}

/// A rule set of which fields are still being read.
#[derive(Default)]
pub(super) struct Reading {
    rules: Rules,
    friendly_pass_ok: bool,
    komi: Option<Komi>,
    has_tax: bool,
}

impl Reading {
    /// Begins with all fields of these rules.
    pub(super) const fn new(rules: KataGoRules) -> Self {
        let KataGoRules { rules, friendly_pass_ok, komi } = rules;
        Self { rules, friendly_pass_ok, komi, has_tax: true }
    }

    /// Sets a field to one of its values, as JSON writes it.
    fn set(&mut self, field: &str, value: &str) -> Result<(), InvalidKataGoRules> {
        let rules = &mut self.rules;
        match (field, value) {
            ("ko", "SIMPLE") => rules.ko = Ko::Simple,
            ("ko", "POSITIONAL") => rules.ko = Ko::PositionalSuperko,
            ("ko", _) => rules.ko = Ko::SituationalSuperko,
            ("scoring", "AREA") => rules.counting = Counting::Area,
            ("scoring", _) => rules.counting = Counting::Territory,
            ("tax", value) => {
                self.has_tax = true;
                rules.tax = match value {
                    "NONE" => Tax::None,
                    "SEKI" => Tax::Seki,
                    _ => Tax::All,
                };
            }
            ("suicide", "true") => rules.suicide = Suicide::Allowed,
            ("suicide", _) => rules.suicide = Suicide::Forbidden,
            ("whiteHandicapBonus", "0") => rules.handicap_bonus = HandicapBonus::None,
            ("whiteHandicapBonus", "N") => rules.handicap_bonus = HandicapBonus::PerStone,
            ("whiteHandicapBonus", _) => rules.handicap_bonus = HandicapBonus::PerStoneButFirst,
            ("friendlyPassOk", value) => self.friendly_pass_ok = value == "true",
            (_, "true") => return Err(InvalidKataGoRules::Button),
            _ => {}
        }
        Ok(())
    }

    fn set_komi(&mut self, text: &str) -> Result<(), InvalidKataGoRules> {
        let expected = "whole or half points, as in 7.5";
        let invalid = |_| InvalidKataGoRules::Value { field: "komi", value: text.to_owned(), expected };
        self.komi = Some(text.parse().map_err(invalid)?);
        Ok(())
    }

    /// Reads one field from the front of a string and returns what follows it.
    pub(super) fn read_field<'a>(&mut self, text: &'a str) -> Result<&'a str, InvalidKataGoRules> {
        if let Some(rest) = strip(text, "komi") {
            let is_number = |char: char| char.is_ascii_digit() || ['.', '-', '+'].contains(&char);
            let (komi, rest) = rest.split_at(rest.find(|char| !is_number(char)).unwrap_or(rest.len()));
            self.set_komi(komi)?;
            return Ok(rest);
        }
        for field in &FIELDS {
            for value in field.prefixes.iter().filter_map(|prefix| strip(text, prefix)) {
                for (name, short) in field.values {
                    if let Some(rest) = strip(value, short) {
                        self.set(field.name, name)?;
                        return Ok(rest);
                    }
                }
            }
        }
        Err(InvalidKataGoRules::Text { rest: text.to_owned() })
    }

    /// Reads one member of a JSON object.
    pub(super) fn read_member(&mut self, name: &str, value: &Value) -> Result<(), InvalidKataGoRules> {
        let text = match value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        if name == "komi" {
            return self.set_komi(&text);
        }
        let name = if name == "score" { "scoring" } else { name };
        let field = FIELDS.iter().find(|field| field.name == name);
        let field = field.ok_or_else(|| InvalidKataGoRules::Field(name.to_owned()))?;
        let value = field.values.iter().find(|(value, _)| value.eq_ignore_ascii_case(text.trim()));
        let (value, _) = value.ok_or_else(|| field.invalid(&text))?;
        self.set(field.name, value)
    }

    /// The rules, with the tax that territory has unless it is named.
    pub(super) fn finish(mut self) -> KataGoRules {
        if !self.has_tax && self.rules.counting == Counting::Territory {
            self.rules.tax = Tax::Seki;
        }
        KataGoRules { rules: self.rules, friendly_pass_ok: self.friendly_pass_ok, komi: self.komi }
    }
}
