//! Passes over a trace: a pass shared by all programs of a world, then a pass of its own for each program that takes much work.

use std::borrow::Cow;
use std::sync::Arc;

use goalspec_core::monitor::{Refusal, Step};
use goalspec_core::playback::Playback;
use goalspec_core::state::{Delta, State};
use goalspec_core::world::World;
use goalspec_syntax::Diagnostic;
use goalspec_syntax::diagnostic::Severity;
use goalspec_trace::{Peeked, ReadOptions, TraceReader};
use rayon::prelude::*;

use super::{Input, Options, Outcome, ScoreEvent, ScoreObserver, Semantics, about, adapted, damaged, refusal};
use crate::budget::{Budget, Stopped};
use crate::codes;
use crate::program::Program;
use crate::runner::{Judgement, Prepared, Runner};
use crate::{traces, why};

/// The number of states between two reports of progress.
pub(crate) const PROGRESS_STATES: u64 = 256;

/// The divisor of a program's budget in a shared pass, in which other programs wait for it.
const SHARED_PART: u64 = 32;

/// The input and the options of the passes over a trace.
#[derive(Clone, Copy)]
pub(crate) struct Pass<'p> {
    pub(crate) input: &'p Input,
    pub(crate) options: &'p Options,
    pub(crate) read: &'p ReadOptions<'p>,
}

/// A program in a pass.
struct Run<'r, 'q> {
    program: &'q Program,
    runner: Runner<'r>,
    rewards: Vec<f64>,
    end: Option<End>,
}

/// The end of a program in a pass.
enum End {
    /// The trace or the game ended.
    Judged(Box<Judgement>),
    /// The program exceeded its work limit in this state.
    Stopped(Stopped, Box<Judgement>),
}

/// The parameters of one pass.
struct Asked<'a> {
    /// The budget of each program.
    budget: Budget,
    /// Whether programs that exceed the budget are deferred to a later pass; otherwise they are stopped.
    defers: bool,
    /// Whether the remarks of the reader are reported, which happens in only one pass over the trace.
    remarks: bool,
    progress: &'a dyn Fn(u64),
    observer: ScoreObserver<'a>,
}

/// The programs of a world that exceeded their budget in the shared pass.
pub(crate) struct Later {
    world: Arc<World>,
    programs: Vec<Program>,
    /// Whether the remarks of the reader are still to be reported, since the shared pass ended before the trace did.
    remarks: bool,
}

