//! Rule sets as independent choices: four axes, and two refinements of the count.

mod katago;
mod set;

use std::{fmt, str::FromStr};

pub use katago::{InvalidKataGoRules, KataGoRules};
pub use set::{InvalidKomiChoice, KomiChoice, RuleSet};

use crate::{BoardSize, Komi, names::names};

/// A rule set: one value for each axis, all combinations valid.
///
/// Written as the values joined by `+` in any order; what is not named has Tromp–Taylor's value. Read also as a preset's name and as
/// [KataGo](KataGoRules) writes rules, as a name, a string or JSON. KataGo's komi and `friendlyPassOk` are then passed over. [`RuleSet`] keeps the
/// name.
///
/// ```
/// use jigo_engine::{Ko, Rules};
/// let rules: Rules = "territory+simple-ko+no-suicide+fixed-handicap+seki-tax".parse().unwrap();
/// assert_eq!(rules, "japanese".parse().unwrap());
/// assert_eq!("situational-superko".parse(), Ok(Rules { ko: Ko::SituationalSuperko, ..Rules::TROMP_TAYLOR }));
/// assert_eq!("koPOSITIONALscoreAREAtaxNONEsui1".parse(), Ok(Rules::TROMP_TAYLOR));
/// assert_eq!(Rules::lattice().count(), 24);
/// ```
///
/// # Source
/// Bill Taylor's remark on the four independent differences between Chinese and Japanese rules, in the commentary of the
/// Tromp–Taylor rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rules {
    /// What is counted.
    pub counting: Counting,
    /// Which repetitions are forbidden.
    pub ko: Ko,
    /// Whether chains may be given up.
    pub suicide: Suicide,
    /// Where handicap stones go.
    pub handicap: Handicap,
    /// Which living groups give points away.
    pub tax: Tax,
    /// What White receives for handicap stones.
    pub handicap_bonus: HandicapBonus,
    /// How many stones the players have.
    pub supply: Supply,
}

