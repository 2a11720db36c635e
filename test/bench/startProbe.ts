import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { connectToRunner } from '../host/channel.mjs';

/** Heading and extensions in VS Code's own report (`Developer: Startup Performance`). */
const heading = 'Extension Activation Stats';
const ids = ['managed-agents.managed-agents', 'bench.empty'];

/**
 * Test module for VS Code. Waits until the measured extension is active next to an open request file, and sends VS Code's report of its
 * activation to the bench.
 */
export async function run(): Promise<void> {
  const runner = connectToRunner();
  try {
    await runner.call('report', await readReport());
  } catch (error) {
    await runner.call('failed', error instanceof Error ? error.message : String(error));
  }
  runner.close();
}

async function readReport() {
  const end = Date.now() + 60_000;
  const isActive = () => ids.some(id => vscode.extensions.getExtension(id)?.isActive === true);
  while (!isActive() || vscode.window.activeTextEditor === undefined) {
    if (Date.now() > end) {
      throw new Error(`${isActive() ? 'The editor was not open' : 'The extension was not active'} after 60 s.`);
    }
    await wait(50);
  }
  const language = vscode.window.activeTextEditor?.document.languageId;
  // VS Code registers the provider of the report when it is first requested.
  await vscode.commands.executeCommand('perfview.show');
  const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: 'perf', path: 'Startup Performance' }));
  while (!document.getText().includes(heading)) {
    if (Date.now() > end) {
      throw new Error(`VS Code wrote no report of its start: ${document.getText().slice(0, 500)}`);
    }
    await wait(50);
  }
  return { text: document.getText(), language };
}
