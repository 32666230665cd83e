//! The figures of the book's page on constrained output: those that the other tests measure.

/// Returns the numbers in the row of the first table that begins with a name: accepted texts.
fn numbers(name: &str) -> Vec<usize> {
    numbers_of(name, 0)
}

/// Returns the numbers in the row of the second table that begins with a name: rejected mutations.
fn mutation_numbers(name: &str) -> Vec<usize> {
    numbers_of(name, 1)
}

fn numbers_of(name: &str, table: usize) -> Vec<usize> {
    let page = include_str!("../../../docs/src/constrained-output.md");
    let table = page.split("\n|---|").nth(table + 1).expect("the page has two tables");
    let row =
        table.lines().find(|line| line.starts_with(&format!("| {name} |"))).unwrap_or_else(|| panic!("no row {name}"));
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
    let [games, without_custom_results] = crate::rgg::VALID;
    assert_eq!(numbers("RGG samples"), all(games));
    assert_eq!(numbers("RGG without plug-ins"), vec![without_custom_results, games]);
    for (name, [all, rejected]) in [("Game texts", crate::game::REJECTED), ("RGG documents", crate::rgg::REJECTED)] {
        assert_eq!(mutation_numbers(name), vec![rejected, all], "{name}");
    }
}
