//! Domains of variables and the spaces they span.
//!
//! A space is a product of domains. Its points are numbered in mixed radix, the first dimension most significant, so that
//! the numerical order is the lexicographic order of the objects' positions in their domains.

use goalspec_core::ids::ObjectId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The identifier of a domain in a [`Domains`] table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct DomainId(pub(crate) u32);

/// An interner of the lists of objects that variables range over.
#[derive(Debug, Default)]
pub(crate) struct Domains {
    lists: Vec<Box<[ObjectId]>>,
    ids: FxHashMap<Box<[ObjectId]>, DomainId>,
}

impl Domains {
    pub(crate) fn intern(&mut self, objects: &[ObjectId]) -> DomainId {
        if let Some(&id) = self.ids.get(objects) {
            return id;
        }
        let id = DomainId(self.lists.len() as u32);
        self.lists.push(objects.into());
        self.ids.insert(objects.into(), id);
        id
    }

    pub(crate) fn objects(&self, id: DomainId) -> &[ObjectId] {
        &self.lists[id.0 as usize]
    }
}

/// The domains of a space's dimensions.
pub(crate) type Dims = SmallVec<[DomainId; 4]>;

/// A product of domains.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Space {
    pub(crate) dims: Dims,
    pub(crate) sizes: SmallVec<[u32; 4]>,
    /// For each dimension, the increase of a point's number per digit; meaningless in a space whose size has not been checked to
    /// fit memory.
    pub(crate) strides: SmallVec<[usize; 4]>,
}

impl Space {
    pub(crate) fn new(domains: &Domains, dims: Dims) -> Self {
        let sizes = dims.iter().map(|&id| domains.objects(id).len() as u32).collect();
        Self::of_sizes(dims, sizes)
    }

    fn of_sizes(dims: Dims, sizes: SmallVec<[u32; 4]>) -> Self {
        let mut strides = SmallVec::from_elem(1, sizes.len());
        for place in (1..sizes.len()).rev() {
            strides[place - 1] = usize::wrapping_mul(strides[place], sizes[place] as usize);
        }
        Self { dims, sizes, strides }
    }

    /// Returns the number of points, 1 for a space without dimensions; `None` if it exceeds 64 bits.
    pub(crate) fn checked_size(&self) -> Option<u64> {
        if self.sizes.contains(&0) {
            return Some(0);
        }
        self.sizes.iter().try_fold(1u64, |size, &next| size.checked_mul(u64::from(next)))
    }

    /// Returns the number of points of a space whose size has been checked to fit memory.
    pub(crate) fn size(&self) -> usize {
        // If one dimension is empty, the others may be of any size.
        if self.sizes.contains(&0) { 0 } else { self.sizes.iter().map(|&size| size as usize).product() }
    }

    /// Returns the digit of a point in one dimension.
    fn digit(&self, point: usize, dim: usize) -> usize {
        let quotient = point / self.strides[dim];
        // The first digit needs no remainder, which saves one of the costly divisions.
        if dim == 0 { quotient } else { quotient % self.sizes[dim] as usize }
    }

    /// Returns the object of a point in one dimension.
    pub(crate) fn object(&self, domains: &Domains, point: usize, dim: usize) -> ObjectId {
        domains.objects(self.dims[dim])[self.digit(point, dim)]
    }

    /// Iterates over the objects of a point. For many points, a [`PointCursor`] is faster.
    pub(crate) fn objects<'a>(&'a self, domains: &'a Domains, point: usize) -> impl Iterator<Item = ObjectId> + 'a {
        (0..self.dims.len()).map(move |dim| self.object(domains, point, dim))
    }
}

/// A cursor over points of a space, in ascending order, with the objects of each. It counts digits up, which is cheaper than dividing
/// each point by the strides.
#[derive(Debug)]
pub(crate) struct PointCursor<'a> {
    space: &'a Space,
    domains: SmallVec<[&'a [ObjectId]; 4]>,
    /// The dimension whose digit stays, if only a slice is visited.
    fixed: Option<usize>,
    digits: SmallVec<[u32; 4]>,
    objects: SmallVec<[ObjectId; 4]>,
    point: usize,
    remaining: usize,
    started: bool,
}

