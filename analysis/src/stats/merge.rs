//! Adding up counts.

use std::collections::BTreeMap;

/// Counts that add up: merging the parts of a collection gives what counting all of it at once would have given, in any order.
pub trait Merge {
    /// Adds the counts of `other`.
    fn merge(&mut self, other: &Self);
}

/// Merges a struct by adding up its fields. Leaving a field out does not compile.
macro_rules! merge_fields {
    ($type:ty: $($field:ident),+ $(; not $($rest:ident),+)?) => {
        impl $crate::stats::Merge for $type {
            fn merge(&mut self, other: &Self) {
                let Self { $($field,)+ $($($rest: _),+)? } = other;
                $($crate::stats::Merge::merge(&mut self.$field, $field);)+
            }
        }
    };
}
pub(crate) use merge_fields;

impl Merge for u64 {
    fn merge(&mut self, other: &Self) {
        *self += other;
    }
}

/// Of pairs, the first is a name that both have.
impl<K, V: Merge> Merge for (K, V) {
    fn merge(&mut self, other: &Self) {
        self.1.merge(&other.1);
    }
}

impl<T: Merge, const N: usize> Merge for [T; N] {
    fn merge(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(mine, theirs)| mine.merge(theirs));
    }
}

impl<T: Merge> Merge for Vec<T> {
    fn merge(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(mine, theirs)| mine.merge(theirs));
    }
}

impl<K: Clone + Ord, V: Clone + Merge> Merge for BTreeMap<K, V> {
    fn merge(&mut self, other: &Self) {
        for (key, theirs) in other {
            match self.get_mut(key) {
                Some(mine) => mine.merge(theirs),
                None => _ = self.insert(key.clone(), theirs.clone()),
            }
        }
    }
}
