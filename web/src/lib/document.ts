// Questions about a document: where a lane is in a state, and what changes next.

import { planRows } from './plan';
import type { LaneContent } from './tiles';
import type { Lane, Outcome, Run, RunDocument } from './types';

/** Whether a set of states contains a state, from 1. */
export function holds(runs: Run[], state: number): boolean {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runs[middle][0] <= state) low = middle + 1;
    else high = middle;
  }
  return low > 0 && state <= runs[low - 1][1];
}

/** The level of a lane after a state, from 1; 0 without an attempt. */
export function levelAt(lane: Lane, state: number): number {
  const stretch = lane.progress.find(([from, to]) => from <= state && state <= to);
  return stretch ? stretch[2] : 0;
}

/** A row of the time line. */
export interface Row {
  key: string;
  kind: 'curve' | 'setup' | 'preference' | 'lane' | 'condition' | 'goal' | 'conjunct';
  label: string;
  detail: string;
  /** The id of the lane in tiles; none for curves and headings. */
  id: number | null;
  content: LaneContent | null;
  preference: number;
  lane: number;
  levels: number;
  /** The values of a curve by state; NaN where there is none. */
  values: Float64Array | null;
}

/** A result as the time line shows it. */
export interface TimelineModel {
  states: number;
  /** The state, from 0, after the last one that is scored. */
  ended: number;
  /** The rows, those under the row with the key `open` included, as far as they match a search. */
  rows(open: string | null, filter: string): Row[];
  /** The contents of all lanes by id, if the document of the run does not have them. */
  contents?: Map<number, LaneContent>;
  /** A sentence on what a row says in a state, from 0, for the status line and screen readers. */
  sentence(row: Row, at: number): string;
}

export const row = (part: Partial<Row> & Pick<Row, 'key' | 'kind' | 'label'>): Row => ({
  detail: '',
  id: null,
  content: null,
  preference: -1,
  lane: -1,
  levels: 1,
  values: null,
  ...part,
});

/** The names of the objects of a lane. */
export function bindingText(lane: Lane): string {
  const names = Object.values(lane.names);
  return names.length === 0 ? 'no variables' : names.join(', ');
}

/** The result of a game or an activity. */
export function outcomeModel(outcome: Outcome, word: string): TimelineModel {
  const rewards = outcome.rewards ?? [];
  const sums = new Float64Array(rewards.length);
  rewards.reduce((sum, reward, index) => (sums[index] = sum + reward), 0);
  const states = Math.max(1, outcome.states);
  return {
    states,
    ended: outcome.terminal ?? states,
    rows: (open, filter) => rowsOf(outcome, sums, open, filter),
    sentence: (row, at) => sentence(outcome, row, at + 1, word),
  };
}

/** The rows of an outcome. The lane with the key `open` is followed by its conditions. */
function rowsOf(outcome: Outcome, sums: Float64Array, open: string | null, filter: string): Row[] {
  const rows: Row[] = [row({ key: 'curve', kind: 'curve', label: 'reward, summed', values: sums })];
  const wanted = (text: string) => text.toLowerCase().includes(filter.toLowerCase());
  const { lanes, conjuncts } = outcome;
  if (lanes?.setup && lanes.setup_id !== undefined) {
    rows.push(row({ key: 'setup', kind: 'setup', label: 'setup holds', id: lanes.setup_id, content: { runs: lanes.setup } }));
  }
  lanes?.preferences.forEach((preference, index) => {
    const shown = preference.lanes
      .map((lane, place) => ({ lane, place }))
      .filter(({ lane }) => wanted(`${preference.name} ${bindingText(lane)}`));
    const count = outcome.preferences?.[index]?.count ?? 0;
    const hidden = preference.begun - shown.length;
    const begun = `${preference.begun} of ${preference.bindings} bindings began`;
    const detail = `count ${count}, ${begun}${hidden > 0 ? `, ${hidden} not shown` : ''}`;
    rows.push(row({ key: `p${index}`, kind: 'preference', label: preference.name, detail, preference: index }));
    for (const { lane, place } of shown) {
      const key = `p${index}/${place}`;
      const content = { levels: lane.progress, satisfied: lane.satisfied.map(({ end }) => end), broken: lane.broken };
      const levels = Math.max(1, preference.level_operators.length);
      const label = bindingText(lane);
      rows.push(row({ key, kind: 'lane', label, id: lane.id, content, preference: index, lane: place, levels }));
      if (key !== open || !lane.true || !lane.true_ids) continue;
      lane.true.forEach((runs, condition) => {
        const { condition: text, operator } = preference.conditions[condition];
        rows.push(
          row({
            key: `${key}/${condition}`,
            kind: 'condition',
            label: text,
            detail: `operator ${operator}`,
            id: lane.true_ids?.[condition] ?? null,
            content: { runs },
            preference: index,
            lane: place,
          }),
        );
      });
    }
  });
  if (conjuncts) {
    rows.push(row({ key: 'goal', kind: 'goal', label: 'goal', id: conjuncts.goal_id, content: { runs: conjuncts.goal } }));
    conjuncts.conjuncts.forEach((conjunct, index) => {
      if (!wanted(conjunct.condition)) return;
      rows.push(
        row({ key: `c${index}`, kind: 'conjunct', label: conjunct.condition, id: conjunct.id, content: { runs: conjunct.true } }),
      );
    });
  }
  return rows;
}

