import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onExit } from '../../helpers/onExit.mjs';
import { pagePatience } from '../browserWindow.mjs';
import { eventually } from '../eventually';
import { evidenceFolder, screenshotFolder } from '../hostContext';
import { readableLines, whatIsOpen } from '../page/inPage.mjs';
import { picker } from '../page/quickInputs';
import { WorkbenchPage } from '../page/workbenchPage';
import { SharedEditor } from '../sharedEditor';
import { keepEvidence } from './evidence';
import { createWorkspace, type WorkspaceFiles } from './workspace';

export interface WorkbenchOptions extends WorkspaceFiles {
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** False opens the folder as VS Code opens any unknown one, in Restricted Mode; otherwise everything is trusted. */
  readonly trusted?: boolean;
  /** The language that VS Code says it speaks; English where none is given. */
  readonly language?: string;
}

/** Settings that insert text exactly as it is typed, and leave saving to the test. */
export const plainTyping = {
  'editor.autoIndent': 'none',
  'editor.autoClosingBrackets': 'never',
  'editor.autoSurround': 'never',
  'editor.autoClosingQuotes': 'never',
  'files.autoSave': 'off',
} as const;

const dialog = '.monaco-dialog-box';
const tabs = '.editor-group-container .tab';

/**
 * A real VS Code with the extension installed, with a profile and a copy of a workspace of its own, used as a person uses it. What
 * only leads to what is tested (opening a file, saving, putting the cursor somewhere) is done inside VS Code (`actor`), where nothing
 * is lost.
 */
export class Workbench extends WorkbenchPage {
  private constructor(
    /** Folder of the workspace that is open. */
    readonly folder: string,
    private readonly editor: SharedEditor,
    private readonly forget: () => void,
  ) {
    super(editor.page, screenshotFolder);
  }

  private readonly began = Date.now();
  /** Texts that were visible in another window when an action there failed. */
  private seenBeside: readonly string[] = [];

  /** Opens it; settles when the workbench is drawn and the extension is active. */
  static async start(options: WorkbenchOptions = {}): Promise<Workbench> {
    const folder = createWorkspace(options);
    const forget = onExit(() => rmSync(folder, { recursive: true, force: true }));
    const editor = await SharedEditor.open({
      folder,
      settings: {
        'security.workspace.trust.enabled': options.trusted === false,
        // Older versions ask before anything else; the answer would be No.
        'security.workspace.trust.startupPrompt': 'never',
        ...options.settings,
      },
      language: options.language,
    });
    const workbench = new Workbench(folder, editor, forget);
    await workbench.ready();
    return workbench;
  }

  /** The contents of a file of the workspace as it stands on disk. */
  fileText(name: string): string {
    return readFileSync(path.join(this.folder, name), 'utf8');
  }

  /** Writes a file of the workspace from outside the editor. */
  writeFile(name: string, contents: string | Uint8Array): void {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }

  /** The folder VS Code keeps for the extension's own files. */
  get globalStorage(): string {
    return path.join(this.editor.server.folder, 'user/User/globalStorage/managed-agents.managed-agents');
  }

  /** Folder of VS Code's own logs, those of the extension among them. */
  get logs(): string {
    return path.join(this.editor.server.folder, 'user/logs');
  }

  /** Runs a command inside VS Code and waits for its end. */
  async command(id: string, ...args: readonly unknown[]): Promise<void> {
    await this.editor.actor.do('command', id, ...args);
  }

  /** Begins a command inside VS Code until `effect`, which is not there before, is seen. */
  async beginCommand(effect: Parameters<WorkbenchPage['untilSeen']>[0], id: string, ...args: readonly unknown[]): Promise<void> {
    await this.untilSeen(effect, () => this.editor.actor.do('begin', id, ...args));
  }

  /** Returns the result of a language model tool. It can take until a person has decided. */
  async callTool(name: string, input: object): Promise<string> {
    return await this.editor.actor.do('callTool', `managed-agents_${name}`, input);
  }

