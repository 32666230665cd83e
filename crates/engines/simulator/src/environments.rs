//! Games that learning agents play: environments side by side, stepped with actions.
//!
//! Either every team is a learning agent, and a step is the turn of the team to move. Or one team is, and a step is its turn with the turns
//! of the others, which policies play, until it is to move again. The games are those of the command line: the game of a seed and an index
//! is the game that [`EpisodeRunner`](crate::episode::EpisodeRunner) plays with the same moves.

use std::sync::Arc;

use goalspec_resource::game::TeamId;
use goalspec_resource::turn::{Move, TurnResult};

use crate::action_mask::{ActionMasks, MaskBuffer};
use crate::actions::ActionSpace;
use crate::episode::{EpisodeEnd, Policies};
use crate::observation::ObservationLayout;
use crate::policy::TeamView;
use crate::returns::level;
use crate::simulator::Simulator;
use crate::state::State;

mod vector;

pub use vector::{Autoreset, FinalStates, StepArrays};

/// A game with the forms in which learning agents observe it and act in it.
#[derive(Debug)]
pub struct AgentInterface {
    /// The game.
    pub simulator: Simulator,
    /// The actions of the teams.
    pub actions: ActionSpace,
    /// The layout of observations.
    pub layout: ObservationLayout,
    /// The masks of actions.
    pub masks: ActionMasks,
}

/// The learning agent among several teams, and the policies of all teams, of which its own is not used. A policy is used for all games, so
/// that its choices may depend on nothing but its arguments.
#[derive(Debug)]
pub struct Learner {
    /// The team.
    pub team: TeamId,
    /// The policies.
    pub policies: PolicySet,
}

/// The policies of the teams, in the order of the teams.
pub struct PolicySet(pub Policies);

impl std::fmt::Debug for PolicySet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PolicySet").field(&self.0.len()).finish()
    }
}

/// Whether a game goes on, has ended or was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameStatus {
    /// The game has not begun, or it has failed.
    NotStarted,
    /// The game is running.
    Running,
    /// The termination condition held.
    Completed,
    /// The game reached the maximum number of turns.
    Truncated,
}

/// The error that ended a game.
#[derive(Debug, Clone, PartialEq)]
pub struct EnvironmentError {
    /// The seed of the game.
    pub seed: u64,
    /// Its index among the games of the seed.
    pub index: u64,
    /// The error: a failed game or a failed policy.
    pub end: EpisodeEnd,
}

/// A game with its seed, its index and its rewards.
#[derive(Debug, Clone)]
pub struct EnvironmentGame {
    seed: u64,
    index: u64,
    /// The difference between the indices of consecutive games of the environment.
    stride: u64,
    state: State,
    status: GameStatus,
    /// Whether a step has returned the end of the game.
    end_reported: bool,
    /// Whether a game of the environment has begun.
    has_begun: bool,
    /// The reward level of each team before the step, and the step reward.
    levels: Vec<f64>,
    rewards: Vec<f64>,
    out_of_bounds: u32,
}

impl EnvironmentGame {
    /// Returns the seed and the index of the game.
    pub fn id(&self) -> (u64, u64) {
        (self.seed, self.index)
    }

    /// Whether a game of the environment has begun, even if it has failed since.
    pub fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Returns the state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the status.
    #[inline]
    pub fn status(&self) -> GameStatus {
        self.status
    }

    /// Returns the [step rewards](crate::returns::Returns) of the last step, in the order of the teams: the change of each level since the
    /// step before. It is 0 for teams without a reward, and NaN if a level is not a number. If there is a learning agent, only its reward is
    /// computed.
    #[inline]
    pub fn rewards(&self) -> &[f64] {
        &self.rewards
    }

    /// Returns the number of values outside their declared spaces that were written in the last step.
    pub fn out_of_bounds(&self) -> u32 {
        self.out_of_bounds
    }

    /// Plays a turn; returns the status after it.
    #[inline]
    fn play(
        &mut self,
        simulator: &Simulator,
        chosen: &Move,
        turn: &mut TurnResult,
        max_turns: u32,
    ) -> Result<GameStatus, EpisodeEnd> {
        simulator.step(&mut self.state, chosen, turn).map_err(EpisodeEnd::Failed)?;
        self.out_of_bounds += turn.out_of_bounds.len() as u32;
        let team = simulator.team_before(&self.state);
        simulator.check_reward(&mut self.state, team).map_err(EpisodeEnd::Failed)?;
        self.status_before_turn(simulator, max_turns)
    }

