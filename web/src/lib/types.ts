// The documents of the viewer. They are described by the schema of `goalspec score --format json` and by the crate of the viewer.

export type Run = [number, number];

export interface Place {
  line: number;
  column: number;
  offset: number | null;
}

export interface Span {
  file: string;
  start: Place;
  end: Place;
}

export interface Diagnostic {
  code: string;
  severity: string;
  message: string;
  label: string | null;
  help: string | null;
  span: Span | null;
}

export interface FailedCondition {
  condition: string;
  value: boolean;
  numbers: number[];
  operator?: number;
  span: Span | null;
}

export interface Satisfaction {
  binding: Record<string, string>;
  start: number;
  end: number;
  measures?: { name: string; value: number | null }[];
}

export interface Preference {
  name: string;
  count: number;
  satisfactions: Satisfaction[];
  dropped_satisfactions?: number;
  best_attempt?: {
    binding: Record<string, string>;
    operator: number;
    events: number;
    start: number;
    failed_at: number;
    failed_conditions: FailedCondition[];
  };
}

export interface Lane {
  id: number;
  true_ids?: number[];
  binding: Record<string, string>;
  names: Record<string, string>;
  furthest: number;
  progress: [number, number, number][];
  satisfied: { start: number; end: number; operators?: { operator: number; start: number; end: number }[] }[];
  broken: number[];
  true?: Run[][];
}

/** A position of the automaton of a preference: the requirements on one state. */
export interface Position {
  operator: number;
  event: number | null;
  repeats: boolean;
  optional: boolean;
  /** Whether an attempt may begin and end here. */
  initial: boolean;
  accepting: boolean;
  /** The numbers of the positions of the next state, from 1. */
  successors: number[];
}

export interface PreferenceLanes {
  name: string;
  bindings: number;
  begun: number;
  operators: { text: string | null; span: Span | null }[];
  level_operators: number[];
  /** The positions that are the levels of the lanes; the last ones may be reached only by completed attempts. */
  automaton?: Position[];
  conditions: { condition: string; operator: number; event: number | null; span: Span | null }[];
  lanes: Lane[];
}

export interface Outcome {
  program: string;
  trace: string;
  world: string;
  score: number | null;
  score_error?: string;
  states: number;
  setup_met?: boolean;
  terminal?: number | null;
  preferences?: Preference[];
  goal_satisfied?: boolean;
  first_satisfied?: number | null;
  satisfied?: number[];
  unsatisfied?: number[];
  failed_conditions?: FailedCondition[][];
  remarks: string[];
  rewards?: number[];
  lanes?: { setup?: Run[]; setup_id?: number; preferences: PreferenceLanes[]; stopped_at?: number };
  conjuncts?: {
    goal: Run[];
    goal_id: number;
    conjuncts: { condition: string; span: Span | null; true: Run[]; id: number }[];
  };
}

/** A number as JSON has it: numbers that JSON lacks are texts such as `NaN` and `-inf`. */
export type JsonNumber = number | string | null;

export interface RewardOutcome {
  program: string;
  trace: string;
  score: JsonNumber;
  total: JsonNumber;
  frames: number;
  episodes: { episode: number; total: JsonNumber; score: JsonNumber; frames: number }[];
  failures: { kind: string; message: string; line: number | null; first_frame: number; frames: number }[];
  other_failures?: number;
  terms?: { id: string; name: string; line: number; sum: JsonNumber; frames: number; nonzero_frames: number }[];
  components?: Record<string, { sum: JsonNumber; frames: number; nonzero_frames: number }>;
  rewards?: JsonNumber[];
  errors?: (string | null)[];
  term_rewards?: Record<string, JsonNumber[]>;
  component_rewards?: Record<string, JsonNumber[]>;
  sums: JsonNumber[];
  frame_numbers: number[];
}

export interface Condition {
  line: number;
  text: string;
  held: number;
  failed: number;
}

/** The reason for the reward of a frame. */
export interface Reason {
  frame: number;
  episode: number;
  reward: JsonNumber;
  error: string | null;
  traceback: { line: number; function: string }[];
  terms: { id: string; name: string; line: number; text: string; value: JsonNumber }[];
  components: Record<string, JsonNumber>;
  branches: Condition[];
  comparisons: (Condition & { left: JsonNumber[] | null; right: JsonNumber[] | null })[];
  printed: string;
}

