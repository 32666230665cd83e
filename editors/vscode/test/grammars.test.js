// The scopes of every word of the sample programs, as snapshots. `UPDATE=1 npm test` writes them.

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const root = path.join(__dirname, "..");
const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));

/** Returns the grammars of the manifest by scope. */
async function registry() {
  const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer;
  await oniguruma.loadWASM(wasm);
  return new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const { path: file } = manifest.contributes.grammars.find((grammar) => grammar.scopeName === scope);
      return textmate.parseRawGrammar(fs.readFileSync(path.join(root, file), "utf8"), file);
    },
  });
}

test("scopes of the sample programs", async () => {
  const grammars = await registry();
  for (const { language, scopeName } of manifest.contributes.grammars) {
    const { extensions } = manifest.contributes.languages.find(({ id }) => id === language);
    const file = path.join(__dirname, "fixtures", `sample${extensions[0]}`);
    const grammar = await grammars.loadGrammar(scopeName);
    let state = textmate.INITIAL;
    const lines = [];
    for (const line of fs.readFileSync(file, "utf8").split("\n")) {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      for (const { startIndex, endIndex, scopes } of tokens) {
        const word = line.slice(startIndex, endIndex).trim();
        if (word) {
          lines.push(`${word}\t${scopes.slice(1).join(" ")}`);
        }
      }
    }
    const found = `${lines.join("\n")}\n`;
    const snapshot = `${file}.scopes`;
    if (process.env.UPDATE) {
      fs.writeFileSync(snapshot, found);
    }
    assert.strictEqual(found, fs.readFileSync(snapshot, "utf8"), path.basename(file));
  }
});
