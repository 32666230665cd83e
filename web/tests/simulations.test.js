// The screens of resource graph games in headless Chromium, driven by keys, against the documents of the commands: skipped with a message
// without Chromium or without a built command.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { GOALSPEC, ROOT, addresses, assertAccessible, exported, live, open, scratch, skip, texts, walk } from '../browser.js';

const BERRIES = join(ROOT, 'examples/rgg/berries.yaml');
const OPTIONS = ['--games', '60', '--seed', '5', '--policy', 'ann=masked-random'];

function report(...options) {
  return JSON.parse(execFileSync(GOALSPEC, ['simulate', '--format', 'json', ...options, BERRIES]));
}

/** The turns of a game, as the command records them, and its last line. */
function recorded(index, ...options) {
  const file = scratch(`turns-${index}.jsonl`);
  execFileSync(GOALSPEC, ['simulate', ...options, '--first-game', String(index), '--games', '1', '--trace', file, BERRIES]);
  const lines = readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  return { turns: lines.slice(1, -1), end: lines.at(-1) };
}

const summaries = ({ turns, invalid_turns: invalid, rewards, metrics }) => [turns, invalid, ...Object.values(rewards), ...Object.values(metrics)];

async function assertReport(page, expected) {
  for (const key of ['mean', 'sd', 'min', 'max']) {
    assert.deepEqual((await texts(page, key)).map(Number), summaries(expected).map((summary) => summary[key]), key);
  }
  assert.deepEqual((await texts(page, 'median')).map(Number), summaries(expected).map(({ quantiles }) => quantiles['0.5']));
  const intervals = summaries(expected).map(({ mean_interval: interval }) => interval.join(' to '));
  assert.deepEqual(await texts(page, 'interval'), intervals);
  assert.deepEqual((await texts(page, 'chosen')).map(Number), expected.choices.map(({ chosen }) => chosen));
  assert.deepEqual((await texts(page, 'occurred')).map(Number), expected.consequences.map(({ occurred }) => occurred));
}

test('every number and every histogram is that of the command', { skip }, async (t) => {
  const expected = report(...OPTIONS);
  for (const url of await addresses(...OPTIONS, BERRIES)) {
    const page = await open(t, url);
    await assertReport(page, expected);
    for (const [name, summary] of [['reward ann', expected.rewards.ann], ['metric grove.berries', expected.metrics['grove.berries']]]) {
      await page.getByRole('row').getByRole('button', { name, exact: true }).first().focus();
      await page.keyboard.press('Enter');
      const bins = summary.histogram.bins.map(([low, high, count]) => `${low === high ? low : `${low} to ${high}`}: ${count} games`);
      assert.deepEqual(await texts(page, 'bin'), bins);
    }
  }
});

test('a game of a bar is replayed on the board as the command records it', { skip }, async (t) => {
  const { rewards } = report(...OPTIONS);
  const { bins } = rewards.ann.histogram;
  for (const url of await addresses(...OPTIONS, BERRIES)) {
    const page = await open(t, url);
    await page.locator('#app').getByTestId('bin').last().focus();
    await page.keyboard.press('Enter');
    await page.getByText(/^Games with reward ann/).waitFor();
    const games = await texts(page, 'game');
    assert.equal(games.length, bins.at(-1)[2]);
    const index = Number(games[0].replace('game ', ''));
    await page.getByRole('heading', { name: `berries.yaml, game ${index} of seed 5` }).waitFor();
    const { turns, end } = recorded(index, '--seed', '5', '--policy', 'ann=masked-random');
    assert.equal(end.rewards.ann, bins.at(-1)[1]);
    await page.getByRole('button', { name: 'turn', exact: true }).click();
    for (const line of turns) {
      const parameters = Object.entries(line.with).map(([name, value]) => `, ${name} ${value}`).join('');
      const move = `${line.choose}${parameters}`;
      const said = await walk(page, line.turn === 1 ? ['Home', 'ArrowRight'] : ['ArrowRight']);
      assert.equal(said, `turn ${line.turn}: ${line.team}: ${move}${line.valid ? '' : ', invalid'}`);
      assert.deepEqual(await texts(page, 'move'), [move]);
      assert.equal((await texts(page, 'consequence')).length, line.occurred.length);
      assert.equal((await texts(page, 'change')).length, Object.keys(line.changes).length);
      assert.deepEqual((await texts(page, 'step-reward')).map(Number), Object.values(line.rewards));
    }
    assert.deepEqual((await texts(page, 'reward')).map(Number), Object.values(end.rewards));
    await page.getByRole('button', { name: 'board', exact: true }).click();
    const shown = await texts(page, 'resource');
    for (const [metric, value] of Object.entries(end.metrics)) {
      const name = metric.split('.')[1];
      assert.ok(shown.some((text) => text.replace(' (changed)', '').replace(', outside its range', '') === `${name}: ${value}`), `${metric} ${value}: ${shown}`);
    }
  }
});

test('a team sees the nodes that it observes', { skip }, async (t) => {
  const page = await open(t, await live(...OPTIONS, BERRIES));
  await page.getByRole('button', { name: 'board', exact: true }).click();
  assert.deepEqual(await texts(page, 'observers'), ['ann, ben', 'ann', 'ben', 'no team']);
  assert.equal((await texts(page, 'resource')).length, 6);
  await page.getByLabel('seen by').selectOption('ben');
  assert.equal((await texts(page, 'resource')).length, 4, 'the camp with three resources, and the brook');
  assert.equal(await page.getByText('not seen by ben').count(), 2);
});

test('another experiment is simulated, and a link leads back to its game', { skip }, async (t) => {
  const page = await open(t, await live(BERRIES));
  await page.getByLabel('games', { exact: true }).fill('25');
  await page.getByLabel('seed').fill('9');
  await page.getByLabel('policy of ben').selectOption('greedy');
  await page.getByLabel('policy of ben').press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('#app').getByTestId('score').getByText('25', { exact: true }).waitFor();
  const expected = report('--games', '25', '--seed', '9', '--policy', 'ben=greedy');
  await assertReport(page, expected);
  await page.getByRole('button', { name: 'game 7', exact: true }).click();
  await page.getByRole('heading', { name: 'game 7 of seed 9' }).waitFor();
  await walk(page, ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight']);
  await page.waitForTimeout(500);
  assert.match(new URL(page.url()).hash, /at=3&.*&game=7&games=25&seed=9&policy=ann%3Drandom&policy=ben%3Dgreedy$/);
  await page.reload();
  await page.getByRole('heading', { name: 'game 7 of seed 9' }).waitFor();
  await assertReport(page, expected);
  await page.getByTestId('status').getByText(/^turn 3: /).waitFor();
});

test('an exported page says which games it has', { skip }, async (t) => {
  const page = await open(t, exported('--games', '3', BERRIES));
  await page.getByRole('button', { name: 'game 2', exact: true }).click();
  await page.getByRole('heading', { name: 'game 2 of seed 0' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'simulate' }).count(), 0);
});

test('axe finds nothing on the screens of simulated games', { skip }, async (t) => {
  for (const url of await addresses(...OPTIONS, BERRIES)) await assertAccessible(t, url, ['games', 'turn', 'board']);
});
