//! Series of new goals: made on several threads, and written in order.

use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;

use rayon::prelude::*;

use crate::args::SeriesArgs;
use crate::output::{CommandError, Output, write_file};
use crate::progress::Progress;
use crate::threads::thread_pool;

/// The number of goals that are made before any is written.
const CHUNK: u64 = 4096;

/// A new goal as it is written.
pub(super) struct Record {
    /// Its name.
    pub(super) name: String,
    /// Its text: a program, or a line of JSON.
    pub(super) text: String,
    /// The text of its plan, for a file beside it.
    pub(super) plan: Option<String>,
}

/// The kind of goals of a series.
pub(super) struct GoalKind {
    /// The words for one and for several.
    pub(super) nouns: [&'static str; 2],
    /// The ending of the names of files.
    pub(super) ending: &'static str,
}

/// The writer of a series of new goals.
pub(super) struct Series<'a> {
    args: &'a SeriesArgs,
    kind: GoalKind,
    pool: Arc<rayon::ThreadPool>,
    /// The names of the files so far.
    files: HashSet<String>,
    written: u64,
    missing: u64,
}

impl<'a> Series<'a> {
    /// Creates the writer of goals, [`SeriesArgs::count`] of each of some examples.
    pub(super) fn new(args: &'a SeriesArgs, kind: GoalKind, examples: usize) -> Result<Self, CommandError> {
        if args.first.checked_add(args.count).is_none() {
            let message = format!("the indices exceed the largest index {}", u64::MAX);
            return Err(CommandError::Usage(message));
        }
        let is_one = args.count == 1 && examples <= 1;
        if kind.ending == "yaml" && !is_one && args.output.is_none() && !args.is_json() {
            let message = "several games in YAML need a folder: use --output or --format jsonl";
            return Err(CommandError::Usage(message.to_owned()));
        }
        if let Some(folder) = &args.output {
            std::fs::create_dir_all(folder).map_err(|error| CommandError::File(folder.clone(), error))?;
        }
        let pool = thread_pool(args.threads)?;
        Ok(Self { args, kind, pool, files: HashSet::new(), written: 0, missing: 0 })
    }

    /// Makes and writes all goals of the series.
    pub(super) fn write(
        &mut self,
        make: &(dyn Fn(u64) -> Option<Record> + Sync),
        output: &mut Output,
    ) -> Result<(), CommandError> {
        self.write_each(make, output, |series, record, output| series.write_one(&record, output))
    }

    /// Makes all goals of the series, each with a digest of its content, and writes those whose digest no earlier one has.
    pub(super) fn write_different(
        &mut self,
        make: &(dyn Fn(u64) -> Option<(u64, Record)> + Sync),
        output: &mut Output,
    ) -> Result<(), CommandError> {
        let mut known = HashSet::new();
        self.write_each(make, output, |series, (digest, record), output| {
            if known.insert(digest) {
                return series.write_one(&record, output);
            }
            series.missing += 1;
            Ok(())
        })
    }

    /// Makes all goals of the series on several threads, and writes them in order.
    fn write_each<T: Send>(
        &mut self,
        make: &(dyn Fn(u64) -> Option<T> + Sync),
        output: &mut Output,
        mut write: impl FnMut(&mut Self, T, &mut Output) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let progress = Progress::games(self.args.count);
        let end = self.args.first + self.args.count;
        let mut first = self.args.first;
        while first < end {
            let next = (first + CHUNK).min(end);
            let records: Vec<_> = self.pool.install(|| (first..next).into_par_iter().map(make).collect());
            for record in records {
                match record {
                    Some(record) => write(self, record, output)?,
                    None => self.missing += 1,
                }
            }
            progress.add(next - first);
            first = next;
        }
        progress.finish();
        Ok(())
    }

    fn write_one(&mut self, record: &Record, output: &mut Output) -> Result<(), CommandError> {
        let is_json = self.args.is_json();
        if let Some(folder) = &self.args.output {
            let ending = if is_json { "json" } else { self.kind.ending };
            let stem = unused_stem(&record.name, &mut self.files);
            write_file(&folder.join(format!("{stem}.{ending}")), &record.text)?;
            if let (Some(plan), false) = (&record.plan, is_json) {
                write_file(&folder.join(format!("{stem}.plan")), plan)?;
            }
        } else {
            if self.written > 0 && !is_json {
                writeln!(output)?;
            }
            write!(output, "{}", record.text)?;
        }
        self.written += 1;
        Ok(())
    }

    /// Reports the goals that were not found. Returns whether there are none.
    pub(super) fn is_complete(&self, reason: &str, output: &mut Output) -> bool {
        let [one, several] = self.kind.nouns;
        let written = self.written;
        if let Some(folder) = &self.args.output {
            let noun = if written == 1 { one } else { several };
            output.note(&format!("{written} {noun} in {}", folder.display()));
        }
        if self.missing > 0 {
            let (missing, all) = (self.missing, self.missing + written);
            output.note(&format!("goalspec: {missing} of {all} {several} were not found: {reason}"));
        }
        self.missing == 0
    }
}

/// Returns a name for a file in the folder of a series that no other goal of it has. Names come from programs, so they may have any characters.
fn unused_stem(name: &str, used: &mut HashSet<String>) -> String {
    let safe = |character: char| if character.is_alphanumeric() || "-_.".contains(character) { character } else { '_' };
    let stem: String = name.chars().map(safe).collect();
    let stem = stem.trim_start_matches('.');
    let numbered = (2..).map(|number: u64| format!("{stem}-{number}"));
    let unused = std::iter::once(stem.to_owned()).chain(numbered).find(|stem| !used.contains(stem));
    let unused = unused.unwrap_or_default();
    used.insert(unused.clone());
    unused
}
