// Pages of the viewer in headless Chromium, live and exported, for the tests: skipped with a message without Chromium or without a built
// command.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';

export const ROOT = join(import.meta.dirname, '..');
export const GOALSPEC = process.env.GOALSPEC ?? join(ROOT, 'target/debug/goalspec');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const missing = [GOALSPEC, CHROMIUM].filter((path) => !existsSync(path));

/** The reason for which the tests are skipped. */
export const skip = missing.length > 0 ? `there is no ${missing.join(', no ')}` : false;

let browser;
let folder;
const servers = [];

before(() => {
  if (!skip) folder = mkdtempSync(join(tmpdir(), 'goalspec-view-'));
});

after(async () => {
  await browser?.close();
  servers.forEach((server) => server.kill());
  if (folder) rmSync(folder, { recursive: true });
});

/** The path of a new file, which is removed after the tests. */
export function scratch(name) {
  return join(folder, name);
}

/** The address of the live page with these arguments. */
export async function live(...inputs) {
  const server = spawn(GOALSPEC, ['view', '--no-open', ...inputs]);
  servers.push(server);
  return new Promise((resolve) => server.stdout.once('data', (line) => resolve(String(line).trim())));
}

/** The address of the exported page with these arguments. */
export function exported(...inputs) {
  const file = scratch(`report-${servers.length}.html`);
  // An export of a plan with a failed step reports it, with an exit code of its own.
  spawnSync(GOALSPEC, ['view', '--export', file, ...inputs]);
  return `file://${file}`;
}

/** The addresses of the live and of the exported page. */
export async function addresses(...inputs) {
  return [await live(...inputs), exported(...inputs)];
}

/** Opens a page, and fails the test at its end if the page wrote to the console. */
export async function open(t, url, options = {}) {
  browser ??= await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, ...options });
  const problems = [];
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  t.after(async () => {
    await page.close();
    assert.deepEqual(problems, []);
  });
  await page.goto(url);
  await page.locator('#app').getByTestId('score').waitFor();
  return page;
}

/** Presses keys on the time line, and returns what the page says about the chosen row. */
export async function walk(page, keys) {
  await page.getByTestId('lanes').focus();
  for (const key of keys) await page.keyboard.press(key);
  await page.waitForTimeout(60);
  return (await page.getByTestId('status').textContent()).trim();
}

export async function texts(page, id) {
  return (await page.locator('#app').getByTestId(id).allTextContents()).map((text) => text.trim());
}

/** Checks that axe finds nothing on the panels of a page, in light and dark. */
export async function assertAccessible(t, url, panels = ['score', 'why', 'world']) {
  const axe = readFileSync(join(import.meta.dirname, 'node_modules/axe-core/axe.min.js'), 'utf8');
  for (const colorScheme of ['light', 'dark']) {
    // The policy of the page admits no other script, so the checker needs a page without the policy.
    const page = await open(t, url, { colorScheme, bypassCSP: true });
    await page.evaluate(axe);
    for (const panel of panels) {
      await page.getByRole('button', { name: panel, exact: true }).click();
      await page.waitForTimeout(300);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 150)} ${nodes[0].failureSummary}`);
      assert.deepEqual(found, [], `${url.slice(0, 4)} ${colorScheme} ${panel}`);
    }
  }
}
