//! Character sets: which bytes belong together, and what text they are.

use encoding_rs::{BIG5, Encoding, GB18030, GBK, SHIFT_JIS, UTF_8};

/// How a character set marks characters of two bytes whose second byte may look like `]` or `\`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LeadBytes {
    /// No such characters: ASCII bytes always stand for themselves.
    #[default]
    None,
    /// GBK, GB 18030 and Big5.
    Chinese,
    /// Shift JIS.
    Japanese,
}

impl LeadBytes {
    /// Whether `first` and `second` are one character.
    pub(super) const fn has_pair(self, first: u8, second: Option<&u8>) -> bool {
        let is_lead = match self {
            Self::None => false,
            Self::Chinese => matches!(first, 0x81..=0xFE),
            Self::Japanese => matches!(first, 0x81..=0x9F | 0xE0..=0xFC),
        };
        is_lead && matches!(second, Some(0x40..))
    }
}

/// The character set of one game's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Charset(&'static Encoding);

impl Charset {
    pub(super) const UTF_8: Self = Self(UTF_8);

    /// The character set with this name, in any of its usual spellings; `None` for unknown ones and for those
    /// that do not contain ASCII as it is.
    pub(super) fn from_label(label: &[u8]) -> Option<Self> {
        let encoding = Encoding::for_label_no_replacement(label.trim_ascii())?;
        encoding.is_ascii_compatible().then_some(Self(encoding))
    }

    pub(super) fn name(self) -> &'static str {
        self.0.name()
    }

    pub(super) fn lead_bytes(self) -> LeadBytes {
        if [GBK, GB18030, BIG5].contains(&self.0) {
            LeadBytes::Chinese
        } else if self.0 == SHIFT_JIS {
            LeadBytes::Japanese
        } else {
            LeadBytes::None
        }
    }

    /// The text of `bytes`, and whether all of them were valid.
    pub(super) fn decode(self, bytes: &[u8]) -> (std::borrow::Cow<'_, str>, bool) {
        let (text, has_errors) = self.0.decode_without_bom_handling(bytes);
        (text, !has_errors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_labels_are_known() {
        for label in
            ["UTF-8", "utf8", "gb2312", "GBK", "GB18030", "Big5", "Shift_JIS", "EUC-KR", "ISO-8859-1"]
        {
            assert!(Charset::from_label(label.as_bytes()).is_some(), "{label}");
        }
        for label in ["", "klingon", "UTF-16", "UTF-16LE"] {
            assert!(Charset::from_label(label.as_bytes()).is_none(), "{label}");
        }
    }

    #[test]
    fn pairs_end_where_the_character_ends() {
        assert!(LeadBytes::Chinese.has_pair(0x8D, Some(&b']')));
        assert!(!LeadBytes::Chinese.has_pair(0x8D, None));
        assert!(!LeadBytes::Japanese.has_pair(0xB1, Some(&b']')), "half-width katakana take one byte");
        assert!(!LeadBytes::None.has_pair(0x8D, Some(&b']')));
    }
}
