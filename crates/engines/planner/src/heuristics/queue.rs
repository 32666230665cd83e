//! A monotone priority queue for small integer keys.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Keys below this bound are stored in buckets, others in a heap.
const BUCKETS: u32 = 1 << 14;

/// Items ordered by key. Keys must not be smaller than the last popped key, except after [`clear`](Self::clear).
#[derive(Debug, Default)]
pub(super) struct BucketQueue {
    buckets: Vec<Vec<u32>>,
    /// The bucket that is being emptied.
    current: u32,
    /// The number of items in buckets.
    filled: usize,
    rest: BinaryHeap<Reverse<(u32, u32)>>,
}

impl BucketQueue {
    /// Removes all items.
    pub(super) fn clear(&mut self) {
        if self.filled > 0 {
            for bucket in &mut self.buckets[self.current as usize..] {
                bucket.clear();
            }
        }
        self.current = 0;
        self.filled = 0;
        self.rest.clear();
    }

    /// Inserts an item.
    #[inline]
    pub(super) fn push(&mut self, key: u32, item: u32) {
        if key < BUCKETS {
            let place = key as usize;
            if place >= self.buckets.len() {
                self.buckets.resize_with(place + 1, Vec::new);
            }
            self.buckets[place].push(item);
            self.filled += 1;
        } else {
            self.rest.push(Reverse((key, item)));
        }
    }

    /// Removes an item with the minimum key.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u32, u32)> {
        if self.filled == 0 {
            return self.rest.pop().map(|Reverse(entry)| entry);
        }
        loop {
            if let Some(item) = self.buckets[self.current as usize].pop() {
                self.filled -= 1;
                return Some((self.current, item));
            }
            self.current += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BucketQueue;

    #[test]
    fn items_come_in_the_order_of_their_keys() {
        let mut queue = BucketQueue::default();
        for round in 0..2 {
            for item in 0..1000u32 {
                queue.push(item * 7919 % 1000 * 100, item);
            }
            let mut last = 0;
            for _ in 0..if round == 0 { 300 } else { 1000 } {
                let (key, item) = queue.pop().unwrap();
                assert!(key >= last && key == item * 7919 % 1000 * 100);
                last = key;
            }
            queue.clear();
            assert_eq!(queue.pop(), None);
        }
    }
}
