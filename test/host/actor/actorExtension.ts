import * as vscode from 'vscode';
import { connectToRunner } from '../channel.mjs';
import { runInside } from './runInside';

let runner: ReturnType<typeof connectToRunner>;
const extensionId = 'managed-agents.managed-agents';

/** Actions inside VS Code that a test can call by name. Arguments and results are plain data. */
export const acts = {
  /** Resolves once the extension under test is active. */
  async activate(): Promise<void> {
    await vscode.extensions.getExtension(extensionId)?.activate();
  },

  /** Runs a command and waits for its end. */
  async command(id: string, ...args: readonly unknown[]): Promise<void> {
    await vscode.commands.executeCommand(id, ...args);
  },

  /** Starts a command that ends only after a person has responded. */
  begin(id: string, ...args: readonly unknown[]): void {
    void Promise.resolve(vscode.commands.executeCommand(id, ...args)).catch(error => console.error(error));
  },

  /** Shows a file in a permanent tab, even one that is too large for extensions. */
  async showFile(file: string): Promise<void> {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file), { preview: false });
  },

  /** Puts the cursor of the active text editor at a 1-based line and column, and scrolls to it. */
  async placeCursor(line: number, column: number): Promise<void> {
    const editor = await activeEditor();
    const place = new vscode.Position(line - 1, column - 1);
    editor.selection = new vscode.Selection(place, place);
    editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  },

  /** Types into the active text editor. Brackets close and lines are indented as for a person. */
  async type(text: string): Promise<void> {
    const { document } = await activeEditor();
    const version = document.version;
    await vscode.commands.executeCommand('type', { text });
    if (document.version === version) {
      throw new Error('What was typed changed nothing.');
    }
  },

  /** Returns the whole text of the active text editor. */
  async activeText(): Promise<string> {
    return (await activeEditor()).document.getText();
  },

  /** Calls a language model tool as a chat does, and returns its result. */
  async callTool(name: string, input: object): Promise<string> {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return content.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  },

  /** Sets a setting of the user. */
  async setSetting(name: string, value: unknown): Promise<void> {
    await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
  },

  /** Runs built test files inside this extension host, and reports each test to the runner. */
  async runInside(files: readonly string[], grep: string): Promise<void> {
    await runInside(runner, files, grep);
  },

  /** Returns the response of a connection's model, requested as any extension does, or the message of its error. */
  async askModel(text: string): Promise<string> {
    const model = await firstModel();
    try {
      let answer = '';
      for await (const part of (await model.sendRequest([vscode.LanguageModelChatMessage.User(text)])).text) {
        answer += part;
      }
      return answer;
    } catch (error) {
      return `failed: ${error instanceof Error ? error.message : String(error)}`;
    }
  },
};

/** Returns the active text editor, once there is one. Extensions are notified of an editor a moment after VS Code renders it. */
async function activeEditor(): Promise<vscode.TextEditor> {
  return (
    vscode.window.activeTextEditor ??
    (await new Promise(resolve => {
      const listening = vscode.window.onDidChangeActiveTextEditor(editor => {
        if (editor !== undefined) {
          listening.dispose();
          resolve(editor);
        }
      });
    }))
  );
}

/** Executes the actions of the test run until the window closes. */
export async function activate(): Promise<void> {
  runner = connectToRunner((name, args) => (acts[name as keyof typeof acts] as (...given: readonly unknown[]) => unknown)(...args));
  await runner.call('actorReady');
}

/** Keeps the window open. VS Code calls this entry point in a test window, but `runInside` runs the tests. */
export async function run(): Promise<void> {
  await new Promise(() => undefined);
}

/** Returns one of our models, as soon as there is one. */
async function firstModel(): Promise<vscode.LanguageModelChat> {
  for (;;) {
    const changed = new Promise<void>(resolve => {
      const listening = vscode.lm.onDidChangeChatModels(() => {
        listening.dispose();
        resolve();
      });
    });
    const [model] = await vscode.lm.selectChatModels({ vendor: 'managed-agents' });
    if (model !== undefined) {
      return model;
    }
    await changed;
  }
}
