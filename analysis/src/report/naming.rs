//! What the cells of a study have in common, and what tells them apart.

use crate::{RunConfig, Study};

/// One way in which settings differ.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    /// What the axis is called.
    pub(crate) name: &'static str,
    /// Its values in order of appearance, each once.
    pub(crate) values: Vec<String>,
    value: fn(&RunConfig) -> String,
}

impl Axis {
    fn new(study: &Study, name: &'static str, value: fn(&RunConfig) -> String) -> Self {
        let mut values = Vec::new();
        for text in study.cells.iter().map(|cell| value(&cell.config)) {
            if !values.contains(&text) {
                values.push(text);
            }
        }
        Self { name, values, value }
    }

    /// Whether the cells differ here.
    pub(crate) fn varies(&self) -> bool {
        self.values.len() > 1
    }

    /// A setting's value.
    pub(crate) fn of(&self, setting: &RunConfig) -> String {
        (self.value)(setting)
    }

    /// A letter for a setting's value: A for the first.
    pub(crate) fn letter_of(&self, setting: &RunConfig) -> String {
        let text = self.of(setting);
        letter(self.values.iter().position(|value| *value == text).unwrap_or(0))
    }

    /// Every value with its letter.
    pub(crate) fn legend(&self) -> impl Iterator<Item = (String, &str)> {
        self.values.iter().enumerate().map(|(index, value)| (letter(index), value.as_str()))
    }
}

/// A board size for people, as in `9×13`.
pub(crate) fn size_name(setting: &RunConfig) -> String {
    format!("{}×{}", setting.size.width(), setting.size.height())
}

/// What a cell is beside its board, as in `tromp-taylor, eye-safe`.
pub(crate) fn cell_name(setting: &RunConfig) -> String {
    format!("{}, {}", setting.rules, policy(setting))
}

/// A, B, …, Z, AA, AB, …
fn letter(index: usize) -> String {
    let last = char::from(b'A' + (index % 26) as u8);
    if index < 26 { last.to_string() } else { letter(index / 26 - 1) + &last.to_string() }
}

/// The axes of a study beside the board size.
#[derive(Clone, Debug)]
pub(crate) struct Naming {
    /// The rules.
    pub(crate) rules: Axis,
    /// The policy, with whatever else of a setting is unusual.
    pub(crate) policy: Axis,
}

impl Naming {
    pub(crate) fn of(study: &Study) -> Self {
        let rules = Axis::new(study, "rules", |setting| setting.rules.to_string());
        Self { rules, policy: Axis::new(study, "policy", policy) }
    }

    /// Rules and policy, in this order.
    pub(crate) fn axes(&self) -> [&Axis; 2] {
        [&self.rules, &self.policy]
    }

    /// What all cells have in common, as in `rules tromp-taylor, policy eye-safe`; empty if nothing.
    pub(crate) fn in_common(&self) -> String {
        let common = self.axes().into_iter().filter(|axis| axis.values.len() == 1);
        common.map(|axis| format!("{} {}", axis.name, axis.values[0])).collect::<Vec<_>>().join(", ")
    }

    /// A cell's name among the others: its size and what varies.
    pub(crate) fn short(&self, setting: &RunConfig) -> String {
        let varying = self.axes().into_iter().filter(|axis| axis.varies()).map(|axis| axis.of(setting));
        std::iter::once(size_name(setting)).chain(varying).collect::<Vec<_>>().join(", ")
    }
}

fn policy(setting: &RunConfig) -> String {
    let mut text = setting.policy.to_string();
    if !setting.has_default_ply_cap() {
        text += &format!(" cap={}", setting.ply_cap);
    }
    if setting.count_forbidden {
        text += " +candidates";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_never_end() {
        assert_eq!([0, 25, 26, 51, 52].map(letter), ["A", "Z", "AA", "AZ", "BA"]);
    }
}
