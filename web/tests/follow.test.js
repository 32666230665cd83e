// A trace that grows while it is viewed, in headless Chromium: skipped with a message without Chromium or without a built command.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { GOALSPEC, ROOT, assertAccessible, live, open, scratch, skip, walk } from '../browser.js';

const GAME = join(ROOT, 'examples/game/throw-to-bin.game');
const LINES = readFileSync(join(ROOT, 'examples/game/play.jsonl'), 'utf8').trim().split('\n');

/** Writes the first states of the example. */
function begin(name, states) {
  const file = scratch(name);
  writeFileSync(file, LINES.slice(0, states + 1).map((line) => `${line}\n`).join(''));
  return file;
}

test('the page grows with the trace, and a cursor at its end stays there', { skip }, async (t) => {
  const file = begin('growing.jsonl', 30);
  const page = await open(t, await live('--follow', GAME, file));
  await page.getByText('of 30', { exact: true }).waitFor();
  await walk(page, ['End']);
  appendFileSync(file, LINES.slice(31, 61).map((line) => `${line}\n`).join('') + LINES[61].slice(0, 20));
  await page.getByText('of 60', { exact: true }).waitFor();
  await page.getByTestId('status').getByText(/^state 60: /).waitFor();
  await walk(page, ['Home', 'ArrowRight']);
  appendFileSync(file, LINES.slice(61).map((line, index) => `${index === 0 ? line.slice(20) : line}\n`).join(''));
  const [{ score, states, rewards }] = JSON.parse(execFileSync(GOALSPEC, ['score', '--format', 'json', '--per-step', GAME, file]));
  await page.getByText(`of ${states}`, { exact: true }).waitFor();
  assert.equal(await page.getByTestId('score').textContent(), String(score));
  assert.equal(await page.getByTestId('status').textContent(), `state 2: reward ${rewards[1]}`, 'another cursor stays where it is');
  assert.equal(await page.getByTestId('problem').count(), 0);
});

test('axe finds nothing on a followed trace', { skip }, async (t) => {
  await assertAccessible(t, await live('--follow', GAME, begin('checked.jsonl', 40)));
});
