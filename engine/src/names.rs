//! Enums whose values have names.

/// Gives a plain enum the list of its values, their names, the way back, and `Display`. A value that is left out or stands elsewhere than in the
/// enum is an error of the compiler, so that `value as usize` is its place in `ALL`.
#[doc(hidden)]
#[macro_export]
macro_rules! names {
    ($(#[$all:meta])* $type:ident { $($value:ident = $name:literal),+ $(,)? }) => {
        impl $type {
            $(#[$all])*
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$value),+];

            /// The name in files and on the command line.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name),+
                }
            }

            /// The value with this [name](Self::name).
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$value),)+
                    _ => None,
                }
            }
        }

        const _: () = {
            let mut place = 0;
            while place < $type::ALL.len() {
                assert!($type::ALL[place] as usize == place, "values in the order of the enum");
                place += 1;
            }
        };

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

pub(crate) use names;

#[cfg(test)]
mod tests {
    use crate::{
        life::{Proof, SekiKind, Status},
        rules::Preset,
        simd::Simd,
    };

    #[test]
    fn names_lead_back_to_their_values() {
        macro_rules! check {
            ($($type:ident),+) => {$(
                for value in $type::ALL {
                    assert_eq!($type::from_name(value.name()), Some(value));
                    assert_eq!(format!("{value:20}|"), format!("{:20}|", value.name()));
                }
                assert_eq!($type::from_name("somebody"), None);
            )+};
        }
        check!(Simd, Preset, Proof, SekiKind, Status);
    }
}
