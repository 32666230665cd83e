// The page in headless Chromium, driven by keys: skipped with a message without Chromium or without a built command.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

const ROOT = join(import.meta.dirname, '../..');
const GOALSPEC = process.env.GOALSPEC ?? join(ROOT, 'target/debug/goalspec');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const missing = [GOALSPEC, CHROMIUM].filter((path) => !existsSync(path));
const skip = missing.length > 0 ? `there is no ${missing.join(', no ')}` : false;
const GAME = join(ROOT, 'examples/game/throw-to-bin.game');
const TRACE = join(ROOT, 'examples/game/play.jsonl');

let browser;
let server;
let address;
let folder;
let outcome;

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), 'goalspec-view-'));
  const arguments_ = ['score', '--format', 'json', '--why', '--per-step', '--lanes=50', GAME, TRACE];
  [outcome] = JSON.parse(execFileSync(GOALSPEC, arguments_));
  server = spawn(GOALSPEC, ['view', '--no-open', GAME, TRACE]);
  address = await new Promise((resolve) => server.stdout.once('data', (line) => resolve(String(line).trim())));
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
});

after(async () => {
  await browser?.close();
  server?.kill();
  if (folder) rmSync(folder, { recursive: true });
});

/** Opens a page, and fails the test at its end if the page wrote to the console or asked another host. */
async function open(t, url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, ...options });
  const problems = [];
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    const own = [new URL(address).origin, 'file:', 'data:', 'blob:'].some((start) => request.url().startsWith(start));
    if (!own) problems.push(`request to ${request.url()}`);
  });
  t.after(async () => {
    await page.close();
    assert.deepEqual(problems, []);
  });
  await page.goto(url);
  await page.getByTestId('score').waitFor();
  return page;
}

async function exported() {
  const file = join(folder, 'report.html');
  execFileSync(GOALSPEC, ['view', '--export', file, GAME, TRACE]);
  return `file://${file}`;
}

/** Moves to a state of a lane, and returns what the page says about it. */
async function walk(page, keys) {
  await page.getByTestId('lanes').focus();
  for (const key of keys) await page.keyboard.press(key);
  await page.waitForTimeout(60);
  return (await page.getByTestId('status').textContent()).trim();
}

test('every number is that of the command, live and exported', { skip }, async (t) => {
  for (const url of [address, await exported()]) {
    const page = await open(t, url);
    assert.equal(await page.getByTestId('score').textContent(), String(outcome.score));
    assert.deepEqual(
      await page.getByTestId('count').allTextContents(),
      outcome.preferences.map(({ count }) => String(count)),
    );
    const satisfactions = outcome.preferences.flatMap(({ satisfactions }) => satisfactions);
    const shown = (await page.getByTestId('satisfaction').allTextContents()).map((text) => text.trim());
    assert.deepEqual(shown, satisfactions.map(({ start, end }) => `${start}\u2013${end}`));
    // The reward of every state, through the status of the first row.
    for (let state = 1; state <= 20; state++) {
      const said = await walk(page, state === 1 ? ['Home'] : ['ArrowRight']);
      assert.equal(said, `state ${state}: reward ${outcome.rewards[state - 1]}`);
    }
  }
});

test('by keys alone from opening to the reason of the second satisfaction', { skip }, async (t) => {
  const page = await open(t, address);
  const index = outcome.lanes.preferences.findIndex(({ lanes }) => lanes[0]?.satisfied.length > 1);
  const { name, lanes } = outcome.lanes.preferences[index];
  const [lane] = lanes;
  // The lanes are in the order of the page: the curve, the setup, then each preference with its lanes.
  const rows = 2 + outcome.lanes.preferences.slice(0, index).reduce((sum, { lanes }) => sum + 1 + lanes.length, 0) + 1;
  const keys = ['Home', ...Array(rows).fill('ArrowDown'), 'n', 'n'];
  const { start, end, operators } = lane.satisfied[1];
  const said = await walk(page, keys);
  assert.equal(said, `state ${end}: ${name}, ${Object.values(lane.names).join(', ')}: satisfied, from ${start}`);
  await page.keyboard.press('Enter');
  await page.getByTestId('outcome').waitFor();
  assert.match(await page.getByTestId('outcome').textContent(), new RegExp(`Satisfied from state ${start} to ${end}`));
  const shown = (await page.getByTestId('operator').allTextContents()).map((text) => text.trim());
  const expected = operators.map(({ start, end }) => (start === end ? `state ${start}` : `state ${start} to ${end}`));
  assert.deepEqual(shown, expected);
  const holds = lane.true.map((runs) => runs.some(([from, to]) => from <= end && end <= to));
  const conditions = await page.getByTestId('condition').allTextContents();
  assert.deepEqual(conditions.map((text) => text.includes('true')), holds);
});

test('a mistake is reported while typing, and mended', { skip }, async (t) => {
  const page = await open(t, address);
  const text = readFileSync(GAME, 'utf8');
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(')(');
  await page.getByTestId('problem').waitFor();
  assert.match(await page.getByTestId('diagnostics').textContent(), /error/);
  assert.equal(await page.getByTestId('score').textContent(), String(outcome.score), 'the last good run stays');
  for (let times = 0; times < 2; times++) await page.keyboard.press('Backspace');
  await page.getByTestId('problem').waitFor({ state: 'detached' });
  assert.equal(readFileSync(GAME, 'utf8'), text, 'the file is not touched');
});

test('a link leads back, without the token', { skip }, async (t) => {
  const page = await open(t, address);
  await walk(page, ['Home', 'ArrowDown', 'Shift+ArrowRight']);
  await page.waitForTimeout(500);
  const link = new URL(page.url());
  assert.ok(!link.hash.includes('token') && link.hash.includes('at=10'), link.hash);
  await page.reload();
  await page.getByTestId('score').waitFor();
  await page.waitForTimeout(200);
  assert.match(await page.getByTestId('status').textContent(), /^state 11: /);
});

test('axe finds nothing, light and dark, live and exported', { skip }, async (t) => {
  const axe = readFileSync(join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8');
  for (const url of [address, await exported()]) {
    for (const colorScheme of ['light', 'dark']) {
      // The policy of the page admits no other script, so the checker needs a page without the policy.
      const page = await open(t, url, { colorScheme, bypassCSP: true });
      await page.evaluate(axe);
      for (const panel of ['score', 'why', 'world']) {
        await page.getByRole('button', { name: panel, exact: true }).click();
        await page.waitForTimeout(150);
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 150)} ${nodes[0].failureSummary}`);
        assert.deepEqual(found, [], `${url.slice(0, 4)} ${colorScheme} ${panel}`);
      }
    }
  }
});

test('an exported page works in a sandboxed frame', { skip }, async (t) => {
  const html = readFileSync(new URL(await exported()), 'utf8');
  const escaped = html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const frame = join(folder, 'frame.html');
  writeFileSync(frame, `<iframe sandbox="allow-scripts" width="1300" height="800" srcdoc="${escaped}"></iframe>`);
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(`file://${frame}`);
  const score = page.frameLocator('iframe').getByTestId('score');
  await score.waitFor();
  assert.equal(await score.textContent(), String(outcome.score));
});