impl Pass<'_> {
    /// Scores the trace by programs of one world. If other programs wait for them (`awaited`), those that take much work are
    /// deferred.
    pub(crate) fn shared(
        self,
        world: &Arc<World>,
        programs: &[&Program],
        awaited: bool,
        progress: &dyn Fn(u64),
        observer: ScoreObserver<'_>,
    ) -> Result<Later, Box<Diagnostic>> {
        let source = self.input.open().map_err(damaged)?;
        let world = match source.extend(world).map_err(damaged)? {
            Cow::Borrowed(_) => world.clone(),
            Cow::Owned(extended) => Arc::new(extended),
        };
        drop(source);
        let programs: Vec<Program> = programs.iter().map(|program| adapted(program, &world)).collect();
        let all: Vec<&Program> = programs.iter().collect();
        let budget = if awaited { self.options.budget.part(SHARED_PART) } else { self.options.budget };
        let asked = Asked { budget, defers: awaited, remarks: true, progress, observer };
        let later = self.once(&world, &all, &asked)?;
        let remarks = later.len() == all.len();
        let programs = later.into_iter().cloned().collect();
        Ok(Later { world, programs, remarks })
    }

    /// Scores the trace by the deferred programs, each in a pass of its own, several in parallel.
    pub(crate) fn alone(self, later: &[Later], observer: ScoreObserver<'_>) {
        let programs: Vec<(&Arc<World>, &Program, bool)> = later
            .iter()
            .flat_map(|Later { world, programs, remarks }| {
                programs.iter().enumerate().map(move |(at, program)| (world, program, *remarks && at == 0))
            })
            .collect();
        programs.par_iter().for_each(|&(world, program, remarks)| {
            let Options { budget, .. } = *self.options;
            let asked = Asked { budget, defers: false, remarks, progress: &|_| {}, observer };
            if let Err(error) = self.once(world, &[program], &asked) {
                self.report(observer, *error);
            }
        });
    }

    fn report(&self, observer: ScoreObserver<'_>, finding: Diagnostic) {
        observer(ScoreEvent::Diagnostic(Box::new(about(&self.input.name(), finding))));
    }

    /// Runs one pass with these programs and returns the deferred ones.
    fn once<'q>(
        &self,
        world: &'q Arc<World>,
        programs: &[&'q Program],
        asked: &Asked<'_>,
    ) -> Result<Vec<&'q Program>, Box<Diagnostic>> {
        let (mut later, mut prepared, mut outcomes) = (Vec::new(), Vec::new(), Vec::new());
        for program in programs {
            match Prepared::within(program, world, self.options, asked.budget.limit(0)) {
                Ok(Some(ready)) => prepared.push((*program, ready)),
                Ok(None) => {}
                Err(Refusal::TooMuchWork { .. }) if asked.defers => later.push(*program),
                Err(Refusal::TooMuchWork { limit }) => {
                    let stopped = Stopped { state: 0, limit };
                    let end =
                        End::Stopped(stopped, Box::new(Judgement::of_stopped_game(0, false, stopped.to_string())));
                    outcomes.push(self.outcome(world, program, Vec::new(), end));
                }
                Err(refused) => self.report(asked.observer, *refusal(program, &refused)),
            }
        }
        let mut runs = Vec::new();
        for (program, ready) in &prepared {
            match ready.start(self.options) {
                Ok(runner) => runs.push(Run { program, runner, rewards: Vec::new(), end: None }),
                Err(refused) => self.report(asked.observer, *refusal(program, &refused)),
            }
        }
        let reader = self.input.open().and_then(|source| source.read(world, self.read)).map_err(damaged)?;
        let mut reader = Peeked::new(reader);
        self.play(world, &mut reader, &mut runs, asked)?;
        let left = |run: &Run<'_, '_>| asked.defers && matches!(run.end, Some(End::Stopped(..)));
        let all_left = later.len() + runs.iter().filter(|run| left(run)).count() == programs.len();
        if asked.remarks && !all_left {
            let reader = reader.reader();
            let named = reader.header().world.as_deref();
            let remarks = traces::with_probable_world(reader.remarks(), named, world);
            for remark in remarks {
                self.report(asked.observer, remark);
            }
        }
        for Run { program, rewards, end, .. } in runs {
            match end {
                Some(End::Stopped(..)) if asked.defers => later.push(program),
                Some(end) => outcomes.push(self.outcome(world, program, rewards, end)),
                None => {}
            }
        }
        if self.options.explain {
            match self.options.semantics {
                Semantics::Spec => why::explain(self, world, programs, &mut outcomes)?,
                Semantics::Reference => outcomes.iter_mut().for_each(why::unrecorded),
            }
        }
        for outcome in outcomes {
            self.hand_over(outcome, asked.observer);
        }
        Ok(later)
    }

    /// Steps the programs through the states of the trace.
    fn play(
        &self,
        world: &World,
        reader: &mut Peeked<goalspec_trace::Reader<'_>>,
        runs: &mut [Run<'_, '_>],
        asked: &Asked<'_>,
    ) -> Result<(), Box<Diagnostic>> {
        let mut playback = Playback::new(world);
        let mut delta = Delta::default();
        let mut reported = 0;
        while let Some(last) = reader.next(&mut delta).map_err(damaged)? {
            playback.advance(&delta);
            let step = playback.step(&delta, last);
            let now = Now { number: playback.steps(), limit: asked.budget.limit(playback.steps()) };
            for run in runs.iter_mut().filter(|run| run.end.is_none()) {
                run.step(&step, now, self.options.per_step);
            }
            if playback.steps().is_multiple_of(PROGRESS_STATES) {
                let offset = reader.reader().offset();
                (asked.progress)(offset - reported);
                reported = offset;
            }
            if runs.iter().all(|run| run.end.is_some()) {
                break;
            }
        }
        (asked.progress)(reader.reader().offset() - reported);
        let now = Now { number: playback.steps(), limit: asked.budget.limit(playback.steps()) };
        for run in runs.iter_mut().filter(|run| run.end.is_none()) {
            run.finish(playback.state(), now);
        }
        Ok(())
    }

    /// Returns the outcome of a program that ended.
    fn outcome(&self, world: &Arc<World>, program: &Program, rewards: Vec<f64>, end: End) -> Outcome {
        let (mut judgement, stopped) = match end {
            End::Judged(judgement) => (*judgement, None),
            End::Stopped(stopped, judgement) => (*judgement, Some(stopped)),
        };
        if let Judgement::Game(report) = &mut judgement
            && !self.options.explain
        {
            // Some engines record attempts even if they are not asked to explain.
            report.preferences.iter_mut().for_each(|preference| preference.attempt = None);
        }
        Outcome {
            program: program.name.clone(),
            trace: self.input.name().into(),
            world: world.clone(),
            judgement,
            rewards,
            stopped,
        }
    }

    /// Reports an outcome, preceded by an error if the program was stopped.
    fn hand_over(&self, outcome: Outcome, observer: ScoreObserver<'_>) {
        if let Some(stopped) = outcome.stopped {
            let message = format!("`{}` over `{}` was {stopped}", outcome.program, outcome.trace);
            self.report(observer, Diagnostic::new(codes::OVER_BUDGET, Severity::Error, message));
        }
        observer(ScoreEvent::Outcome(Box::new(outcome)));
    }
}

/// A state in a pass.
#[derive(Clone, Copy)]
struct Now {
    /// The number of the state, from 1.
    number: u64,
    /// The work limit up to this state.
    limit: u64,
}

impl Run<'_, '_> {
    /// Evaluates a state, and stops the program if that exceeds the work limit.
    fn step(&mut self, step: &Step<'_>, now: Now, per_step: bool) {
        self.runner.work().set_limit(now.limit);
        let verdict = self.runner.step(step);
        if self.runner.work().is_over() {
            return self.stop(now);
        }
        if per_step {
            self.rewards.push(verdict.reward());
        }
        if verdict.done() {
            self.finish(step.state, now);
        }
    }

    /// Judges the states seen, of which `state` is the last one.
    fn finish(&mut self, state: &State, now: Now) {
        self.runner.work().set_limit(now.limit);
        let judgement = self.runner.finish(state);
        if self.runner.work().is_over() {
            return self.stop(now);
        }
        self.end = Some(End::Judged(Box::new(judgement)));
    }

    fn stop(&mut self, now: Now) {
        let stopped = Stopped { state: now.number, limit: now.limit };
        let judgement = self.runner.stopped(now.number, stopped.to_string());
        self.end = Some(End::Stopped(stopped, Box::new(judgement)));
    }
}