impl<'a> PointCursor<'a> {
    /// Creates a cursor over all points.
    pub(crate) fn all(space: &'a Space, domains: &'a Domains) -> Self {
        Self::new(space, domains, None, 0, space.size())
    }

    /// Creates a cursor over the points with one digit.
    pub(crate) fn slice(space: &'a Space, domains: &'a Domains, dim: usize, digit: u32) -> Self {
        let size = space.size().checked_div(space.sizes[dim] as usize).unwrap_or(0);
        Self::new(space, domains, Some(dim), digit as usize * space.strides[dim], size)
    }

    /// Creates a cursor over a single point.
    pub(crate) fn single(space: &'a Space, domains: &'a Domains, point: usize) -> Self {
        Self::new(space, domains, None, point, 1)
    }

    fn new(space: &'a Space, domains: &'a Domains, fixed: Option<usize>, point: usize, size: usize) -> Self {
        let domains: SmallVec<[&[ObjectId]; 4]> = space.dims.iter().map(|&dim| domains.objects(dim)).collect();
        let (mut digits, mut objects) = (SmallVec::new(), SmallVec::new());
        if size > 0 {
            digits.extend((0..domains.len()).map(|dim| space.digit(point, dim) as u32));
            objects.extend(domains.iter().zip(&digits).map(|(objects, &digit)| objects[digit as usize]));
        }
        Self { space, domains, fixed, digits, objects, point, remaining: size, started: false }
    }

    /// Returns the next point and its objects, one for each dimension.
    pub(crate) fn next(&mut self) -> Option<(usize, &[ObjectId])> {
        self.remaining = self.remaining.checked_sub(1)?;
        if std::mem::replace(&mut self.started, true) {
            self.step();
        }
        Some((self.point, &self.objects))
    }

    /// Goes to the next point, if there is one.
    fn step(&mut self) {
        for dim in (0..self.digits.len()).rev().filter(|&dim| self.fixed != Some(dim)) {
            let objects = self.domains[dim];
            self.digits[dim] += 1;
            self.point += self.space.strides[dim];
            if let Some(&object) = objects.get(self.digits[dim] as usize) {
                self.objects[dim] = object;
                return;
            }
            self.point -= objects.len() * self.space.strides[dim];
            self.digits[dim] = 0;
            self.objects[dim] = objects[0];
        }
    }
}

/// The layout of a vector over another space that has all its dimensions, in any order, and possibly more.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Layout {
    /// The sizes of the source's dimensions with their strides in the target.
    kept: SmallVec<[(u32, usize); 4]>,
    /// The sizes and strides of the target's additional dimensions that are not part of the run.
    free: SmallVec<[(u32, usize); 4]>,
    /// The number of adjacent target bits that each source bit fills at least.
    run: usize,
}

impl Layout {
    /// Creates a layout; `places[i]` is the dimension of the target that corresponds to dimension `i` of the source.
    pub(crate) fn new(source: &Space, target: &Space, places: &[usize]) -> Self {
        let strides = &target.strides;
        let kept_digits = source.sizes.iter().zip(places).map(|(&size, &place)| (size, strides[place])).collect();
        let mut free = SmallVec::new();
        let mut run = 1;
        for place in (0..target.sizes.len()).rev().filter(|place| !places.contains(place)) {
            if strides[place] == run {
                run = usize::wrapping_mul(run, target.sizes[place] as usize);
            } else {
                free.push((target.sizes[place], strides[place]));
            }
        }
        Self { kept: kept_digits, free, run }
    }

    /// Sets or clears all bits of the target that stand for a point of the source.
    pub(crate) fn put(&self, target: &mut [u64], source_point: usize, value: bool) {
        if target.is_empty() {
            return;
        }
        let mut base = 0;
        let mut remainder = source_point;
        for &(size, stride) in self.kept.iter().rev() {
            base += remainder % size as usize * stride;
            remainder /= size as usize;
        }
        self.put_free(target, &self.free, base, value);
    }

