//! What a record says about its game in words: players, rules, result, place and date.

use std::collections::BTreeMap;

use super::text::{TextKind, normalise};

/// The text properties of a game, by name.
///
/// Holds everything that the root says except what [`SgfGame`](super::SgfGame) holds in another form (`SZ`,
/// `AB`, `AW`, `AE`, `PL`, the moves) and what describes the file (`FF`, `GM`, `CA`, `AP`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameInfo {
    properties: BTreeMap<String, Vec<String>>,
}

/// A name under which no text can be stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` cannot hold text: a name is capital letters and digits, and not one of {}", RESERVED.join(" "))]
pub struct NotTextName {
    name: String,
}

/// Properties that are not kept as text.
const RESERVED: [&str; 11] = ["AB", "AE", "AP", "AW", "B", "CA", "FF", "GM", "PL", "SZ", "W"];

impl GameInfo {
    /// The text of a property, the first one if there are several values; `None` when it is absent.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values(name).first().map(String::as_str)
    }

    /// All values of a property; empty when it is absent.
    #[must_use]
    pub fn values(&self, name: &str) -> &[String] {
        self.properties.get(name).map_or(&[], Vec::as_slice)
    }

    /// All properties with their values, by name in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.properties.iter().map(|(name, values)| (name.as_str(), values.as_slice()))
    }

    /// Gives a property this text in place of what it had.
    ///
    /// White space is stored as the format can express it: tabs become spaces, and so do line breaks in
    /// properties of one line.
    ///
    /// # Errors
    /// [`NotTextName`] when `name` is not the name of a property, or of one that holds no text; nothing is
    /// changed then.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), NotTextName> {
        let is_letter = |byte: u8| byte.is_ascii_uppercase();
        let is_name = name.bytes().all(|byte| is_letter(byte) || byte.is_ascii_digit() || byte == b'_');
        if !name.bytes().next().is_some_and(is_letter) || !is_name || is_reserved(name) {
            return Err(NotTextName { name: name.to_owned() });
        }
        self.put(name, vec![normalise(text, TextKind::of(name))]);
        Ok(())
    }

    /// Removes a property.
    pub fn remove(&mut self, name: &str) {
        self.properties.remove(name);
    }

    /// Stores values that are normalised already, under a name that is valid already.
    pub(crate) fn put(&mut self, name: &str, values: Vec<String>) {
        self.properties.insert(name.to_owned(), values);
    }
}

/// Whether a property is kept in another form than text.
pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED.binary_search(&name).is_ok()
}

/// Whether a property describes the whole game, and counts wherever in the main line it stands.
pub(super) fn is_game_info(name: &str) -> bool {
    const GAME_INFO: [&str; 24] = [
        "AN", "BR", "BT", "CP", "DT", "EV", "GC", "GN", "HA", "KM", "ON", "OT", "PB", "PC", "PW", "RE", "RO",
        "RU", "SO", "TM", "US", "WR", "WT", "TC",
    ];
    GAME_INFO.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_stored_as_the_format_can_express_it() {
        let mut info = GameInfo::default();
        info.set("PB", "Black\n\tBox").unwrap();
        info.set("C", "two\r\nlines").unwrap();
        assert_eq!(info.get("PB"), Some("Black  Box"));
        assert_eq!(info.get("C"), Some("two\nlines"));
        info.remove("C");
        assert_eq!(info.iter().count(), 1);
    }

    #[test]
    fn other_properties_are_refused() {
        let mut info = GameInfo::default();
        for name in ["", "pb", "P B", "9", "SZ", "AB", "B", "FF", "Ä"] {
            assert_eq!(info.set(name, "x"), Err(NotTextName { name: name.to_owned() }));
        }
        assert_eq!(info, GameInfo::default());
        assert!(RESERVED.iter().all(|name| is_reserved(name)));
    }
}
