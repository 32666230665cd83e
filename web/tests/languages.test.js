// The screens of reward functions and plans in headless Chromium, driven by keys, against the documents of the commands: skipped with a
// message without Chromium or without a built command.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
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
const REWARD = join(ROOT, 'examples/reward/rally.py');
const DELIVERY = join(ROOT, 'examples/pddl/delivery');
const PROBLEM = [join(DELIVERY, 'domain.pddl'), join(DELIVERY, 'one_van.pddl')];

let browser;
let folder;
let recording;
const servers = [];

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), 'goalspec-view-'));
  recording = join(folder, 'pong.jsonl');
  execFileSync(GOALSPEC, ['trace', 'record', '--game', 'pong', join(ROOT, 'examples/reward/pong.hex'), '-o', recording]);
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
});

after(async () => {
  await browser?.close();
  servers.forEach((server) => server.kill());
  if (folder) rmSync(folder, { recursive: true });
});

/** The addresses of the inputs, live and exported. */
async function addresses(...inputs) {
  const server = spawn(GOALSPEC, ['view', '--no-open', ...inputs]);
  servers.push(server);
  const live = await new Promise((resolve) => server.stdout.once('data', (line) => resolve(String(line).trim())));
  const file = join(folder, `report-${servers.length}.html`);
  // An export of a plan with a failed step reports it, with an exit code of its own.
  spawnSync(GOALSPEC, ['view', '--export', file, ...inputs]);
  return [live, `file://${file}`];
}

