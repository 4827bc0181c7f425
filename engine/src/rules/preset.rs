//! Rule sets with names.

use super::{Counting, Handicap, HandicapBonus, Ko, Rules, Suicide, Tax};
use crate::{BoardSize, Komi, names::names};

/// A rule set that people call by a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
        }
    }

    /// The komi of an even game on this board, as far as the rule set names one; else zero.
    #[must_use]
    pub const fn default_komi(self, size: BoardSize) -> Komi {
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
            Self::TrompTaylor | Self::Hups => 0,
        })
    }
}
