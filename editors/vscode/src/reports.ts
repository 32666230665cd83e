// Runs commands of the server on the program at the cursor, and shows their reports.

import * as vscode from "vscode";
import type { ExecuteCommandSignature } from "vscode-languageclient/node";

/** The commands of the server whose result is a report. */
export const REPORT_COMMANDS = [
  "goalspec.score",
  "goalspec.why",
  "goalspec.plan",
  "goalspec.validate",
  "goalspec.simulate",
  "goalspec.audit",
  "goalspec.options",
  "goalspec.describe",
  "goalspec.diff",
  "goalspec.export",
];

/** The command of the server that attaches a trace to all programs. */
export const ATTACH_TRACE = "goalspec.attachTrace";

const SCHEME = "goalspec-report";

/** The number of reports that stay readable. */
const MAX_REPORTS = 50;

/** The last reports that have been shown, by address, oldest first. */
const texts = new Map<string, string>();

let count = 0;

/** Registers the content provider of reports. */
export function provider(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri: vscode.Uri) => texts.get(uri.toString()) ?? "",
  });
}

/** Adds the arguments that a command lacks if it is run from the palette, and shows the report. */
export async function execute(command: string, args: unknown[], next: ExecuteCommandSignature): Promise<unknown> {
  if (command === ATTACH_TRACE && args.length === 0) {
    const [trace] = (await vscode.window.showOpenDialog({ title: "Attach a trace" })) ?? [];
    return trace ? next(command, [{ trace: trace.toString() }]) : undefined;
  }
  if (!REPORT_COMMANDS.includes(command)) {
    return next(command, args);
  }
  const editor = vscode.window.activeTextEditor;
  if (args.length === 0 && editor) {
    const { line, character } = editor.selection.active;
    args = [{ uri: editor.document.uri.toString(), position: { line, character } }];
  }
  const report = (await next(command, args)) as { markdown?: string } | undefined;
  if (report?.markdown !== undefined) {
    await show(command, report.markdown);
  }
  return report;
}

async function show(command: string, markdown: string): Promise<void> {
  count += 1;
  const uri = vscode.Uri.parse(`${SCHEME}:${command}-${count}.md`);
  texts.set(uri.toString(), markdown);
  const [oldest] = texts.keys();
  if (texts.size > MAX_REPORTS && oldest !== undefined) {
    texts.delete(oldest);
  }
  await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
}
