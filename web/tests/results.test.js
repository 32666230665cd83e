// Tables of results in headless Chromium, against those of the command: skipped with a message without Chromium or without a built command.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { GOALSPEC, ROOT, assertAccessible, live, open, scratch, skip, texts } from '../browser.js';

/** A folder with a game and a reward function, each with a trace. */
function folder() {
  const folder = scratch('results');
  mkdirSync(folder, { recursive: true });
  for (const name of ['game/throw-to-bin.game', 'game/play.jsonl', 'reward/landing/land.py', 'reward/landing/flight.jsonl', 'reward/landing/landing.world.toml']) {
    cpSync(join(ROOT, 'examples', name), join(folder, name.split('/').at(-1)));
  }
  return folder;
}

async function openResults(t) {
  const page = await open(t, await live(folder()));
  await page.getByRole('button', { name: 'results', exact: true }).click();
  await page.getByTestId('scored').getByText('2', { exact: true }).waitFor();
  return page;
}

test('a table has the numbers of the command, and is sorted by them', { skip }, async (t) => {
  const expected = JSON.parse(spawnSync(GOALSPEC, ['score', '--format', 'json', folder()]).stdout);
  const page = await openResults(t);
  const number = ({ score, total }) => (total === undefined ? score : total);
  const byProgram = (name) => expected.find(({ program }) => program.endsWith(name));
  const names = await texts(page, 'result');
  assert.equal(names.length, expected.length);
  assert.deepEqual((await texts(page, 'result-score')).map(Number), names.map((name) => number(byProgram(name))));
  assert.deepEqual((await texts(page, 'result-states')).map(Number), names.map((name) => byProgram(name).states ?? byProgram(name).frames));
  const counts = byProgram('throw-to-bin.game').preferences.map(({ name, count }) => `${name} ${count}`).join(', ');
  assert.equal((await texts(page, 'result-counts'))[names.indexOf('throw-to-bin.game')], counts);
  const sorted = expected.map(number).sort((left, right) => left - right);
  const heading = page.getByRole('columnheader', { name: 'score' });
  await heading.getByRole('button').focus();
  await page.keyboard.press('Enter');
  assert.equal(await heading.getAttribute('aria-sort'), 'ascending');
  assert.deepEqual((await texts(page, 'result-score')).map(Number), sorted);
  await page.keyboard.press('Enter');
  assert.equal(await heading.getAttribute('aria-sort'), 'descending');
  assert.deepEqual((await texts(page, 'result-score')).map(Number), sorted.reverse());
  await page.getByLabel('find a result').fill('land');
  assert.deepEqual(await texts(page, 'result'), ['land.py']);
});

test('a row opens its run', { skip }, async (t) => {
  const page = await openResults(t);
  const rows = page.locator('.results tbody tr');
  const index = (await texts(page, 'result')).indexOf('land.py');
  const score = await rows.nth(index).getByTestId('result-score').textContent();
  await rows.nth(index).getByTestId('result').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'land.py over flight.jsonl' }).waitFor();
  assert.equal(await page.getByTestId('score').textContent(), score);
});

test('axe finds nothing on a table of results', { skip }, async (t) => {
  await assertAccessible(t, await live(folder()), ['results']);
});
