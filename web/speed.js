// The speed of the time line: 200 lanes over 100,000 states, moved and zoomed in headless Chromium. Run by `npm run speed`; the figures depend
// on what else the machine does.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const ROOT = join(import.meta.dirname, '..');
const GOALSPEC = process.env.GOALSPEC ?? join(ROOT, 'target/debug/goalspec');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const STATES = Number(process.env.STATES ?? 100_000);

const folder = mkdtempSync(join(tmpdir(), 'goalspec-speed-'));
const game = join(folder, 'speed.game');
const trace = join(folder, 'speed.jsonl');

/** Writes a game with a lane for each pair of objects, and a trace in which the agent picks up one object after the other. */
function write() {
  writeFileSync(
    game,
    `(define (game speed) (:domain few-objects-room-v1)
(:constraints (and (preference carry (exists (?a ?b - game_object)
  (then (once (agent_holds ?a)) (hold (not (agent_holds ?a))) (once (agent_holds ?b)))))))
(:scoring (count carry)))`,
  );
  const [head, first] = readFileSync(join(ROOT, 'examples/game/play.jsonl'), 'utf8').split('\n');
  const ids = Object.keys(JSON.parse(first).set).filter((id) => /ball|Block|Ramp|Pillow/i.test(id));
  const rows = [head, first];
  for (let state = 1; state < STATES; state++) {
    const held = state % 7 < 3 ? ids[Math.floor(state / 7) % ids.length] : null;
    rows.push(JSON.stringify({ t: state * 0.1, set: { agent: { held } } }));
  }
  writeFileSync(trace, rows.join('\n') + '\n');
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1);

try {
  write();
  const server = spawn(GOALSPEC, ['view', '--no-open', '--lanes', '220', '--budget', 'none', game, trace]);
  server.stderr.pipe(process.stderr);
  const address = await new Promise((resolve) => server.stdout.once('data', (line) => resolve(String(line).trim())));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
  const page = await browser.newPage({ viewport: { width: 1680, height: 5000 } });
  const began = Date.now();
  await page.goto(address);
  await page.getByTestId('score').waitFor({ timeout: 300_000 });
  console.log(`opened in ${Date.now() - began} ms`);
  await page.addStyleTag({ content: '.lanes { height: 4500px !important; }' }).catch(() => undefined);
  await page.evaluate(() => document.querySelector('.lanes').style.setProperty('height', '4500px'));
  await page.waitForTimeout(2000);
  for (const [name, key] of [
    ['moving at 1 in 64', '+'],
    ['zooming', '+'],
  ]) {
    const figures = await page.evaluate(
      async ({ key, moving }) => {
        const lanes = document.querySelector('[data-testid=lanes]');
        const press = (key, shiftKey = false) => lanes.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true }));
        press('0');
        if (moving) for (let times = 0; times < 6; times++) press(key);
        const body = lanes.querySelector('.body');
        const frames = [];
        const scripts = [];
        let last = performance.now();
        for (let frame = 0; frame < 240; frame++) {
          await new Promise(requestAnimationFrame);
          const now = performance.now();
          frames.push(now - last);
          last = now;
          const wheel = moving
            ? { deltaX: frame % 120 < 60 ? 30 : -30 }
            : { deltaY: frame % 120 < 60 ? -25 : 25, ctrlKey: true };
          body.dispatchEvent(new WheelEvent('wheel', { ...wheel, clientX: 1000, bubbles: true, cancelable: true }));
          scripts.push(performance.now() - now);
        }
        return { frames, rows: document.querySelectorAll('.label').length };
      },
      { key, moving: name.startsWith('moving') },
    );
    const sorted = figures.frames.slice(5).sort((left, right) => left - right);
    const late = sorted.filter((frame) => frame > 20).length;
    console.log(`${name}: ${figures.rows} rows, frames ${quantile(sorted, 0.5)} ms (median), ${quantile(sorted, 0.95)} (95 %), ${late} of ${sorted.length} over 20 ms`);
  }
  await browser.close();
  server.kill();
} finally {
  rmSync(folder, { recursive: true });
}
