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

export interface PreferenceLanes {
  name: string;
  bindings: number;
  begun: number;
  operators: { text: string | null; span: Span | null }[];
  level_operators: number[];
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

export interface RunDocument {
  format: string;
  version: string;
  program: { id: number; name: string; language: string | null; text: string };
  trace: { id: number; name: string };
  numbering: { word: string; first: number };
  diagnostics: Diagnostic[];
  outcomes: Outcome[];
  rewards: RewardOutcome[];
  plan?: PlanResult | null;
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
}

/** Where the page gets its documents: from the server, or from the page itself. */
export interface Source {
  readonly live: boolean;
  start(): Promise<Start>;
  /** Runs a program, or another text in its place; a later call cancels an earlier one. */
  run(program: number, trace: number, text: string | null): Promise<{ id: number; document: RunDocument }>;
  check(program: number, text: string | null): Promise<Diagnostic[]>;
  tiles(run: number, lanes: number[], level: number, tile: number): Promise<ArrayBuffer>;
  state(run: number, at: number): Promise<StateDocument | null>;
  /** The reason for the reward of a frame, from 0, by the reward function with this index. */
  why(run: number, reward: number, at: number): Promise<Reason | null>;
  /** Sentences on what the page does not contain. */
  leftOut(): string[];
}
