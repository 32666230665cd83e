//! Selection of the mutex groups that become variables.

/// Partitions atoms greedily: repeatedly selects the largest group, counting only atoms not yet covered. The remaining atoms
/// become groups of their own and come last. `atoms` marks the atoms to be covered.
pub(super) fn cover(groups: &[Vec<u32>], atoms: &[bool]) -> Vec<Vec<u32>> {
    let mut groups_of: Vec<Vec<u32>> = vec![Vec::new(); atoms.len()];
    let mut sizes = vec![0_usize; groups.len()];
    let mut free = atoms.to_vec();
    for (place, group) in groups.iter().enumerate() {
        for &atom in group.iter().filter(|&&atom| atoms[atom as usize]) {
            groups_of[atom as usize].push(place as u32);
            sizes[place] += 1;
        }
    }
    let largest = sizes.iter().copied().max().unwrap_or(0);
    // Groups by size at the time of insertion; their current size can be smaller.
    let mut by_size: Vec<Vec<u32>> = vec![Vec::new(); largest + 1];
    for (place, &size) in sizes.iter().enumerate().rev() {
        by_size[size].push(place as u32);
    }
    let mut chosen = Vec::new();
    let mut size = largest;
    while size > 1 {
        let Some(place) = by_size[size].pop() else {
            size -= 1;
            continue;
        };
        let now = sizes[place as usize];
        if now < size {
            by_size[now].push(place);
            continue;
        }
        let group: Vec<u32> = groups[place as usize].iter().copied().filter(|&atom| free[atom as usize]).collect();
        for &atom in &group {
            free[atom as usize] = false;
            groups_of[atom as usize].iter().for_each(|&other| sizes[other as usize] -= 1);
        }
        chosen.push(group);
    }
    chosen.extend((0..atoms.len() as u32).filter(|&atom| free[atom as usize]).map(|atom| vec![atom]));
    chosen
}

#[cfg(test)]
mod tests {
    use super::cover;

    #[test]
    fn large_groups_come_first_and_single_atoms_last() {
        let groups = [vec![0, 1], vec![1, 2, 3], vec![3, 4]];
        assert_eq!(cover(&groups, &[true; 6]), [vec![1, 2, 3], vec![0], vec![4], vec![5]]);
        assert_eq!(cover(&groups, &[true, true, false, false, true, true]), [vec![0, 1], vec![4], vec![5]]);
    }
}