  /** Sets a setting of the user. */
  async setSetting(name: string, value: unknown): Promise<void> {
    await this.editor.actor.do('setSetting', name, value);
  }

  /** Returns the response of the connection's model to another extension. */
  async askModel(text: string): Promise<string> {
    return await this.editor.actor.do('askModel', text);
  }

  /** Opens a file of the workspace, or reveals its tab; settles when it is shown. */
  async openFile(name: string): Promise<void> {
    const file = path.join(this.folder, name);
    await this.untilDone(async timeout => {
      await this.editor.actor.do('showFile', file);
      await this.page
        .locator(tabOf(path.basename(name)))
        .first()
        .waitFor({ timeout });
    });
  }

  /** Puts the cursor of the active editor at a line and column, both from 1; settles when it is drawn there. */
  async goTo(line: number, column = 1): Promise<void> {
    // VS Code tells extensions of another active editor a moment after it has drawn it.
    await this.untilDone(async timeout => {
      await this.editor.actor.do('placeCursor', line, column);
      await this.cursorInLine(line, timeout);
    });
  }

  /** Types into the active editor, as keys do. */
  async type(text: string): Promise<void> {
    await this.editor.actor.do('type', text);
  }

  /** Replaces a text that occurs once in the active editor: selects it and types. */
  async replace(from: string, to: string): Promise<void> {
    // Another editor can become the active one after its text was read.
    await this.untilDone(async timeout => {
      const [before = '', ...after] = (await this.activeText(from)).split(from);
      assert.equal(after.length, 1, from);
      const lines = before.split('\n');
      await this.editor.actor.do('placeCursor', lines.length, (lines.at(-1) ?? '').length + 1);
      await this.cursorInLine(lines.length, timeout);
    });
    await this.command('cursorMove', { to: 'right', by: 'character', value: from.length, select: true });
    await this.type(to);
    await this.page.locator('.editor-group-container.active .view-line', { hasText: to }).first().waitFor();
  }

  /** The whole text of the active editor, once it holds this: extensions learn of a change a moment after it is drawn. */
  async activeText(held: RegExp | string): Promise<string> {
    return await eventually(async () => {
      const text = await this.editor.actor.do('activeText');
      assert.ok(typeof held === 'string' ? text.includes(held) : held.test(text), text);
      return text;
    });
  }

  /** Saves the active editor; settles when its tab is clean. */
  async save(): Promise<void> {
    await this.command('workbench.action.files.save');
    await this.waitFor('.editor-group-container.active .tab.active:not(.dirty)');
  }

  /** Takes back what was not saved in the active editor. */
  async revert(): Promise<void> {
    await this.command('workbench.action.files.revert');
    await this.waitFor('.editor-group-container.active .tab.active:not(.dirty)');
  }

  async clearNotifications(): Promise<void> {
    await this.command('notifications.clearAll');
    // Another one can come in the moment between.
    await this.untilGone('.notification-toast', () => this.command('notifications.clearAll'));
  }

  override async openPalette(words: string, timeout: number): Promise<void> {
    await this.closePicker();
    // A key can be lost while a webview takes the focus.
    await this.editor.actor.do('begin', 'workbench.action.quickOpen', `>${words}`);
    await this.page.locator(`${picker} input[type="text"]`).first().fill(`>${words}`, { timeout });
  }

  /** Gives the connection its key, in any language; settles when the status bar knows of it. */
  async setKey(key: string): Promise<void> {
    await this.beginCommand(`${picker} input[type="password"]`, 'managedAgents.connection.setKey');
    await this.inputBox(key);
    // The key is checked before it is stored. Closing the box earlier discards it.
    await this.waitForNone(picker);
    await this.waitForNone('.statusbar-item:has-text("no key")');
  }

  /** Reloads the window as the command does: extensions start anew, storage stays. */
  async reloadWindow(): Promise<void> {
    await this.editor.actor.restart(() => this.page.reload());
    await this.ready();
  }

