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

export interface RewardOutcome {
  program: string;
  trace: string;
  score: number | string | null;
  total: number | string | null;
  frames: number;
  episodes: { episode: number; total: number | string | null; frames: number }[];
  failures: { message: string; line: number | null; frames: number }[];
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
}

export interface StateObject {
  id: string;
  name: string;
  type: string | null;
  values: Record<string, unknown>;
  changed: string[];
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
}

export interface Start {
  version: string;
  programs: { id: number; name: string; language: string | null }[];
  traces: { id: number; name: string }[];
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
  /** Sentences on what the page does not contain. */
  leftOut(): string[];
}
