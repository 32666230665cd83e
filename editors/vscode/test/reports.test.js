// Commands get the arguments that they lack, and their reports are shown.

const assert = require("node:assert");
const Module = require("node:module");
const path = require("node:path");
const { test } = require("node:test");

const { buildSync } = require("esbuild");

/** Returns the module `reports.ts`, with a stand-in for the editor. */
function reports(vscode) {
  const entryPoints = [path.join(__dirname, "../src/reports.ts")];
  const options = { bundle: true, platform: "node", format: "cjs", external: ["vscode"], write: false };
  const [{ text }] = buildSync({ entryPoints, ...options }).outputFiles;
  const loaded = new Module("reports");
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
  try {
    loaded._compile(text, "reports.js");
  } finally {
    Module._load = load;
  }
  return loaded.exports;
}

test("reports are shown, with the program at the cursor by default", async () => {
  const shown = [];
  let content;
  const uri = { toString: () => "file:///a.game" };
  const vscode = {
    Uri: { parse: (text) => ({ toString: () => text }) },
    window: {
      activeTextEditor: { document: { uri }, selection: { active: { line: 3, character: 1 } } },
      showOpenDialog: async () => [{ toString: () => "file:///t.jsonl" }],
    },
    commands: { executeCommand: async (...args) => void shown.push(args) },
    workspace: { registerTextDocumentContentProvider: (_, provider) => (content = provider) },
  };
  const { execute, provider } = reports(vscode);
  provider();
  const asked = [];
  const next = async (command, args) => (asked.push([command, args]), { markdown: "# Score" });
  await execute("goalspec.score", [], next);
  assert.deepStrictEqual(asked.pop(), [
    "goalspec.score",
    [{ uri: "file:///a.game", position: { line: 3, character: 1 } }],
  ]);
  const [command, report] = shown.pop();
  assert.strictEqual(command, "markdown.showPreviewToSide");
  assert.strictEqual(content.provideTextDocumentContent(report), "# Score");
  await execute("goalspec.attachTrace", [], next);
  assert.deepStrictEqual(asked.pop(), ["goalspec.attachTrace", [{ trace: "file:///t.jsonl" }]]);
  await execute("goalspec.plan", [{ uri: "file:///p.pddl" }], next);
  assert.deepStrictEqual(asked.pop(), ["goalspec.plan", [{ uri: "file:///p.pddl" }]]);
  await execute("other.command", [], next);
  assert.deepStrictEqual(asked.pop(), ["other.command", []]);
  assert.strictEqual(shown.length, 1);
});
