// The list of bundled packages, whose licences are shipped, is complete; and sources do not write markup.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { build } from 'vite';

import { BUNDLED } from '../bundled.js';

test('the licences are those of the bundled packages', async () => {
  const found = new Set();
  for (const configFile of ['vite.config.js', 'vite.report.config.js']) {
    const built = await build({ logLevel: 'error', configFile, build: { write: false } });
    for (const { output } of [built].flat()) {
      for (const { moduleIds = [] } of output) {
        for (const id of moduleIds) {
          const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
          if (name) found.add(name);
        }
      }
    }
  }
  assert.deepEqual([...found].sort(), [...BUNDLED].sort());
});

test('no source writes markup or styles as text', () => {
  for (const name of readdirSync('src/lib')) {
    const text = readFileSync(`src/lib/${name}`, 'utf8');
    for (const banned of ['{@html', 'innerHTML', 'outerHTML', 'insertAdjacentHTML', ' style="', 'eval(']) {
      assert.ok(!text.includes(banned), `${name}: ${banned}`);
    }
  }
});