    /// Returns the status before a turn.
    #[inline]
    fn status_before_turn(&mut self, simulator: &Simulator, max_turns: u32) -> Result<GameStatus, EpisodeEnd> {
        Ok(match simulator.is_over(&mut self.state).map_err(EpisodeEnd::Failed)? {
            true => GameStatus::Completed,
            false if self.state.turns() >= max_turns => GameStatus::Truncated,
            false => GameStatus::Running,
        })
    }
}

/// Environments of one game, side by side.
#[derive(Debug)]
pub struct Environments {
    interface: Arc<AgentInterface>,
    max_turns: u32,
    learner: Option<Learner>,
    games: Vec<EnvironmentGame>,
    buffer: MaskBuffer,
    turn: TurnResult,
    chosen: Move,
    /// The mask in which an action is looked up.
    mask: Vec<i8>,
}

impl Environments {
    /// Creates environments whose games have not begun; games of `max_turns` turns are truncated.
    pub fn new(interface: Arc<AgentInterface>, count: usize, max_turns: u32, learner: Option<Learner>) -> Self {
        let teams = interface.simulator.game().teams.len();
        let game = EnvironmentGame {
            seed: 0,
            index: 0,
            stride: 1,
            state: interface.simulator.initial_state(0, 0),
            status: GameStatus::NotStarted,
            end_reported: false,
            has_begun: false,
            levels: vec![0.0; teams],
            rewards: vec![0.0; teams],
            out_of_bounds: 0,
        };
        Self {
            max_turns,
            learner,
            games: vec![game; count],
            buffer: MaskBuffer::new(&interface.simulator),
            turn: TurnResult::default(),
            chosen: Move::Pass,
            mask: Vec::new(),
            interface,
        }
    }

    /// Returns the game with its forms for learning agents.
    pub fn interface(&self) -> &Arc<AgentInterface> {
        &self.interface
    }

    /// Returns the games.
    pub fn games(&self) -> &[EnvironmentGame] {
        &self.games
    }

    /// Returns the effects of the last turn that was played in any environment.
    pub fn last_turn(&self) -> &TurnResult {
        &self.turn
    }

    /// Replaces the game of an environment by a game of this interface, for example a copy of another one.
    pub fn set_game(&mut self, place: usize, game: EnvironmentGame) {
        self.games[place] = game;
    }

    /// Returns the team to move in a game, or the learning agent.
    #[inline]
    pub fn team(&self, place: usize) -> TeamId {
        match &self.learner {
            Some(learner) => learner.team,
            None => self.interface.simulator.team(&self.games[place].state),
        }
    }

    /// Begins the game `index` of a seed in an environment, whose further games have the indices `stride` apart. A learning agent that is not
    /// the first to move waits for its turn; if the game ends before, its status says so.
    ///
    /// # Errors
    /// If the game or a policy fails.
    pub fn reset(&mut self, place: usize, [seed, index]: [u64; 2], stride: u64) -> Result<(), EnvironmentError> {
        let game = &mut self.games[place];
        (game.seed, game.index, game.stride) = (seed, index, stride);
        self.begin(place)
    }

    /// Begins the next game of an environment.
    ///
    /// # Errors
    /// If the game or a policy fails.
    pub fn next_game(&mut self, place: usize) -> Result<(), EnvironmentError> {
        let game = &mut self.games[place];
        game.index = game.index.wrapping_add(game.stride);
        self.begin(place)
    }

    fn begin(&mut self, place: usize) -> Result<(), EnvironmentError> {
        let simulator = &self.interface.simulator;
        let game = &mut self.games[place];
        simulator.reset(&mut game.state, game.seed, game.index);
        game.rewards.fill(0.0);
        (game.out_of_bounds, game.end_reported, game.has_begun) = (0, false, true);
        match &self.learner {
            Some(learner) => game.levels[learner.team.index()] = level(simulator, &mut game.state, learner.team),
            None => game.levels.iter_mut().enumerate().for_each(|(team, before)| {
                *before = level(simulator, &mut game.state, team.into());
            }),
        }
        let status = self.turns(place, None);
        self.finish(place, status)
    }

