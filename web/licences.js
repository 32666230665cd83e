// Makes the built scripts ASCII, so that their hashes hold in any encoding, and writes the licences of what is bundled.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';

import { BUNDLED } from './bundled.js';

const ALLOWED = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0'];

const escape = (character) => '\\u' + character.charCodeAt(0).toString(16).padStart(4, '0');
for (const name of ['app.js', 'report.js']) {
  const path = `dist/${name}`;
  const text = readFileSync(path, 'utf8').replace(/[^\x00-\x7f]/g, escape);
  // The end of a script inside a page would end it too early.
  writeFileSync(path, text.replaceAll('</script', '<\\/script'));
}
for (const name of ['app.css', 'report.css']) {
  const path = `dist/${name}`;
  writeFileSync(path, readFileSync(path, 'utf8').replace(/[^\x00-\x7f]/g, (c) => '\\' + c.charCodeAt(0).toString(16) + ' '));
}

const parts = BUNDLED.map((name) => {
  const folder = `node_modules/${name}`;
  const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  if (!ALLOWED.includes(license)) throw new Error(`${name} has the licence ${license}`);
  const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  const text = file ? readFileSync(`${folder}/${file}`, 'utf8').trim() : `Licence: ${license}`;
  return `${name} ${version} (${license})\n\n${text}\n`;
});
const heading = 'The built page contains parts of these packages.\n\n';
writeFileSync('dist/licences.txt', heading + parts.join('\n' + '-'.repeat(72) + '\n\n'));
