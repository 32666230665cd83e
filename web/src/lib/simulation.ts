// A simulated game as the time line and the board show it, and the numbers of an experiment.

import { holds, row, type Row, type TimelineModel } from './document';
import type { LaneContent } from './tiles';
import type { Board, GameRecord, NumberSummary, PlayedGame, ResourceValue, Run, Simulation, SimulationRequest, Turn } from './types';

/** The number of resources that have a row on the time line; the board shows all of them. */
const SHOWN_RESOURCES = 200;

export type BoardState = Map<string, ResourceValue>;

/** The values of all resources and the observers of all nodes after a turn; the initial ones after turn 0. */
export function stateAfter(game: PlayedGame, turn: number): BoardState {
  const state: BoardState = new Map(Object.entries(game.initial));
  for (const { changes } of game.turns.slice(0, turn)) {
    for (const [key, value] of Object.entries(changes)) state.set(key, value);
  }
  return state;
}

export function labels(value: ResourceValue | undefined): string[] {
  return value !== null && typeof value === 'object' && 'set' in value ? value.set : [];
}

/** A value as text. */
export function valueText(value: ResourceValue | undefined): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  if ('real' in value) return value.real;
  if ('set' in value) return `{${value.set.join(', ')}}`;
  return `{${Object.entries(value.map).map(([key, inner]) => `${key}: ${valueText(inner)}`).join(', ')}}`;
}

/** A move in words: the choice with its parameters. */
export function moveText({ choose, with: parameters }: Turn): string {
  const values = Object.entries(parameters).map(([name, value]) => `${name} ${valueText(value)}`);
  return [choose ?? 'pass', ...values].join(', ');
}

/** A turn in words. */
export function turnText(game: PlayedGame, turn: number): string {
  const played = game.turns[turn - 1];
  return played ? `${played.team}: ${moveText(played)}${played.valid ? '' : ', invalid'}` : 'the initial state';
}

/** A number as a curve has it; NaN for other values. */
function numeric(value: ResourceValue | undefined): number {
  return typeof value === 'number' ? value : NaN;
}

/** A row with what it says in each state. */
interface GameRow {
  row: Row;
  says(at: number): string;
}

/** The resources that change in a game. */
function changedResources(game: PlayedGame, board: Board): Board['nodes'][number]['resources'] {
  const changed = new Set(game.turns.flatMap(({ changes }) => Object.keys(changes)));
  return board.nodes.flatMap(({ resources }) => resources).filter(({ key }) => changed.has(key));
}

/** The rows of resources. */
function resourceRows(game: PlayedGame, resources: Board['nodes'][number]['resources'], id: () => number): GameRow[] {
  const states = game.turns.length + 1;
  return resources
    .flatMap(({ key, range }, index): GameRow[] => {
      const values: (ResourceValue | undefined)[] = [game.initial[key]];
      for (const { changes } of game.turns) values.push(key in changes ? changes[key] : values[values.length - 1]);
      const detail = range ? `range ${range[0]} to ${range[1]}` : '';
      if (values.every((value) => typeof value === 'boolean')) {
        const runs: Run[] = [];
        values.forEach((value, at) => {
          const last = runs[runs.length - 1];
          if (value && last && last[1] === at) last[1] = at + 1;
          else if (value) runs.push([at + 1, at + 1]);
        });
        const truth = row({ key: `b${index}`, kind: 'conjunct', label: key, id: id(), content: { runs } });
        return [{ row: truth, says: (at) => String(holds(runs, at + 1)) }];
      }
      if (!values.some((value) => typeof value === 'number')) return [];
      const curve = Float64Array.from({ length: states }, (_, at) => numeric(values[at]));
      return [{ row: row({ key: `r${index}`, kind: 'curve', label: key, detail, values: curve }), says: (at) => valueText(values[at]) }];
    });
}

