//! Values by key, in a list: of few keys it is as good as a tree, whose code is some kilobytes for each kind of key.

use std::borrow::Borrow;

use serde::{Deserialize, Serialize};

/// In the order of the keys. A new key costs as much as there are keys behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listed<K, V>(Vec<(K, V)>);

impl<K, V> Default for Listed<K, V> {
    fn default() -> Listed<K, V> {
        Listed(Vec::new())
    }
}

impl<K: Ord, V> Listed<K, V> {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|at| &self.0[at].1)
    }

    /// The value of a key; what it begins with, if there is none yet.
    pub fn at(&mut self, key: K, first: impl FnOnce() -> V) -> &mut V {
        let at = match self.place(&key) {
            Ok(at) => at,
            Err(at) => {
                self.0.insert(at, (key, first()));
                at
            }
        };
        &mut self.0[at].1
    }

    /// Whether the key is new.
    pub fn insert(&mut self, key: K, value: V) -> bool {
        let place = self.place(&key);
        match place {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (key, value)),
        }
        place.is_err()
    }

    pub fn remove(&mut self, key: &K) -> Option<V> {
        self.place(key).ok().map(|at| self.0.remove(at).1)
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn iter(&self) -> impl Iterator<Item = &(K, V)> {
        self.0.iter()
    }

    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|it| it.0.borrow().cmp(key))
    }
}

impl<K, V> IntoIterator for Listed<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_in_order_and_once() {
        let mut listed = Listed::default();
        for (key, value) in [(3, "three"), (1, "one"), (2, "two"), (1, "uno")] {
            assert_eq!(listed.insert(key, value), value != "uno");
        }
        assert_eq!(*listed.at(0, || "zero"), "zero");
        assert_eq!(*listed.at(3, || "tres"), "three");
        assert_eq!((listed.get(&1), listed.get(&7)), (Some(&"uno"), None));
        assert_eq!((listed.remove(&2), listed.remove(&2)), (Some("two"), None));
        assert!(listed.iter().eq(&[(0, "zero"), (1, "uno"), (3, "three")]));
        assert_eq!(listed.len(), listed.into_iter().count());
    }
}
