//! Things that come and go, each at a place of its own while it is there.

use std::ops::{Index, IndexMut};

/// A list whose places are used again, so that it grows to the most that was ever there at once, and no further.
pub struct Slab<T> {
    places: Vec<T>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Slab { places: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slab<T> {
    #[inline]
    pub fn insert(&mut self, thing: T) -> u32 {
        if let Some(at) = self.free.pop() {
            self.places[at as usize] = thing;
            return at;
        }
        self.places.push(thing);
        self.places.len() as u32 - 1
    }

    /// Gives the place free; what stood there stays until it is used again.
    #[inline]
    pub fn remove(&mut self, at: u32) {
        self.free.push(at);
    }

    /// How many things are there.
    #[inline]
    pub fn len(&self) -> usize {
        self.places.len() - self.free.len()
    }

    /// The most things that were ever there at once.
    pub fn most(&self) -> usize {
        self.places.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T> Index<u32> for Slab<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: u32) -> &T {
        &self.places[at as usize]
    }
}

impl<T> IndexMut<u32> for Slab<T> {
    #[inline]
    fn index_mut(&mut self, at: u32) -> &mut T {
        &mut self.places[at as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_used_again() {
        let mut slab = Slab::default();
        let places = ['a', 'b', 'c'].map(|it| slab.insert(it));
        assert_eq!(places, [0, 1, 2]);
        slab.remove(1);
        assert_eq!(slab.len(), 2);
        assert_eq!(slab.insert('d'), 1);
        assert_eq!(slab.insert('e'), 3);
        assert_eq!(places.map(|it| slab[it]), ['a', 'd', 'c']);
    }
}