    fn put_free(&self, target: &mut [u64], free: &[(u32, usize)], base: usize, value: bool) {
        match free {
            [] if self.run == 1 => {
                crate::bits::put(target, base, value);
            }
            [] => crate::bits::put_range(target, base, self.run, value),
            [(size, stride), rest @ ..] => {
                for digit in 0..*size as usize {
                    self.put_free(target, rest, base + digit * stride, value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits;

    /// Returns the digits of a point.
    fn digits(space: &Space, point: usize) -> Vec<usize> {
        space.sizes.iter().zip(&space.strides).map(|(&size, &stride)| point / stride % size as usize).collect()
    }

    fn space(sizes: &[u32]) -> Space {
        Space::of_sizes(sizes.iter().map(|&size| DomainId(size)).collect(), sizes.into())
    }

    #[test]
    fn digits_number_points_with_the_first_dimension_slowest() {
        let space = space(&[2, 3, 5]);
        let all: Vec<Vec<_>> = (0..30).map(|point| digits(&space, point)).collect();
        assert!(all.is_sorted());
        assert_eq!(all[29].as_slice(), [1, 2, 4]);
        for (point, digits) in all.iter().enumerate() {
            assert_eq!(point, digits.iter().zip(&space.strides).map(|(digit, stride)| digit * stride).sum::<usize>());
        }
    }

    #[test]
    fn cursors_visit_each_point_with_its_objects() {
        let mut domains = Domains::default();
        let domain = |size| domains.intern(&(0..size).map(ObjectId).collect::<Vec<_>>());
        let dims: Dims = [2, 3, 5].map(domain).into_iter().collect();
        let space = Space::new(&domains, dims);
        let visited = |mut cursor: PointCursor<'_>| {
            let mut all = Vec::new();
            while let Some((point, objects)) = cursor.next() {
                let found: Vec<usize> = objects.iter().map(|object| object.index()).collect();
                assert_eq!(found, digits(&space, point));
                all.push(point);
            }
            all
        };
        assert_eq!(visited(PointCursor::all(&space, &domains)), (0..30).collect::<Vec<_>>());
        for (dim, &size) in space.sizes.iter().enumerate() {
            for digit in 0..size {
                let expected: Vec<_> = (0..30).filter(|&point| digits(&space, point)[dim] == digit as usize).collect();
                assert_eq!(visited(PointCursor::slice(&space, &domains, dim, digit)), expected);
            }
        }
        assert_eq!(visited(PointCursor::single(&space, &domains, 17)), [17]);
        let none = Space::new(&domains, Dims::new());
        assert_eq!(visited_points(PointCursor::all(&none, &domains)), [0]);
        let empty = domains.intern(&[]);
        let empty = Space::new(&domains, [space.dims[0], empty].into_iter().collect());
        assert!(visited_points(PointCursor::all(&empty, &domains)).is_empty());
        assert!(visited_points(PointCursor::slice(&empty, &domains, 0, 1)).is_empty());
    }

    fn visited_points(mut cursor: PointCursor<'_>) -> Vec<usize> {
        std::iter::from_fn(|| cursor.next().map(|(point, _)| point)).collect()
    }

    #[test]
    fn a_layout_sets_the_points_that_share_the_kept_digits() {
        let target = space(&[3, 4, 7]);
        for places in [vec![], vec![0], vec![1], vec![2], vec![0, 1], vec![1, 0], vec![2, 0], vec![2, 1, 0]] {
            let sizes: Vec<_> = places.iter().map(|&place| target.sizes[place]).collect();
            let source = space(&sizes);
            let layout = Layout::new(&source, &target, &places);
            for point in 0..source.size() {
                let mut vector = vec![0; bits::words(target.size())];
                layout.put(&mut vector, point, true);
                let matches = |&at: &usize| {
                    let digits = digits(&target, at);
                    places.iter().zip(self::digits(&source, point)).all(|(&place, digit)| digits[place] == digit)
                };
                let expected: Vec<_> = (0..target.size()).filter(matches).collect();
                assert_eq!(bits::ones(&vector).collect::<Vec<_>>(), expected, "{places:?} {point}");
                layout.put(&mut vector, point, false);
                assert!(!bits::any(&vector));
            }
        }
    }
}
