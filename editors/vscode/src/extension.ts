// Starts `goalspec lsp` and connects it with the editor.

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions, State } from "vscode-languageclient/node";

import { execute, provider } from "./reports";

/** The documents that the server is asked about. It stays silent about Python and YAML that is not its own. */
const DOCUMENTS: LanguageClientOptions["documentSelector"] = [
  { language: "goalspec-game" },
  { language: "bddl" },
  { language: "pddl" },
  { scheme: "file", language: "python" },
  { scheme: "file", language: "yaml" },
  { scheme: "file", pattern: "**/*.world.toml" },
];

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("goalspec.restart", restart),
    provider(),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("goalspec")) {
        await restart();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await stop();
}

/** Returns the command that the user chose. */
function command(): string {
  return vscode.workspace.getConfiguration("goalspec").get<string>("path") || "goalspec";
}

async function start(): Promise<void> {
  const executable = { command: command(), args: ["lsp", "--stdio"] };
  const server: ServerOptions = { run: executable, debug: executable };
  const mode = vscode.workspace.getConfiguration("goalspec").get<string>("diagnostics.mode") ?? "auto";
  const options: LanguageClientOptions = {
    documentSelector: DOCUMENTS,
    initializationOptions: { diagnostics: { mode } },
    middleware: { executeCommand: execute },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/{goalspec.toml,*.world.toml,*.pddl,*.bddl}") },
  };
  client = new LanguageClient("goalspec", "goalspec", server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    await explain(error);
  }
}

/** Tells why the server did not start, and how to get it. */
async function explain(error: unknown): Promise<void> {
  const settings = "Open settings";
  const reason = error instanceof Error ? error.message : String(error);
  const message =
    `The command \`${command()}\` cannot be started (${reason}). Install it with \`cargo install goalspec-cli\` or ` +
    "`pip install goalspec`, or set `goalspec.path`.";
  const choice = await vscode.window.showErrorMessage(message, settings);
  if (choice === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "goalspec.path");
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  if (running && running.state !== State.Stopped) {
    await running.stop();
  }
}

async function restart(): Promise<void> {
  await stop();
  await start();
}
