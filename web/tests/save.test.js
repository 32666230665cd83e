// Saving of programs in headless Chromium: skipped with a message without Chromium or without a built command.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { ROOT, assertAccessible, live, open, scratch, skip } from '../browser.js';

const TRACE = join(ROOT, 'examples/game/play.jsonl');

/** A copy of a game that may be changed. */
function copy(name) {
  const file = scratch(name);
  copyFileSync(join(ROOT, 'examples/game/throw-to-bin.game'), file);
  return file;
}

/** Types a comment at the end of the program. */
async function type(page, text) {
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
}

test('without --write, there is nothing to save with', { skip }, async (t) => {
  const page = await open(t, await live(copy('fixed.game'), TRACE));
  assert.equal(await page.getByRole('button', { name: 'save' }).count(), 0);
});

test('with --write, keys save a changed program', { skip }, async (t) => {
  const file = copy('saved.game');
  const before = readFileSync(file, 'utf8');
  const page = await open(t, await live('--write', file, TRACE));
  assert.ok(await page.getByRole('button', { name: 'save' }).isDisabled());
  await type(page, '; one');
  assert.equal(readFileSync(file, 'utf8'), before, 'typing saves nothing');
  await page.keyboard.press('Control+s');
  await page.getByText('The program is saved.').waitFor();
  assert.equal(readFileSync(file, 'utf8'), `${before}; one`);
  await type(page, ', two');
  await page.getByRole('button', { name: 'save' }).click();
  await page.getByText('changed text, not saved').waitFor({ state: 'detached' });
  assert.equal(readFileSync(file, 'utf8'), `${before}; one, two`);
});

test('a change on disk is shown beside the own one, and overwritten or loaded', { skip }, async (t) => {
  const file = copy('contested.game');
  const before = readFileSync(file, 'utf8');
  const page = await open(t, await live('--write', file, TRACE));
  const other = `; other\n${before}`;
  writeFileSync(file, other);
  await type(page, '; mine');
  await page.keyboard.press('Control+s');
  await page.getByTestId('disk').waitFor();
  assert.equal(await page.getByTestId('disk').textContent(), other);
  assert.equal(readFileSync(file, 'utf8'), other);
  await page.getByRole('button', { name: /^overwrite/ }).click();
  await page.getByTestId('disk').waitFor({ state: 'detached' });
  assert.equal(readFileSync(file, 'utf8'), `${before}; mine`);
  writeFileSync(file, other);
  await type(page, ', again');
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: /^discard/ }).click();
  await page.locator('.cm-line').first().getByText('; other').waitFor();
  assert.equal(await page.getByText('changed text, not saved').count(), 0);
  assert.equal(readFileSync(file, 'utf8'), other);
});

/** A copy of the trace, so that there are two. */
function otherTrace() {
  const file = scratch('other-play.jsonl');
  copyFileSync(TRACE, file);
  return file;
}

/** The choice of the trace. */
const traces = (page) => page.locator('label', { hasText: /^\s*trace/ }).locator('select');

test('a run of a file that has changed meanwhile shows its text, and a changed text is a conflict', { skip }, async (t) => {
  const file = copy('read-again.game');
  const before = readFileSync(file, 'utf8');
  const page = await open(t, await live('--write', file, TRACE, otherTrace()));
  const other = `; other\n${before}`;
  writeFileSync(file, other);
  await traces(page).selectOption('1');
  await page.locator('.cm-line').first().getByText('; other').waitFor();
  await type(page, '; mine');
  await page.keyboard.press('Control+s');
  await page.getByText('The program is saved.').waitFor();
  assert.equal(readFileSync(file, 'utf8'), `${other}; mine`);
  await type(page, ', more');
  writeFileSync(file, before);
  await traces(page).selectOption('0');
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'save' }).click();
  await page.getByTestId('disk').waitFor();
  assert.equal(readFileSync(file, 'utf8'), before);
});

test('lines end as before when a program is saved', { skip }, async (t) => {
  const file = copy('carriage-returns.game');
  const before = readFileSync(file, 'utf8').replaceAll('\n', '\r\n');
  writeFileSync(file, before);
  const page = await open(t, await live('--write', file, TRACE));
  await type(page, '; one');
  await page.keyboard.press('Control+s');
  await page.getByText('The program is saved.').waitFor();
  assert.equal(readFileSync(file, 'utf8'), `${before}; one`);
});

test('axe finds nothing on a page that may save', { skip }, async (t) => {
  await assertAccessible(t, await live('--write', copy('checked.game'), TRACE));
});