/** Opens a page, and fails the test at its end if the page wrote to the console. */
async function open(t, url, options = {}) {
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

async function walk(page, keys) {
  await page.getByTestId('lanes').focus();
  for (const key of keys) await page.keyboard.press(key);
  await page.waitForTimeout(60);
  return (await page.getByTestId('status').textContent()).trim();
}

async function texts(page, id) {
  return (await page.locator('#app').getByTestId(id).allTextContents()).map((text) => text.trim());
}

async function assertAccessible(t, url) {
  const axe = readFileSync(join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8');
  for (const colorScheme of ['light', 'dark']) {
    // The policy of the page admits no other script, so the checker needs a page without the policy.
    const page = await open(t, url, { colorScheme, bypassCSP: true });
    await page.evaluate(axe);
    for (const panel of ['score', 'why', 'world']) {
      await page.getByRole('button', { name: panel, exact: true }).click();
      await page.waitForTimeout(300);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 150)} ${nodes[0].failureSummary}`);
      assert.deepEqual(found, [], `${url.slice(0, 4)} ${colorScheme} ${panel}`);
    }
  }
}

test('every number of a reward function is that of the command', { skip }, async (t) => {
  const json = ['score', '--format', 'json', '--per-step', '--terms', REWARD, recording];
  const [outcome] = JSON.parse(execFileSync(GOALSPEC, json));
  for (const url of await addresses(REWARD, recording)) {
    const page = await open(t, url);
    assert.deepEqual((await texts(page, 'score')).map(Number), [outcome.total]);
    assert.deepEqual((await texts(page, 'episode')).map(Number), outcome.episodes.map(({ total }) => total));
    assert.deepEqual((await texts(page, 'term-sum')).map(Number), outcome.terms.map(({ sum }) => sum));
    // The first row is the reward, and the third one the first term, which some frames do not reach.
    for (let frame = 0; frame < 20; frame++) {
      const said = await walk(page, frame === 0 ? ['Home', 'ArrowUp'] : ['ArrowUp', 'ArrowUp', 'ArrowRight']);
      assert.equal(said, `frame ${frame}: reward: ${outcome.rewards[frame]}`);
      const { id, name } = outcome.terms[0];
      const value = outcome.term_rewards[id][frame] ?? 'not reached';
      assert.equal(await walk(page, ['ArrowDown', 'ArrowDown']), `frame ${frame}: ${name}: ${value}`);
    }
  }
});

test('by keys alone to the reason for a reward and to its screen', { skip }, async (t) => {
  const [reason] = JSON.parse(execFileSync(GOALSPEC, ['score', '--format', 'json', '--why=62', REWARD, recording]));
  for (const url of await addresses(REWARD, recording)) {
    const page = await open(t, url);
    await walk(page, ['Home', ...Array(6).fill('Shift+ArrowRight'), 'ArrowRight', 'ArrowRight', 'Enter']);
    await page.getByText('Frame 62 of episode 0').waitFor();
    assert.deepEqual((await texts(page, 'reward')).map(Number), [reason.reward]);
    assert.deepEqual((await texts(page, 'term-value')).map(Number), reason.terms.map(({ value }) => value));
    const [comparison] = reason.comparisons.filter(({ left }) => left);
    const sides = `(left ${comparison.left[0]}, right ${comparison.right[0]})`;
    assert.ok((await texts(page, 'comparison')).some((text) => text.includes(sides)), sides);
    assert.equal((await texts(page, 'branch')).length, reason.branches.length);
    await page.getByRole('button', { name: 'world', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.locator('#app').getByTestId('box').first().waitFor();
    const objects = JSON.parse(readFileSync(recording, 'utf8').split('\n')[63]).objs.filter(([name]) => name !== 'NoObject');
    const boxes = await page.locator('#app').getByTestId('box').evaluateAll((all) =>
      all.map((box) => ['x', 'y', 'width', 'height'].map((name) => Number(box.getAttribute(name)))),
    );
    assert.deepEqual(boxes, objects.map((object) => object.slice(1, 5)));
  }
});

test('every number of a plan is that of the command, and facts have their changes', { skip }, async (t) => {
  const plan = join(DELIVERY, 'one_van.plan');
  const judged = JSON.parse(execFileSync(GOALSPEC, ['validate', '--format', 'json', ...PROBLEM, plan]));
  for (const url of await addresses(...PROBLEM, plan)) {
    const page = await open(t, url);
    assert.deepEqual(await texts(page, 'score'), [judged.valid ? 'valid' : 'invalid']);
    assert.deepEqual([...(await texts(page, 'applied')), ...(await texts(page, 'metric'))].map(Number), [judged.steps, judged.metric]);
    const steps = await texts(page, 'step');
    assert.equal(steps.length, judged.steps);
    assert.equal(await walk(page, ['Home', 'ArrowRight', 'ArrowRight']), `step 2: ${steps[1]}`);
    await page.getByRole('button', { name: 'world', exact: true }).click();
    await page.getByTestId('fact-added').first().waitFor();
    assert.deepEqual(await texts(page, 'fact-added'), ['now true: (at red mill)']);
    assert.deepEqual(await texts(page, 'fact-removed'), ['no longer true: (at red depot)']);
  }
});

test('a failed step says what it lacks', { skip }, async (t) => {
  const plan = join(folder, 'failing.plan');
  writeFileSync(plan, '(load books red depot)\n(drive red depot mill)\n(load shoes red harbour)\n(drive red mill depot)\n');
  const judged = JSON.parse(spawnSync(GOALSPEC, ['validate', '--format', 'json', ...PROBLEM, plan]).stdout);
  for (const url of await addresses(...PROBLEM, plan)) {
    const page = await open(t, url);
    assert.deepEqual(await texts(page, 'score'), ['invalid']);
    assert.equal(await walk(page, ['End', 'Enter']), `step 3: ${judged.failed_step} is not applicable`);
    await page.getByTestId('unmet').first().waitFor();
    const unmet = await texts(page, 'unmet');
    assert.equal(unmet.length, judged.unmet_conditions.length);
    judged.unmet_conditions.forEach(({ condition, value }, index) => assert.ok(unmet[index].startsWith(`${condition} is ${value}`)));
  }
});

test('axe finds nothing on the screens of rewards and plans', { skip }, async (t) => {
  for (const url of await addresses(REWARD, recording)) await assertAccessible(t, url);
  for (const url of await addresses(...PROBLEM, join(DELIVERY, 'one_van.plan'))) await assertAccessible(t, url);
});