  /** Does something with another window on the same folder, which is used by mouse and keyboard alone, and leaves it. */
  async beside(act: (other: WorkbenchPage) => Promise<void>): Promise<void> {
    const page = await this.editor.openBeside(this.folder);
    try {
      const other = new WorkbenchPage(page, screenshotFolder);
      await other.ready();
      await act(other);
    } catch (error) {
      this.seenBeside = (await page.evaluate(readableLines)).map(line => `other window, ${line}`);
      throw error;
    } finally {
      await page.goto('about:blank');
      await page.close();
    }
  }

  /** Settles when what no page shows is so, such as a file that appears later than what is drawn. */
  async untilSo(isSo: () => boolean | Promise<boolean>): Promise<void> {
    const end = Date.now() + pagePatience;
    while (!(await isSo())) {
      if (Date.now() > end) {
        throw new Error(`It is never so: ${isSo}`);
      }
      await wait(50);
    }
  }

  /** Keeps what a failure can be understood by, and gives the folder. */
  async keepEvidence(name: string): Promise<string> {
    const folder = path.join(evidenceFolder, name.replace(/[^\w-]+/g, '-').slice(0, 100));
    const { editor, page, began, seenBeside } = this;
    this.seenBeside = [];
    await keepEvidence({ folder, page, lines: editor.lines, profile: editor.server.folder, began, seenBeside });
    return folder;
  }

  /**
   * Closes what a test left open: menu, quick input, dialogs, notifications, panel, and all editors without saving. So no test
   * depends on how the one before it ended.
   */
  async tidy(): Promise<void> {
    for (const open of await this.page.evaluate(whatIsOpen, ['.monaco-menu', dialog])) {
      await this.untilGone(open, () => this.page.keyboard.press('Escape'));
    }
    await this.closePicker();
    await this.command('workbench.action.closePanel');
    if ((await this.count(tabs)) > 0) {
      await this.closeEditors();
    }
    await this.clearNotifications();
  }

  /** Closes all editors and drops what was not saved. */
  async closeEditors(): Promise<void> {
    await this.untilGone(tabs, async timeout => {
      await this.editor.actor.do('begin', 'workbench.action.closeAllGroups');
      const isAsking = this.page.locator(dialog).first();
      await isAsking.or(this.page.locator('.editor-group-container.empty')).first().waitFor({ timeout });
      if (await isAsking.isVisible()) {
        await this.dialogButton("Don't Save");
      }
    });
  }

  /** Ends the window and everything it started, and removes its workspace. */
  async close(): Promise<void> {
    await this.editor.leave();
    this.forget();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/**
 * One workbench for the tests of the surrounding `describe`: opened before the first, closed after the last, and tidied up after
 * each. `options` that depend on what is started before can be a function. A test that fails leaves a picture and the logs.
 */
export function useWorkbench(options: WorkbenchOptions | (() => WorkbenchOptions) = {}): () => Workbench {
  let workbench: Workbench | undefined;
  before('open VS Code', async () => {
    workbench = await Workbench.start(typeof options === 'function' ? options() : options);
  });
  afterEach('tidy up', async function () {
    if (workbench === undefined) {
      return;
    }
    if (this.currentTest?.state === 'failed') {
      await keepFailure(workbench, this.currentTest);
    }
    await workbench.tidy();
  });
  after('close VS Code', async () => {
    await workbench?.close();
  });
  return () => {
    if (workbench === undefined) {
      throw new Error('The workbench is open only while tests run.');
    }
    return workbench;
  };
}

async function keepFailure(workbench: Workbench, test: Mocha.Test): Promise<void> {
  const evidence = await workbench.keepEvidence(test.fullTitle());
  writeFileSync(path.join(evidence, 'error.txt'), `${test.err?.stack}\n`);
  console.log(`${test.fullTitle()} failed. Picture and logs: ${evidence}\n${readFileSync(path.join(evidence, 'seen.txt'), 'utf8')}`);
}

/** Selector of the tab in front of the active group, by the name of its file; `state` narrows it further (`.dirty`). */
export function tabOf(name: string, state = ''): string {
  return `.editor-group-container.active .tab.active${state}[data-resource-name=${JSON.stringify(name)}]`;
}
