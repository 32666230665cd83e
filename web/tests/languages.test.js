// The screens of reward functions and plans in headless Chromium, driven by keys, against the documents of the commands: skipped with a
// message without Chromium or without a built command.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';

import { GOALSPEC, ROOT, addresses, assertAccessible, open, scratch, skip, texts, walk } from '../browser.js';

const REWARD = join(ROOT, 'examples/reward/rally.py');
const DELIVERY = join(ROOT, 'examples/pddl/delivery');
const PROBLEM = [join(DELIVERY, 'domain.pddl'), join(DELIVERY, 'one_van.pddl')];

let recording;

before(() => {
  if (skip) return;
  recording = scratch('pong.jsonl');
  execFileSync(GOALSPEC, ['trace', 'record', '--game', 'pong', join(ROOT, 'examples/reward/pong.hex'), '-o', recording]);
});

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
  const plan = scratch('failing.plan');
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
