//! Tables of the frequencies of actions and consequences.

use std::io::{self, Write};

use goalspec::resource::game::Game;
use goalspec::simulator::frequencies::Frequencies;

use super::text::{percent, table};

/// The maximum number of rows of a table; JSON has all.
const MAX_ROWS: usize = 40;

/// Writes a table of the choices of each team, and one of the consequences of actions, except for actions whose only consequence is
/// certain.
pub(super) fn write(game: &Game, counts: &Frequencies, out: &mut (dyn Write + Send)) -> io::Result<()> {
    let choices = counts.choices(game);
    let turns =
        |team: &str| -> u64 { choices.iter().filter(|row| *row.team == *team).map(|row| row.count.chosen).sum() };
    let turns: Vec<u64> = game.teams.iter().map(|team| turns(&team.name)).collect();
    let rows = choices.iter().map(|row| {
        let place = game.teams.iter().position(|team| team.name == row.team).unwrap_or_default();
        let choice = row.choice.as_deref().unwrap_or("(pass)");
        let label = format!("{}: {choice}", row.team);
        vec![
            label,
            row.count.chosen.to_string(),
            proportion(row.count.chosen, turns[place]),
            proportion(row.count.valid, row.count.chosen),
        ]
    });
    section(["action", "count", "proportion of turns", "valid"], rows.collect(), out)?;
    let is_repeated = |action: &str| {
        game.actions.iter().any(|known| {
            let groups = &known.consequences;
            *known.name == *action
                && groups.iter().any(|group| group.odds < 1.0 || group.discount.is_some() || groups.len() > 1)
        })
    };
    let consequences = counts.consequences(game);
    let rows = consequences.iter().filter(|row| is_repeated(&row.action)).map(|row| {
        let label = format!("{}, consequence {}", row.action, row.consequence + 1);
        vec![label, row.occurred.to_string(), proportion(row.occurred, row.valid)]
    });
    section(["consequence", "count", "proportion of valid actions"], rows.collect(), out)
}

/// Writes a table, unless it has no rows.
fn section<const N: usize>(
    header: [&str; N],
    mut rows: Vec<Vec<String>>,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    let left = rows.len().saturating_sub(MAX_ROWS);
    rows.truncate(MAX_ROWS);
    if !rows.is_empty() {
        writeln!(out, "{}", table(header.map(str::to_owned).to_vec(), rows.into_iter()))?;
    }
    if left > 0 { writeln!(out, "and {left} more rows (all with --format json)") } else { Ok(()) }
}

/// Returns a percentage with one decimal; empty if `whole` is 0.
fn proportion(part: u64, whole: u64) -> String {
    if whole == 0 {
        return String::new();
    }
    percent((part as f64 / whole as f64 * 1000.0).round() / 1000.0)
}
