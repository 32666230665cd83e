// The result of a reward function as the time line shows it: the reward, its sum, and a curve for each term and component.

import { row, type Row, type TimelineModel } from './document';
import type { JsonNumber, RewardOutcome } from './types';

/** A number for drawing; NaN without one. */
export function toNumber(value: JsonNumber): number {
  if (value === null) return NaN;
  return typeof value === 'number' ? value : Number(value.replace('inf', 'Infinity'));
}

/** A number as the command prints it in JSON. */
export function numberText(value: JsonNumber): string {
  return value === null ? 'none' : String(value);
}

interface Curve {
  row: Row;
  values: JsonNumber[];
  /** The word for a frame without a value. */
  missing: string;
}

const curveOf = (key: string, label: string, detail: string, values: JsonNumber[], missing: string): Curve => ({
  row: row({ key, kind: 'curve', label, detail, values: Float64Array.from(values, toNumber) }),
  values,
  missing,
});

function curvesOf(reward: RewardOutcome): Curve[] {
  const curves = [
    curveOf('reward', 'reward', '', reward.rewards ?? [], 'no reward'),
    curveOf('curve', 'reward, summed', `total ${numberText(reward.total)}`, reward.sums, 'none'),
  ];
  reward.terms?.forEach(({ id, name, line, sum, frames }, index) => {
    const detail = `line ${line}, sum ${numberText(sum)} in ${frames} frames`;
    curves.push(curveOf(`t${index}`, name, detail, reward.term_rewards?.[id] ?? [], 'not reached'));
  });
  Object.entries(reward.components ?? {}).forEach(([name, { sum, frames }], index) => {
    const detail = `component, sum ${numberText(sum)} in ${frames} frames`;
    curves.push(curveOf(`k${index}`, name, detail, reward.component_rewards?.[name] ?? [], 'not returned'));
  });
  return curves;
}

export function rewardModel(reward: RewardOutcome, word: string, first: number): TimelineModel {
  const curves = curvesOf(reward);
  const states = Math.max(1, reward.frames);
  return {
    states,
    ended: states,
    rows: (_, filter) =>
      curves.map(({ row }) => row).filter(({ label }) => label.toLowerCase().includes(filter.toLowerCase())),
    sentence(row, at) {
      const curve = curves.find((curve) => curve.row === row);
      const value = curve?.values[at] ?? null;
      const error = row.key === 'reward' ? reward.errors?.[at] : null;
      const said = value === null ? `${curve?.missing ?? 'none'}${error ? `, ${error}` : ''}` : numberText(value);
      return `${word} ${at + first}: ${row.label}: ${said}`;
    },
  };
}