/// Text that names no rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownRules {
    /// Neither a name nor values of the axes.
    #[error(
        "`{0}` is not a rule set. Known names: {names}. Or join values with `+`, one for each axis: \
         area | territory, positional-superko | situational-superko | simple-ko, suicide | no-suicide, \
         free-handicap | fixed-handicap, no-tax | seki-tax | group-tax, no-bonus | bonus-n | bonus-n-1, unlimited-stones | finite-stones; \
         or write them as KataGo does",
        names = Preset::ALL.map(Preset::name).join(", ")
    )]
    Name(String),
    /// Two values of one axis.
    #[error("`{0}` and `{1}` exclude each other: write one of them")]
    Contradiction(&'static str, &'static str),
    /// The same value twice.
    #[error("`{0}` stands there twice: write it once")]
    Repetition(&'static str),
    /// Rules in KataGo's notation that cannot be read or that jigo does not have.
    #[error(transparent)]
    KataGo(#[from] InvalidKataGoRules),
}

impl Rules {
    /// The logical rules of Tromp and Taylor: area, positional superko, suicide allowed, free handicap.
    pub const TROMP_TAYLOR: Self = Self {
        counting: Counting::Area,
        ko: Ko::PositionalSuperko,
        suicide: Suicide::Allowed,
        handicap: Handicap::Free,
        tax: Tax::None,
        handicap_bonus: HandicapBonus::None,
        supply: Supply::Unlimited,
    };

    /// Every combination of counting, ko, suicide and handicap, in a fixed order: 2 × 3 × 2 × 2. Tax and bonus, which change the count alone, are
    /// none in all of them, and stones are unlimited.
    pub fn lattice() -> impl Iterator<Item = Self> {
        let kos = [Ko::PositionalSuperko, Ko::SituationalSuperko, Ko::Simple];
        Counting::ALL.into_iter().flat_map(move |counting| {
            kos.into_iter().flat_map(move |ko| {
                [Suicide::Allowed, Suicide::Forbidden].into_iter().flat_map(move |suicide| {
                    Handicap::ALL.map(|handicap| Self {
                        counting,
                        ko,
                        suicide,
                        handicap,
                        ..Self::TROMP_TAYLOR
                    })
                })
            })
        })
    }

    /// The values of the first four axes joined by `+`, always in the same order; tax, bonus and a finite supply of stones follow only where there are any.
    #[must_use]
    pub fn canonical(self) -> String {
        let always = [self.counting.name(), self.ko.name(), self.suicide.name(), self.handicap.name()];
        let tax = (self.tax != Tax::None).then(|| self.tax.name());
        let bonus = (self.handicap_bonus != HandicapBonus::None).then(|| self.handicap_bonus.name());
        let supply = (self.supply != Supply::Unlimited).then(|| self.supply.name());
        always.into_iter().chain(tax).chain(bonus).chain(supply).collect::<Vec<_>>().join("+")
    }

    /// Returns whether even a single stone may be given up, a move that changes nothing but whose turn it is and how many stones are left.
    #[must_use]
    pub const fn gives_up_single_stones(self) -> bool {
        matches!((self.suicide, self.supply), (Suicide::Allowed, Supply::Finite))
    }

    /// Returns by how many stones a player may have lost more than the opponent before it has none left to put; `None` where stones are unlimited.
    ///
    /// A finite supply is half the points, and all of them where there are fewer than 13×13.
    ///
    /// # Source
    /// Gábor Makrai's rules 1.5 leave the number to tournaments.
    #[must_use]
    pub const fn stone_supply(self, size: BoardSize) -> Option<u32> {
        let points = size.point_count() as u32;
        match self.supply {
            Supply::Unlimited => None,
            Supply::Finite if points < 13 * 13 => Some(points),
            Supply::Finite => Some(points / 2),
        }
    }

    /// Reads values joined by `+`, in small letters; `None` when there are others than values.
    fn from_values(text: &str) -> Result<Option<Self>, UnknownRules> {
        let mut rules = Self::TROMP_TAYLOR;
        let mut named: [Option<&'static str>; 7] = [None; 7];
        for value in text.split('+') {
            let Some((axis, name)) = rules.set(value.trim()) else { return Ok(None) };
            match named[axis].replace(name) {
                Some(before) if before == name => return Err(UnknownRules::Repetition(name)),
                Some(before) => return Err(UnknownRules::Contradiction(before, name)),
                None => {}
            }
        }
        Ok(Some(rules))
    }

    /// Sets the axis that `value` belongs to, and returns its number and the name of the value; `None` when no axis has such a value.
    fn set(&mut self, value: &str) -> Option<(usize, &'static str)> {
        if let Some(counting) = Counting::from_name(value) {
            self.counting = counting;
            Some((0, counting.name()))
        } else if let Some(ko) = Ko::from_name(value) {
            self.ko = ko;
            Some((1, ko.name()))
        } else if let Some(suicide) = Suicide::from_name(value) {
            self.suicide = suicide;
            Some((2, suicide.name()))
        } else if let Some(handicap) = Handicap::from_name(value) {
            self.handicap = handicap;
            Some((3, handicap.name()))
        } else if let Some(tax) = Tax::from_name(value) {
            self.tax = tax;
            Some((4, tax.name()))
        } else if let Some(bonus) = HandicapBonus::from_name(value) {
            self.handicap_bonus = bonus;
            Some((5, bonus.name()))
        } else {
            self.supply = Supply::from_name(value)?;
            Some((6, self.supply.name()))
        }
    }
}

/// The [canonical](Rules::canonical) form.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.canonical())
    }
}

impl FromStr for Rules {
    type Err = UnknownRules;

    fn from_str(text: &str) -> Result<Self, UnknownRules> {
        text.parse().map(|set: RuleSet| *set)
    }
}

/// What is counted at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Counting {
    /// Own stones and the empty points that only they reach.
    Area,
    /// Empty points that only own living stones reach, and prisoners.
    Territory,
}

names! {
    /// Both ways to count.
    Counting { Area = "area", Territory = "territory" }
}

/// Which repetitions are forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ko {
    /// A move may not recreate the position from before the opponent's last move. Longer cycles are allowed.
    Simple,
    /// A move may not recreate any earlier position, whoever moved then.
    PositionalSuperko,
    /// A move may not recreate any earlier position with the same player to move.
    SituationalSuperko,
}

names! {
    /// All ko rules.
    Ko { Simple = "simple-ko", PositionalSuperko = "positional-superko", SituationalSuperko = "situational-superko" }
}

impl Ko {
    /// Whether the rule looks at the whole game, not only at the last move.
    #[must_use]
    pub const fn is_superko(self) -> bool {
        !matches!(self, Self::Simple)
    }
}

/// Whether a move may take the mover's own last liberty without capturing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Suicide {
    /// Such a move is illegal.
    Forbidden,
    /// A chain of two or more stones may be given up. A single stone may not: it would leave the position as it was, a pass in
    /// disguise, which positional superko forbids as well.
    Allowed,
}