/** All lane contents of a document, by id. */
export function contentsOf(document: RunDocument): Map<number, LaneContent> {
  const contents = new Map<number, LaneContent>();
  if (document.plan) for (const { id, content } of planRows(document.plan)) if (id !== null && content) contents.set(id, content);
  for (const outcome of document.outcomes) {
    const { lanes, conjuncts } = outcome;
    if (lanes?.setup && lanes.setup_id !== undefined) contents.set(lanes.setup_id, { runs: lanes.setup });
    for (const lane of lanes?.preferences.flatMap(({ lanes }) => lanes) ?? []) {
      contents.set(lane.id, { levels: lane.progress, satisfied: lane.satisfied.map(({ end }) => end), broken: lane.broken });
      lane.true?.forEach((runs, condition) => {
        const id = lane.true_ids?.[condition];
        if (id !== undefined) contents.set(id, { runs });
      });
    }
    if (conjuncts) {
      contents.set(conjuncts.goal_id, { runs: conjuncts.goal });
      for (const conjunct of conjuncts.conjuncts) contents.set(conjunct.id, { runs: conjunct.true });
    }
  }
  return contents;
}

/** The states, from 1, in which something changes in a row, in order. */
export function changesOf({ content, values }: Row): number[] {
  if (values) return [...values.keys()].filter((at) => at > 0 && !Object.is(values[at], values[at - 1])).map((at) => at + 1);
  if (!content) return [];
  const states =
    'runs' in content
      ? content.runs.flatMap(([from, to]) => [from, to + 1])
      : [...content.levels.flatMap(([from, to]) => [from, to + 1]), ...content.satisfied, ...content.broken];
  return [...new Set(states)].sort((left, right) => left - right);
}

/** The next of these states, in order, after a state, or the previous one before it. */
export function next(states: number[], state: number, direction: 1 | -1): number | undefined {
  return direction === 1 ? states.find((other) => other > state) : states.findLast((other) => other < state);
}

/** A sentence on what a row says in a state, from 1. */
function sentence(outcome: Outcome, row: Row, state: number, word: string): string {
  const head = `${word} ${state}`;
  if (row.kind === 'lane') {
    const preference = outcome.lanes?.preferences[row.preference];
    const lane = preference?.lanes[row.lane];
    if (!preference || !lane) return head;
    const name = `${preference.name}, ${row.label}`;
    const done = lane.satisfied.find(({ end }) => end === state);
    if (done) return `${head}: ${name}: satisfied, from ${done.start}`;
    if (lane.broken.includes(state)) return `${head}: ${name}: broken`;
    const level = levelAt(lane, state);
    if (level === 0) return `${head}: ${name}: no attempt`;
    return `${head}: ${name}: operator ${preference.level_operators[level - 1]} of ${preference.operators.length}`;
  }
  if (row.content && 'runs' in row.content) return `${head}: ${row.label}: ${holds(row.content.runs, state) ? 'true' : 'false'}`;
  if (row.kind === 'curve') return `${head}: reward ${outcome.rewards?.[state - 1] ?? 'not recorded'}`;
  return `${head}: ${row.label}: ${row.detail}`;
}
