// Documents that an exported page contains.

import type { AuditDocument, Diagnostic, Fact, PlayedGame, Reason, RunDocument, SaveOutcome, Source, Start, StateDocument, StateObject, TraceResults } from './types';

interface Data {
  document: RunDocument;
  states: StateDocument[] | null;
  /** By reward function and frame. */
  reasons: Reason[][] | null;
  /** The first games of an experiment. */
  games: PlayedGame[];
  /** By reward function. */
  audits: (AuditDocument | null)[];
  left_out: string[];
}

/** Unpacks the data of the page. */
export async function embeddedData(): Promise<Data> {
  const text = document.getElementById('data')?.textContent ?? '';
  const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).json();
}

interface Known {
  objects: Map<string, StateObject>;
  facts: Map<string, Fact>;
}

const KEYFRAME = 256;

export class EmbeddedSource implements Source {
  readonly live = false;
  #data: Data;
  /** What is known after every multiple of `KEYFRAME` states. */
  #keyframes: Known[] = [];

  constructor(data: Data) {
    this.#data = data;
    const known: Known = { objects: new Map(), facts: new Map() };
    data.states?.forEach((state, at) => {
      if (at % KEYFRAME === 0) this.#keyframes.push({ objects: new Map(known.objects), facts: new Map(known.facts) });
      apply(known, state);
    });
  }

  async start(): Promise<Start> {
    const { program, trace, version } = this.#data.document;
    return { version, programs: [{ ...program, id: 0 }], traces: [{ ...trace, id: 0 }], plans: [{ ...trace, id: 0 }], may: { write: false, follow: false } };
  }

  async run(): Promise<{ id: number; document: RunDocument }> {
    return { id: 0, document: this.#data.document };
  }

  async check(): Promise<Diagnostic[]> {
    return this.#data.document.diagnostics;
  }

  async tiles(): Promise<ArrayBuffer> {
    throw new Error('an exported page makes its tiles itself');
  }

  async state(_: number, at: number): Promise<StateDocument | null> {
    const state = this.#data.states?.[at];
    const keyframe = this.#keyframes[Math.floor(at / KEYFRAME)];
    if (!state || !keyframe) return null;
    const known = { objects: new Map(keyframe.objects), facts: new Map(keyframe.facts) };
    for (const change of this.#data.states!.slice(Math.floor(at / KEYFRAME) * KEYFRAME, at + 1)) apply(known, change);
    const changed = new Set(state.objects.map(({ id }) => id));
    const objects = [...known.objects.values()].map((object) =>
      changed.has(object.id) ? object : { ...object, changed: [] },
    );
    return { ...state, objects, facts: [...known.facts.values()] };
  }

  async why(_: number, reward: number, at: number): Promise<Reason | null> {
    return this.#data.reasons?.[reward]?.[at] ?? null;
  }

  async audits(): Promise<(AuditDocument | null)[]> {
    return this.#data.audits;
  }

  async game(_: number, index: number): Promise<PlayedGame | null> {
    return this.#data.games.find(({ record }) => record.index === index) ?? null;
  }

  async version(): Promise<string> {
    return '';
  }

  async results(): Promise<TraceResults> {
    throw new Error('an exported page has one result');
  }

  async save(): Promise<SaveOutcome> {
    throw new Error('an exported page saves nothing');
  }

  leftOut(): string[] {
    return this.#data.left_out;
  }
}

function apply(known: Known, state: StateDocument) {
  const key = (fact: Fact) => JSON.stringify(fact);
  for (const id of state.gone) known.objects.delete(id);
  for (const object of state.objects) known.objects.set(object.id, object);
  if (state.facts) known.facts = new Map(state.facts.map((fact) => [key(fact), fact]));
  for (const fact of state.facts_added ?? []) known.facts.set(key(fact), fact);
  for (const fact of state.facts_removed ?? []) known.facts.delete(key(fact));
}