names! {
    /// Both suicide rules.
    Suicide { Forbidden = "no-suicide", Allowed = "suicide" }
}

/// Where handicap stones go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Handicap {
    /// Anywhere: Black plays several moves in a row.
    Free,
    /// On the star points, in a fixed order.
    Fixed,
}

names! {
    /// Both handicap rules.
    Handicap { Free = "free-handicap", Fixed = "fixed-handicap" }
}

/// Which living groups give points away. What a group in seki is, [`Position::score`](crate::Position::score) says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tax {
    /// None: every point counts.
    None,
    /// Points surrounded by groups in seki do not count.
    Seki,
    /// As `Seki`; and each living group that is not in seki gives two points, for its two eyes.
    All,
}

names! {
    /// All taxes.
    Tax { None = "no-tax", Seki = "seki-tax", All = "group-tax" }
}

/// What White receives for Black's handicap stones at the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HandicapBonus {
    /// Nothing.
    None,
    /// A point for each stone.
    PerStone,
    /// A point for each stone but the first, which Black would have without a handicap as well.
    PerStoneButFirst,
}

names! {
    /// All bonuses.
    HandicapBonus { None = "no-bonus", PerStone = "bonus-n", PerStoneButFirst = "bonus-n-1" }
}

impl HandicapBonus {
    /// The points that White receives for so many handicap stones. A single stone is no handicap.
    #[must_use]
    pub const fn points(self, handicap_stones: u32) -> u32 {
        match self {
            _ if handicap_stones < 2 => 0,
            Self::None => 0,
            Self::PerStone => handicap_stones,
            Self::PerStoneButFirst => handicap_stones - 1,
        }
    }
}

/// How many stones the players have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Supply {
    /// As many as they need.
    Unlimited,
    /// A number that [depends on the board](Rules::stone_supply). Where suicide is allowed, even a single stone may be given up, since that uses up the supply.
    /// A player who has run out must pass. A game whose whole state recurs, with the same stones left, is a draw.
    ///
    /// # Source
    /// Gábor Makrai's rules 1.5.
    Finite,
}

names! {
    /// Both supplies.
    Supply { Unlimited = "unlimited-stones", Finite = "finite-stones" }
}

/// A rule set that people call by a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Preset {
    /// Logical rules of John Tromp and Bill Taylor.
    TrompTaylor,
    /// New Zealand Go Society.
    NewZealand,
    /// American Go Association.
    Aga,
    /// Chinese rules with simple ko.
    Chinese,
    /// Japanese rules.
    Japanese,
    /// Korean rules.
    Korean,
    /// Traditional rules as published by the Czech Go Association.
    Czech,
    /// The game site BrainKing.
    BrainKing,
    /// The counting guide (HUPS).
    Hups,
    /// Gábor Makrai's rules 1.5 with area counting.
    MakraiArea,
    /// Gábor Makrai's rules 1.5 with territory counting.
    MakraiTerritory,
}

names! {
    /// All presets.
    Preset {
        TrompTaylor = "tromp-taylor",
        NewZealand = "new-zealand",
        Aga = "aga",
        Chinese = "chinese",
        Japanese = "japanese",
        Korean = "korean",
        Czech = "czech",
        BrainKing = "brainking",
        Hups = "hups",
        MakraiArea = "makrai-area",
        MakraiTerritory = "makrai-territory",
    }
}

impl Preset {
    /// The values on all axes. Where KataGo knows the name, they are KataGo's; it knows no difference in where handicap stones go.
    #[must_use]
    pub const fn rules(self) -> Rules {
        const AREA: Rules = Rules { suicide: Suicide::Forbidden, ..Rules::TROMP_TAYLOR };
        const TERRITORY: Rules = Rules { counting: Counting::Territory, ko: Ko::Simple, ..AREA };
        match self {
            Self::TrompTaylor => Rules::TROMP_TAYLOR,
            Self::NewZealand => Rules { ko: Ko::SituationalSuperko, ..Rules::TROMP_TAYLOR },
            Self::Aga => Rules {
                ko: Ko::SituationalSuperko,
                handicap: Handicap::Fixed,
                handicap_bonus: HandicapBonus::PerStoneButFirst,
                ..AREA
            },
            Self::Chinese => Rules { ko: Ko::Simple, handicap_bonus: HandicapBonus::PerStone, ..AREA },
            Self::Japanese | Self::Korean | Self::Czech => {
                Rules { handicap: Handicap::Fixed, tax: Tax::Seki, ..TERRITORY }
            }
            Self::BrainKing | Self::Hups => TERRITORY,
            Self::MakraiArea => Rules { ko: Ko::Simple, supply: Supply::Finite, ..Rules::TROMP_TAYLOR },
            Self::MakraiTerritory => Rules { counting: Counting::Territory, ..Self::MakraiArea.rules() },
        }
    }