/** A finding about a reward function. */
export interface Finding {
  kind: string;
  severity: string;
  message: string;
  span: Span | null;
  text: string | null;
  evidence: string[];
  help: string[];
  /** Findings with the same cause. */
  consequences: Finding[];
}

/** An audit of a reward function, as `goalspec audit --format json` prints it. */
export interface AuditDocument {
  program: string;
  world: string;
  findings: Finding[];
}

export interface UnmetCondition {
  condition: string;
  value: boolean;
  numbers: number[];
  since: number | null;
  remedies: string[];
  span: Span | null;
}

export interface Violation {
  name: string;
  binding: Record<string, string>;
  text: string | null;
  span: Span | null;
}

/** A plan and its judgement. */
export interface PlanResult {
  /** As `goalspec validate --format json` prints it. */
  validation: {
    valid: boolean;
    steps: number;
    applied_steps: number;
    failed_step: string | null;
    goal_satisfied: boolean;
    unmet_conditions: UnmetCondition[];
    constraints: Violation[];
    preferences: Violation[];
    violations: Record<string, number>;
    metric: number | null;
    verdict?: { satisfied: boolean; text: string };
  };
  /** The initial state, one for each applicable step, and a place without a state for the step that is not applicable. */
  states: number;
  /** The place of the step that is not applicable, from 1. */
  failed_at: number | null;
  steps: { text: string; span: Span | null }[];
  steps_id: number;
  goal: { condition: string | null; span: Span | null; id: number; true: Run[] }[];
}

/** The summary of a number of all games, as `goalspec simulate --format json` prints it. */
export interface NumberSummary {
  count: number;
  mean?: number;
  sd?: number | null;
  mean_interval?: [number, number] | null;
  min?: number;
  max?: number;
  quantiles?: Record<string, number | null>;
  histogram?: { kind: 'values' | 'intervals'; bins: [number, number, number][] };
  false?: number;
  true?: number;
  strings?: Record<string, number> | null;
}

/** A value of a resource or a metric: integers and texts as they are, and sets and numbers that JSON lacks as objects with one key. */
export type ResourceValue = null | boolean | number | string | ResourceValue[] | { real: string } | { set: string[] } | { map: Record<string, ResourceValue> };

/** The outcome of a game, as `goalspec simulate --format jsonl` prints it. */
export interface GameRecord {
  index: number;
  end: string;
  message?: string;
  turns: number;
  invalid_turns: number;
  out_of_space: number;
  overflows: number;
  rewards: Record<string, number | null>;
  metrics: Record<string, ResourceValue>;
}

/** A turn, as `goalspec simulate --trace` writes it. */
export interface Turn {
  turn: number;
  team: string;
  choose: string | null;
  with: Record<string, ResourceValue>;
  valid: boolean;
  occurred: { consequence: number; vector: [string, string, string] | null }[];
  changes: Record<string, ResourceValue>;
  rewards: Record<string, ResourceValue>;
  outside: string[];
  overflows: string[];
}

/** A game turn by turn. */
export interface PlayedGame {
  seed: number;
  record: GameRecord;
  initial: Record<string, ResourceValue>;
  turns: Turn[];
  omitted_turns: number;
  /** By team, in the initial state and after each turn. */
  rewards: Record<string, (number | null)[]>;
}

export interface BoardNode {
  name: string;
  position: [number, number] | null;
  observable: string;
  resources: { name: string; key: string; range: [number, number] | null }[];
}

export interface Board {
  teams: string[];
  nodes: BoardNode[];
  /** The indices of the source and the target, and the id. */
  vectors: [number, number, string][];
}

/** What an experiment is to play. */
export interface SimulationRequest {
  games: number;
  seed: number;
  policies: string[];
}

