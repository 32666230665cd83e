//! The figures of the book's page on constrained output: those that the other tests measure.

/// Returns the numbers in the row of the page that begins with a name.
fn numbers(name: &str) -> Vec<usize> {
    let page = include_str!("../../../docs/src/constrained-output.md");
    let row =
        page.lines().find(|line| line.starts_with(&format!("| {name} |"))).unwrap_or_else(|| panic!("no row {name}"));
    let figures = row.rsplit('|').nth(1).expect("a table has cells");
    figures.split(|letter: char| !letter.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}

#[test]
fn the_page_states_the_measured_figures() {
    let all = |count: usize| vec![count, count];
    assert_eq!(numbers("LOT facts and sentences"), all(crate::lot::ACCEPTED));
    assert_eq!(numbers("PDDL tasks"), all(crate::pddl::TASKS));
    assert_eq!(numbers("BDDL goals 1.0"), all(crate::bddl::ACCEPTED[0]));
    assert_eq!(numbers("BDDL goals 3.6"), all(crate::bddl::ACCEPTED[1]));
    assert_eq!(numbers("Games"), all(crate::game::ACCEPTED));
    assert_eq!(numbers("Reward functions"), all(crate::reward::ACCEPTED));
    assert_eq!(numbers("RGG samples"), vec![4, 6]);
}
