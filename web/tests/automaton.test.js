// The automaton of a preference in headless Chromium, against the lanes of the command: skipped with a message without Chromium or without a
// built command.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

import { GOALSPEC, ROOT, addresses, assertAccessible, open, skip, texts, walk } from '../browser.js';

const GAME = join(ROOT, 'examples/game/throw-to-bin.game');
const TRACE = join(ROOT, 'examples/game/play.jsonl');

/** The place of a lane in a state: `satisfied`, or the number of its furthest position. */
function place(lane, state) {
  if (lane.satisfied.some(({ end }) => end === state)) return 'satisfied';
  const stretch = lane.progress.find(([from, to]) => from <= state && state <= to);
  return stretch ? String(stretch[2]) : null;
}

test('the automaton has the positions that the command draws, and the bindings at each of them', { skip }, async (t) => {
  const [{ lanes, states }] = JSON.parse(execFileSync(GOALSPEC, ['score', '--format', 'json', '--why', '--lanes=50', GAME, TRACE]));
  const index = lanes.preferences.findIndex(({ lanes }) => lanes[0]?.satisfied.length > 0);
  const preference = lanes.preferences[index];
  const dot = String(execFileSync(GOALSPEC, ['describe', '--dot', preference.name, GAME]));
  const boxes = [...dot.matchAll(/^ {4}p(\d+) \[label/gm)];
  const edges = [...dot.matchAll(/^ {4}p(\d+) -> p(\d+)/gm)].map(([, from, to]) => [Number(from) + 1, Number(to) + 1]);
  const [lane] = preference.lanes;
  const { start, end } = lane.satisfied[0];
  const rows = 2 + lanes.preferences.slice(0, index).reduce((sum, { lanes }) => sum + 1 + lanes.length, 0) + 1;
  for (const url of await addresses(GAME, TRACE)) {
    const page = await open(t, url);
    await walk(page, ['Home', ...Array(rows).fill('ArrowDown'), 'n', 'Enter']);
    await page.getByRole('img', { name: /^Automaton/ }).waitFor();
    const next = await page.locator('.why table tbody tr td:nth-child(3)').allTextContents();
    assert.equal(next.length, boxes.length + 1);
    const shown = next.flatMap((text, from) => text.split(', ').filter((to) => /^\d+$/.test(to)).map((to) => [from + 1, Number(to)]));
    assert.deepEqual(shown, edges);
    // From the satisfaction back to the state before its start.
    for (let state = end; state >= Math.max(1, start - 1); state--) {
      if (state < end) await walk(page, ['ArrowLeft']);
      const live = await texts(page, 'live-position');
      const expected = place(lane, state);
      assert.deepEqual(live.length, expected === null ? 0 : 1, `state ${state}`);
      if (expected !== null) assert.ok(live[0].startsWith(`${expected} (the chosen binding)`), `state ${state}: ${live[0]}`);
      const counts = [...boxes.keys()].map((position) => preference.lanes.filter((lane) => place(lane, state) === String(position + 1)).length);
      counts.push(preference.lanes.filter((lane) => place(lane, state) === 'satisfied').length);
      assert.deepEqual((await texts(page, 'at-position')).map(Number), counts, `state ${state} of ${states}`);
    }
  }
});

test('axe finds nothing on an automaton with a chosen binding', { skip }, async (t) => {
  for (const url of await addresses(GAME, TRACE)) {
    await assertAccessible(t, `${url}${url.includes('#') ? '&' : '#'}lane=p0/0`, ['why']);
  }
});
