//! Rules as KataGo writes them.

mod read;

use std::{fmt, str::FromStr};

use serde_json::{Map, Value, json};

use super::{Counting, HandicapBonus, Ko, Preset, Rules, Suicide, Tax};
use crate::Komi;
pub use read::InvalidKataGoRules;
use read::Reading;

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
        let mut reading = Reading::of(self);
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