/** An experiment on a resource graph game. */
export interface Simulation {
  /** As `goalspec simulate --format json` prints it. */
  report: {
    game: string;
    seed: number;
    policies: Record<string, string>;
    games: number;
    truncated: number;
    failed: number;
    first_error: unknown;
    out_of_space: number;
    overflows: number;
    turns: NumberSummary;
    invalid_turns: NumberSummary;
    rewards: Record<string, NumberSummary>;
    metrics: Record<string, NumberSummary>;
    choices: { team: string; choice: string | null; chosen: number; valid: number }[];
    consequences: { action: string; consequence: number; valid: number; occurred: number }[];
  };
  records: GameRecord[];
  board: Board;
  /** The policies that can be chosen. */
  policies: string[];
  max_games: number;
  /** The first game. */
  game: PlayedGame;
}

export interface RunDocument {
  format: string;
  version: string;
  /** The hash is that of the file, if its own text was run. */
  program: { id: number; name: string; language: string | null; text: string; hash?: string | null };
  trace: { id: number; name: string };
  numbering: { word: string; first: number };
  diagnostics: Diagnostic[];
  outcomes: Outcome[];
  rewards: RewardOutcome[];
  plan?: PlanResult | null;
  simulation?: Simulation | null;
}

export interface StateObject {
  id: string;
  name: string;
  type: string | null;
  values: Record<string, unknown>;
  changed: string[];
  /** The place in the frame before, of an object on a screen. */
  previous?: [number, number] | null;
}

export type Fact = [string, string[]];

export interface StateDocument {
  at: number;
  index: number;
  t: number | null;
  action: string | null;
  objects: StateObject[];
  gone: string[];
  facts?: Fact[];
  facts_added?: Fact[];
  facts_removed?: Fact[];
  /** The width and the height of the screen, if the objects are on one. */
  screen?: [number, number];
  episode?: number;
  game_reward?: number;
}

export interface Start {
  version: string;
  programs: { id: number; name: string; language: string | null }[];
  traces: { id: number; name: string }[];
  plans: { id: number; name: string }[];
  may: { write: boolean; follow: boolean };
}

/** A result in a table, as `goalspec score --format json` prints it. */
export interface TableResult {
  program_id: number | null;
  program: string;
  trace: string;
  world: string;
  score: JsonNumber;
  score_error?: string;
  /** Of games and activities. */
  states?: number;
  setup_met?: boolean;
  preferences?: { name: string; count: number }[];
  goal_satisfied?: boolean;
  /** Of reward functions: the sum of the rewards. */
  total?: JsonNumber;
  frames?: number;
  failures?: { kind: string; frames: number }[];
}

/** The results of all programs over a trace. */
export interface TraceResults {
  trace: { id: number; name: string };
  results: TableResult[];
  diagnostics: Diagnostic[];
}

/** The outcome of saving: the new hash, or the text that the file has got meanwhile. */
export type SaveOutcome = { saved: true; hash: string } | { saved: false; hash: string; text: string };

/** Where the page gets its documents: from the server, or from the page itself. */
export interface Source {
  readonly live: boolean;
  start(): Promise<Start>;
  /** Runs a program, or another text in its place; a later call cancels an earlier one. */
  run(program: number, trace: number, text: string | null, simulation: SimulationRequest | null): Promise<{ id: number; document: RunDocument }>;
  check(program: number, text: string | null): Promise<Diagnostic[]>;
  tiles(run: number, lanes: number[], level: number, tile: number): Promise<ArrayBuffer>;
  state(run: number, at: number): Promise<StateDocument | null>;
  /** The reason for the reward of a frame, from 0, by the reward function with this index. */
  why(run: number, reward: number, at: number): Promise<Reason | null>;
  /** The audits of the reward functions of a run, in the order of the document. */
  audits(run: number): Promise<(AuditDocument | null)[]>;
  /** A game of an experiment, by its index under the seed; null if the page does not contain it. */
  game(run: number, index: number): Promise<PlayedGame | null>;
  /** A text that changes whenever the file of the trace does. */
  version(trace: number): Promise<string>;
  /** The results of all programs over a trace. */
  results(trace: number): Promise<TraceResults>;
  /** Saves a text, if the file still has the text with this hash. */
  save(program: number, text: string, hash: string): Promise<SaveOutcome>;
  /** Sentences on what the page does not contain. */
  leftOut(): string[];
}