export function gameModel(game: PlayedGame, board: Board, word: string): TimelineModel {
  let ids = 0;
  const id = () => ids++;
  const states = game.turns.length + 1;
  const levels = game.turns.map(({ team }, turn): [number, number, number] => [turn + 2, turn + 2, 1 + board.teams.indexOf(team)]);
  const broken = game.turns.flatMap(({ valid }, turn) => (valid ? [] : [turn + 2]));
  const { turns, invalid_turns: invalid } = game.record;
  const changed = changedResources(game, board);
  const hidden = Math.max(0, changed.length - SHOWN_RESOURCES);
  const moves = row({
    key: 'curve',
    kind: 'lane',
    label: 'turns by team',
    detail: `${turns} turns, ${invalid} invalid${hidden > 0 ? `; ${hidden} further resources change, see the board` : ''}`,
    id: id(),
    content: { levels, satisfied: [], broken },
    levels: board.teams.length,
  });
  const rewards = board.teams.map((team, index): GameRow => {
    const values = game.rewards[team] ?? [];
    const curve = Float64Array.from(values, (value) => value ?? NaN);
    return { row: row({ key: `t${index}`, kind: 'curve', label: `reward ${team}`, values: curve }), says: (at) => valueText(values[at]) };
  });
  const rows: GameRow[] = [{ row: moves, says: () => '' }, ...rewards, ...resourceRows(game, changed.slice(0, SHOWN_RESOURCES), id)];
  const contents = new Map<number, LaneContent>();
  for (const { row } of rows) if (row.id !== null && row.content) contents.set(row.id, row.content);
  return {
    states,
    ended: states,
    contents,
    rows: (_, filter) => rows.map(({ row }) => row).filter(({ label }) => label.toLowerCase().includes(filter.toLowerCase())),
    sentence(wanted, at) {
      const said = rows.find(({ row }) => row === wanted)?.says(at);
      return said ? `${word} ${at}: ${wanted.label}: ${said}` : `${word} ${at}: ${turnText(game, at)}`;
    },
  };
}

/** The policies of an experiment, as a request has them. */
export function policyTexts(policies: Record<string, string>): string[] {
  return Object.entries(policies).map(([team, policy]) => `${team}=${policy}`);
}

/** The request of an experiment that was played. */
export function requestOf({ report: { games, seed, policies } }: Simulation): SimulationRequest {
  return { games, seed, policies: policyTexts(policies) };
}

/** A number of a finished game, with its summary over all games. */
export interface Quantity {
  name: string;
  summary: NumberSummary;
  of(record: GameRecord): ResourceValue;
}

/** The numbers of an experiment, in the order of the command. */
export function quantities({ report }: Simulation): Quantity[] {
  return [
    { name: 'turns', summary: report.turns, of: ({ turns }) => turns },
    { name: 'invalid turns', summary: report.invalid_turns, of: ({ invalid_turns: invalid }) => invalid },
    ...Object.entries(report.rewards).map(
      ([team, summary]): Quantity => ({ name: `reward ${team}`, summary, of: ({ rewards }) => rewards[team] }),
    ),
    ...Object.entries(report.metrics).map(
      ([name, summary]): Quantity => ({ name: `metric ${name}`, summary, of: ({ metrics }) => metrics[name] }),
    ),
  ];
}

/** Whether a value is in a bin of a histogram: a bin excludes its upper end, unless it is the last one or a single value. */
export function inBin(value: ResourceValue, bins: [number, number, number][], bin: number): boolean {
  const [low, high] = bins[bin];
  if (typeof value !== 'number') return false;
  return low === high || bin === bins.length - 1 ? low <= value && value <= high : low <= value && value < high;
}

/** The ends of a bin in words. */
export function binText([low, high]: [number, number, number]): string {
  return low === high ? String(low) : `${low} to ${high}`;
}

/** Values in order: numbers by size, then the other values by their texts. */
export function compareValues(left: ResourceValue, right: ResourceValue): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'number') return -1;
  if (typeof right === 'number') return 1;
  const [one, other] = [valueText(left), valueText(right)];
  return one < other ? -1 : one > other ? 1 : 0;
}
