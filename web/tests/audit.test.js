// Audits of reward functions in headless Chromium, against those of the command: skipped with a message without Chromium or without a built
// command.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

import { GOALSPEC, ROOT, addresses, assertAccessible, open, skip, texts } from '../browser.js';

const LANDING = join(ROOT, 'examples/reward/landing');
const INPUTS = ['land.py', 'flight.jsonl', 'landing.world.toml'].map((name) => join(LANDING, name));

test('the findings are those of the command, and lead to their frames', { skip }, async (t) => {
  const [{ findings }] = JSON.parse(execFileSync(GOALSPEC, ['audit', '--format', 'json', ...INPUTS]));
  const all = findings.flatMap((finding) => [finding, ...finding.consequences]);
  for (const url of await addresses(...INPUTS)) {
    const page = await open(t, url);
    await page.getByRole('button', { name: 'audit', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.locator('#app').getByTestId('finding').first().waitFor();
    assert.deepEqual(await texts(page, 'finding-message'), all.map(({ message }) => message));
    const evidence = all.flatMap(({ evidence }) => evidence).map((text) => text.replaceAll(`${LANDING}/`, ''));
    assert.deepEqual(await texts(page, 'evidence'), evidence);
    const frames = evidence.flatMap((text) => [...text.matchAll(/frame (\d+)/g)].map(([, frame]) => frame));
    assert.ok(frames.length > 0);
    assert.deepEqual(await texts(page, 'frame'), frames);
    await page.locator('#app').getByTestId('frame').first().focus();
    await page.keyboard.press('Enter');
    await page.getByTestId('status').getByText(new RegExp(`^frame ${frames[0]}: `)).waitFor();
  }
});

test('axe finds nothing on an audit', { skip }, async (t) => {
  for (const url of await addresses(...INPUTS)) await assertAccessible(t, url, ['audit']);
});
