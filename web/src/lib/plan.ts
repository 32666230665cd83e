// A plan as the time line shows it: its steps as blocks, and the states in which each condition of the goal holds.

import { holds, row, type Row, type TimelineModel } from './document';
import type { PlanResult } from './types';

/** The levels of the blocks of steps, which only tell neighbours apart. */
const SHADES = 2;

export function planRows(plan: PlanResult): Row[] {
  const { applied_steps: applied, steps } = plan.validation;
  const levels = Array.from({ length: applied }, (_, step): [number, number, number] => [step + 2, step + 2, 1 + (step % 2)]);
  const content = { levels, satisfied: [], broken: plan.failed_at === null ? [] : [plan.failed_at] };
  const detail = `${applied} of ${steps} applicable`;
  return [
    row({ key: 'curve', kind: 'lane', label: 'steps', detail, id: plan.steps_id, content, levels: SHADES }),
    ...plan.goal.map(({ condition, id, true: runs }, index) =>
      row({ key: `c${index}`, kind: 'conjunct', label: condition ?? `condition ${index + 1}`, id, content: { runs } }),
    ),
  ];
}

/** The step that leads to a place of the time line, from 0. */
export function stepText(plan: PlanResult, at: number): string {
  if (at === 0) return 'the initial state';
  const text = plan.steps[at - 1]?.text ?? '';
  return plan.failed_at === at + 1 ? `${text} is not applicable` : text;
}

export function planModel(plan: PlanResult, word: string): TimelineModel {
  const rows = planRows(plan);
  return {
    states: plan.states,
    ended: plan.validation.applied_steps + 1,
    rows: (_, filter) => rows.filter(({ label }) => label.toLowerCase().includes(filter.toLowerCase())),
    sentence({ label, content }, at) {
      const step = `${word} ${at}: ${stepText(plan, at)}`;
      return content && 'runs' in content ? `${step}: ${label}: ${holds(content.runs, at + 1)}` : step;
    },
  };
}
