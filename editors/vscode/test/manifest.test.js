// The manifest and the client agree, and the client says what to do without the command.

const assert = require("node:assert");
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { test } = require("node:test");

const root = path.join(__dirname, "..");
const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
const source = fs.readFileSync(path.join(root, "src/extension.ts"), "utf8");
const reports = fs.readFileSync(path.join(root, "src/reports.ts"), "utf8");

test("commands and settings of the client are those of the manifest", () => {
  const registered = [...source.matchAll(/registerCommand\("([^"]+)"/g)].map((match) => match[1]);
  // The client library registers the commands that the server offers.
  const offered = [...reports.matchAll(/"(goalspec\.[a-zA-Z]+)"/g)].map((match) => match[1]);
  const all = [...registered, ...offered, "goalspec.detachTrace"];
  assert.deepStrictEqual(all, manifest.contributes.commands.map(({ command }) => command));
  const read = [...source.matchAll(/\.get<string>\("([^"]+)"\)/g)].map((match) => `goalspec.${match[1]}`);
  assert.deepStrictEqual([...new Set(read)].sort(), Object.keys(manifest.contributes.configuration.properties).sort());
  for (const { path: file } of manifest.contributes.grammars) {
    assert.ok(fs.existsSync(path.join(root, file)), file);
  }
});

/** Returns a stand-in for any part of the module `vscode`: it can be called, constructed, extended, and has every property. */
function standIn(known = {}) {
  const target = Object.assign(function () {}, known);
  return new Proxy(target, {
    get: (object, name) => {
      if (name === "then" || typeof name === "symbol") {
        return name in object ? object[name] : undefined;
      }
      if (name === "prototype") {
        return object.prototype;
      }
      return (object[name] ??= standIn());
    },
    apply: () => standIn(),
    construct: () => ({}),
  });
}

test("a missing command is explained", { timeout: 30000 }, async () => {
  const messages = [];
  const commands = [];
  class Disposable {
    dispose() {}
  }
  class EventEmitter {
    event = () => new Disposable();
    fire() {}
    dispose() {}
  }
  const configuration = { get: (key) => ({ path: "/nowhere/goalspec", "diagnostics.mode": "auto" })[key] };
  const vscode = standIn({
    version: "1.91.0",
    Disposable,
    EventEmitter,
    commands: standIn({ registerCommand: (name) => (commands.push(name), new Disposable()) }),
    workspace: standIn({
      getConfiguration: () => configuration,
      onDidChangeConfiguration: () => new Disposable(),
      workspaceFolders: undefined,
      textDocuments: [],
    }),
    window: standIn({ showErrorMessage: async (text) => void messages.push(String(text)) }),
  });
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
  try {
    const extension = require(path.join(root, "dist/extension.js"));
    await extension.activate({ subscriptions: [] });
    await extension.deactivate();
  } finally {
    Module._load = load;
  }
  assert.deepStrictEqual(commands, ["goalspec.restart"]);
  const explained = messages.filter((text) => text.includes("/nowhere/goalspec") && text.includes("goalspec.path"));
  assert.strictEqual(explained.length, 1, messages.join("\n"));
});