    /// Plays the turn of the team to move, or of the learning agent and those after it. A game that is over is not changed: if it was over before
    /// the first turn of the learning agent, the first step has the reward of the turns before.
    ///
    /// # Errors
    /// If the game or a policy fails.
    ///
    /// # Panics
    /// If the team has no such action.
    pub fn step(&mut self, place: usize, action: usize) -> Result<(), EnvironmentError> {
        self.games[place].out_of_bounds = 0;
        match self.games[place].status {
            GameStatus::NotStarted => return Ok(()),
            GameStatus::Completed | GameStatus::Truncated => {}
            GameStatus::Running => {
                let status = self.turns(place, Some(action));
                self.finish(place, status)?;
            }
        }
        self.pay(place);
        self.games[place].end_reported = self.games[place].status != GameStatus::Running;
        Ok(())
    }

    /// Sets the step rewards to the changes of the levels.
    #[inline]
    fn pay(&mut self, place: usize) {
        let simulator = &self.interface.simulator;
        let EnvironmentGame { state, levels, rewards, .. } = &mut self.games[place];
        let mut pay = |team: usize| {
            let after = level(simulator, state, team.into());
            rewards[team] = after - levels[team];
            levels[team] = after;
        };
        match &self.learner {
            Some(learner) => pay(learner.team.index()),
            None => (0..simulator.game().teams.len()).for_each(pay),
        }
    }

    /// Records the status of a game, or its error.
    fn finish(&mut self, place: usize, status: Result<GameStatus, EpisodeEnd>) -> Result<(), EnvironmentError> {
        let game = &mut self.games[place];
        let (seed, index) = game.id();
        game.status = *status.as_ref().unwrap_or(&GameStatus::NotStarted);
        status.map(drop).map_err(|end| EnvironmentError { seed, index, end })
    }

    /// Plays an action of the team to move, if there is one, and lets the policies play until the learning agent is to move.
    #[inline]
    fn turns(&mut self, place: usize, action: Option<usize>) -> Result<GameStatus, EpisodeEnd> {
        let Self { interface, games, turn, chosen, learner, max_turns, .. } = self;
        let AgentInterface { simulator, actions, .. } = &**interface;
        let game = &mut games[place];
        let mut status = match action {
            None => game.status_before_turn(simulator, *max_turns)?,
            Some(action) => {
                let team = simulator.team(&game.state);
                game.play(simulator, &actions.of_team(team).moves()[action], turn, *max_turns)?
            }
        };
        let Some(learner) = learner else { return Ok(status) };
        while status == GameStatus::Running && simulator.team(&game.state) != learner.team {
            let mut view = TeamView::new(simulator, &mut game.state);
            let team = view.team();
            let choice = learner.policies.0[team.index()].choose(&mut view, chosen);
            choice.map_err(|error| EpisodeEnd::PolicyFailed { team, error })?;
            status = game.play(simulator, chosen, turn, *max_turns)?;
        }
        Ok(status)
    }

    /// Writes the observation of a team, and the mask of its actions; numbers of `mask` beyond them are 0. A team that is not to move, or whose
    /// game is not running, can only pass.
    ///
    /// # Panics
    /// If `observation` has not the width of the layout, or `mask` has fewer numbers than the team has actions.
    #[inline]
    pub fn write(&mut self, place: usize, team: TeamId, observation: &mut [f32], mask: &mut [i8]) {
        let AgentInterface { simulator, layout, .. } = &*self.interface;
        simulator.write_observation(layout, &self.games[place].state, team, observation);
        self.write_mask(place, team, mask);
    }

    /// Writes the mask of the actions of a team, as [`write`](Self::write) does.
    ///
    /// # Panics
    /// If `mask` has fewer numbers than the team has actions.
    #[inline]
    pub fn write_mask(&mut self, place: usize, team: TeamId, mask: &mut [i8]) {
        let AgentInterface { simulator, actions, masks, .. } = &*self.interface;
        let game = &self.games[place];
        let (own, others) = mask.split_at_mut(actions.of_team(team).len());
        others.fill(0);
        if game.status == GameStatus::Running && simulator.team(&game.state) == team {
            simulator.write_mask(masks, actions, &game.state, team, &mut self.buffer, own);
        } else {
            own.fill(0);
            own[0] = 1;
        }
    }

    /// Whether an action is in the mask of the team to move, or of the learning agent.
    pub fn is_masked_in(&mut self, place: usize, action: usize) -> bool {
        let team = self.team(place);
        let mut mask = std::mem::take(&mut self.mask);
        mask.resize(self.interface.actions.of_team(team).len(), 0);
        self.write_mask(place, team, &mut mask);
        let is_masked_in = mask.get(action).is_some_and(|valid| *valid != 0);
        self.mask = mask;
        is_masked_in
    }
}
