// Documents from the server.

import { AnswerError } from './errors';
import type { AuditDocument, Diagnostic, PlayedGame, Reason, RunDocument, SaveOutcome, SimulationRequest, Source, Start, StateDocument, TraceResults } from './types';

const KEY = 'goalspec-token';

/** Takes the token out of the address, so that copied links do not have it. */
export function takeToken(): string {
  const parts = new URLSearchParams(location.hash.slice(1));
  const token = parts.get('token');
  if (token) {
    parts.delete('token');
    store(token);
    history.replaceState(null, '', '#' + parts.toString());
    return token;
  }
  return stored();
}

function store(token: string) {
  try {
    sessionStorage.setItem(KEY, token);
  } catch {
    // Without storage, reloading the page needs the address of the command again.
  }
}

function stored(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

export class LiveSource implements Source {
  readonly live = true;
  #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  async #get(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...init.headers, Authorization: `Bearer ${this.#token}` };
    const response = await fetch(`/api/${path}`, { ...init, headers, credentials: 'omit', cache: 'no-store' });
    if (response.ok) return response;
    const { error } = await response.json().catch(() => ({ error: { code: '', message: `status ${response.status}` } }));
    throw new AnswerError(error.code, error.message);
  }

  #post(path: string, body: unknown): Promise<Response> {
    return this.#get(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  }

  async start(): Promise<Start> {
    return (await this.#get('start')).json();
  }

  async run(program: number, trace: number, text: string | null, simulation: SimulationRequest | null): Promise<{ id: number; document: RunDocument }> {
    const { run } = await (await this.#post('runs', { program, trace, text, simulation })).json();
    return { id: run, document: await (await this.#get(`runs/${run}`)).json() };
  }

  async check(program: number, text: string | null): Promise<Diagnostic[]> {
    return (await (await this.#post('check', { program, text })).json()).diagnostics;
  }

  async tiles(run: number, lanes: number[], level: number, tile: number): Promise<ArrayBuffer> {
    return (await this.#get(`runs/${run}/tiles?lanes=${lanes.join(',')}&level=${level}&tile=${tile}`)).arrayBuffer();
  }

  async state(run: number, at: number): Promise<StateDocument | null> {
    return (await this.#get(`runs/${run}/states/${at}`)).json();
  }

  async why(run: number, reward: number, at: number): Promise<Reason | null> {
    return (await this.#get(`runs/${run}/why/${reward}/${at}`)).json();
  }

  async audits(run: number): Promise<(AuditDocument | null)[]> {
    return (await this.#get(`runs/${run}/audits`)).json();
  }

  async game(run: number, index: number): Promise<PlayedGame | null> {
    return (await this.#get(`runs/${run}/games/${index}`)).json();
  }

  async version(trace: number): Promise<string> {
    return (await (await this.#get(`traces/${trace}/version`)).json()).version;
  }

  async results(trace: number): Promise<TraceResults> {
    return (await this.#get(`results/${trace}`)).json();
  }

  async save(program: number, text: string, hash: string): Promise<SaveOutcome> {
    return (await this.#post('save', { program, text, hash })).json();
  }

  leftOut(): string[] {
    return [];
  }
}
