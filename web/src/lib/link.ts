// The address of a view: what is shown, without the token.

import type { Window } from './timeline';
import type { SimulationRequest } from './types';

export interface Link {
  program?: number;
  trace?: number;
  at?: number;
  window?: Window;
  lane?: string;
  /** The index of a simulated game. */
  game?: number;
  simulation?: SimulationRequest;
  /** The parts that no version of this page has written. */
  unknown: string[];
}

const whole = (text: string): number | undefined => (/^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined);

/** Reads the fragment of an address. */
export function readLink(hash: string): Link {
  const link: Link = { unknown: [] };
  const request: SimulationRequest = { games: 0, seed: 0, policies: [] };
  for (const [key, value] of new URLSearchParams(hash.replace(/^#/, ''))) {
    const range = /^(\d{1,12})\.\.(\d{1,12})$/.exec(value);
    if (key === 'p' && whole(value) !== undefined) link.program = whole(value);
    else if (key === 't' && whole(value) !== undefined) link.trace = whole(value);
    else if (key === 'game' && whole(value) !== undefined) link.game = whole(value);
    else if (key === 'games' && whole(value) !== undefined) request.games = Number(value);
    else if (key === 'seed' && whole(value) !== undefined) request.seed = Number(value);
    else if (key === 'policy') request.policies.push(value);
    else if (key === 'at' && whole(value) !== undefined) link.at = whole(value);
    else if (key === 'lane' && /^[a-z0-9/]{1,40}$/.test(value)) link.lane = value;
    else if (key === 'w' && range && Number(range[1]) < Number(range[2])) {
      link.window = { from: Number(range[1]), to: Number(range[2]) };
    } else if (key !== 'token') link.unknown.push(key);
  }
  // A part of an experiment alone would be another one.
  const isComplete = !link.unknown.includes('seed') && !link.unknown.includes('games');
  if (request.games > 0 && isComplete) link.simulation = request;
  return link;
}

/** Writes the fragment of an address. */
export function writeLink(link: {
  program: number;
  trace: number;
  at: number;
  window: Window;
  lane: string;
  game?: number;
  simulation?: SimulationRequest;
}): string {
  const { program, trace, at, window, lane, game, simulation } = link;
  const policies = (simulation?.policies ?? []).map((policy) => `&policy=${encodeURIComponent(policy)}`).join('');
  const played = simulation ? `&game=${game ?? 0}&games=${simulation.games}&seed=${simulation.seed}${policies}` : '';
  return `#p=${program}&t=${trace}&at=${at}&w=${Math.floor(window.from)}..${Math.ceil(window.to)}&lane=${lane}${played}`;
}