    /// The komi of an even game on this board; zero where the rule set names none.
    ///
    /// The traditional rules name 5.5, and 8 for 13×13. BrainKing names 5.5, 4.5 and 3.5 for 19×19, 13×13 and 9×9, the only sizes that it has; on
    /// others it is 5.5 here.
    #[must_use]
    pub const fn komi(self, size: BoardSize) -> Komi {
        let (is_square, side) = (size.is_square(), size.width());
        Komi::from_half_points(match self {
            Self::Czech if is_square && side == 13 => 16,
            Self::Czech => 11,
            Self::BrainKing if is_square && side == 13 => 9,
            Self::BrainKing if is_square && side == 9 => 7,
            Self::BrainKing => 11,
            Self::NewZealand => 14,
            Self::Aga | Self::Chinese => 15,
            Self::Japanese | Self::Korean => 13,
            Self::TrompTaylor | Self::Hups | Self::MakraiArea | Self::MakraiTerritory => 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn lattice_is_complete_and_text_round_trips() {
        let all: BTreeSet<Rules> = Rules::lattice().collect();
        assert_eq!(all.len(), 24);
        let taxes = [Tax::None, Tax::Seki, Tax::All];
        let bonuses = [HandicapBonus::None, HandicapBonus::PerStone, HandicapBonus::PerStoneButFirst];
        let mut texts = BTreeSet::new();
        for (rules, tax, handicap_bonus) in all
            .into_iter()
            .flat_map(|rules| taxes.into_iter().map(move |tax| (rules, tax)))
            .flat_map(|(rules, tax)| bonuses.into_iter().map(move |bonus| (rules, tax, bonus)))
        {
            let rules = Rules { tax, handicap_bonus, ..rules };
            assert_eq!(rules.canonical().parse(), Ok(rules));
            assert_eq!(rules.to_string().parse(), Ok(rules));
            texts.insert(rules.canonical());
        }
        assert_eq!(texts.len(), 24 * 9);
    }

    /// Datasets state the canonical text and a hash of it.
    #[test]
    fn canonical_text_names_tax_and_bonus_only_where_there_are_any() {
        let canonical = |text: &str| text.parse::<Rules>().unwrap().canonical();
        let plain = "area+simple-ko+no-suicide+free-handicap";
        assert_eq!(canonical(plain), plain);
        assert_eq!(canonical("no-tax+no-bonus"), "area+positional-superko+suicide+free-handicap");
        assert_eq!(canonical("chinese"), format!("{plain}+bonus-n"));
        assert_eq!(
            canonical("group-tax+bonus-n-1"),
            "area+positional-superko+suicide+free-handicap+group-tax+bonus-n-1"
        );
    }

    #[test]
    fn unknown_names_list_the_known_ones() {
        let error = "chineese".parse::<Rules>().unwrap_err().to_string();
        for preset in Preset::ALL {
            assert!(error.contains(preset.name()), "{error}");
            assert_eq!(preset.name().parse(), Ok(preset.rules()));
        }
        assert!("".parse::<Rules>().is_err());
        assert!("area+".parse::<Rules>().is_err());
        let button = "aga-button".parse::<Rules>().unwrap_err();
        let error = |text: &str| text.parse::<Rules>().unwrap_err().to_string();
        assert_eq!(error("area+territory"), "`area` and `territory` exclude each other: write one of them");
        assert_eq!(error("Simple-Ko+suicide+simple_ko"), "`simple-ko` stands there twice: write it once");
        assert!(error("area+areas").contains("not a rule set"));
        assert_eq!(button, UnknownRules::KataGo(InvalidKataGoRules::Button));
    }

    #[test]
    fn bonus_is_for_two_stones_and_more() {
        let points = |bonus: HandicapBonus| [0, 1, 2, 9].map(|stones| bonus.points(stones));
        assert_eq!(points(HandicapBonus::None), [0, 0, 0, 0]);
        assert_eq!(points(HandicapBonus::PerStone), [0, 0, 2, 9]);
        assert_eq!(points(HandicapBonus::PerStoneButFirst), [0, 0, 1, 8]);
    }
}
