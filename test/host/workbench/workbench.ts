import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onExit } from '../../helpers/onExit.mjs';
import type { InsideTest } from '../actor/runInside';
import { eventually } from '../eventually';
import { evidenceFolder, insideFolder, screenshotFolder } from '../hostContext';
import { readableLines, whatIsOpen } from '../page/inPage.mjs';
import { picker } from '../page/quickInputs';
import { WorkbenchPage } from '../page/workbenchPage';
import { SharedEditor } from '../sharedEditor';
import { keepEvidence } from './evidence';
import { createWorkspace, type WorkspaceFiles } from './workspace';

export interface WorkbenchOptions extends WorkspaceFiles {
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** If false, the folder is opened in Restricted Mode, like any unknown folder. By default, every folder is trusted. */
  readonly trusted?: boolean;
  /** Language that VS Code reports. English by default. */
  readonly language?: string;
  readonly isForTests?: boolean;
}

/** Settings that insert text exactly as typed, and don't save automatically. */
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
 * A real VS Code with the extension, its own profile and a copy of a workspace, used as a person does. Steps that only prepare a test, such
 * as opening a file, run inside VS Code (`actor`), where no input is lost.
 */
export class Workbench extends WorkbenchPage {
  private constructor(
    /** Open folder of the workspace. */
    readonly folder: string,
    private readonly editor: SharedEditor,
    private readonly forget: () => void,
  ) {
    super(editor.page, screenshotFolder);
  }

  private readonly began = Date.now();
  /** Texts that were visible in another window when an action there failed. */
  private seenBeside: readonly string[] = [];

  /** Opens a workbench. Resolves once the workbench is rendered and the extension is active. */
  static async start(options: WorkbenchOptions = {}): Promise<Workbench> {
    const folder = createWorkspace(options);
    const forget = onExit(() => rmSync(folder, { recursive: true, force: true }));
    const editor = await SharedEditor.open({
      folder,
      settings: {
        'security.workspace.trust.enabled': options.trusted === false,
        // Older versions first ask whether to trust the folder, and the default answer is No.
        'security.workspace.trust.startupPrompt': 'never',
        ...options.settings,
      },
      language: options.language,
      isForTests: options.isForTests,
    });
    const workbench = new Workbench(folder, editor, forget);
    await workbench.ready();
    return workbench;
  }

  /** Returns the text of a file of the workspace on disk. */
  fileText(name: string): string {
    return readFileSync(path.join(this.folder, name), 'utf8');
  }

  /** Writes a file of the workspace without the editor. */
  writeFile(name: string, contents: string | Uint8Array): void {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }

  /** Returns the folder that VS Code keeps for the extension's own files. */
  get globalStorage(): string {
    return path.join(this.editor.server.folder, 'user/User/globalStorage/managed-agents.managed-agents');
  }

  /** Returns the folder of VS Code's logs, including those of the extension. */
  get logs(): string {
    return path.join(this.editor.server.folder, 'user/logs');
  }

  /** Runs a command inside VS Code and waits for its end. */
  async command(id: string, ...args: readonly unknown[]): Promise<void> {
    await this.editor.actor.do('command', id, ...args);
  }

  /** Starts a command inside VS Code until `effect` is visible. `effect` must not be visible before. */
  async beginCommand(effect: Parameters<WorkbenchPage['untilSeen']>[0], id: string, ...args: readonly unknown[]): Promise<void> {
    await this.untilSeen(effect, () => this.editor.actor.do('begin', id, ...args));
  }

  /** Calls a language model tool and returns its result. Some tools wait for a decision of the user. */
  async callTool(name: string, input: object): Promise<string> {
    return await this.editor.actor.do('callTool', `managed-agents_${name}`, input);
  }

  /** Changes a user setting. */
  async setSetting(name: string, value: unknown): Promise<void> {
    await this.editor.actor.do('setSetting', name, value);
  }

  /** Returns the response of the connection's model to another extension. */
  async askModel(text: string): Promise<string> {
    return await this.editor.actor.do('askModel', text);
  }

  /** Runs the built tests of `features/` inside the extension host. They can use this page. Calls `report` after each test. */
  async runInside(report: (test: InsideTest) => void): Promise<void> {
    const files = readdirSync(insideFolder, { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.test.mjs'))
      .map(file => path.join(insideFolder, file))
      .sort();
    this.editor.onCall = async (name, args) => {
      if (name === 'page') {
        const act = Reflect.get(this, String(args[0])) as (...given: unknown[]) => unknown;
        return await act.apply(this, args.slice(1));
      }
      if (name === 'print') {
        console.log(String(args[0]));
        return undefined;
      }
      const test = args[0] as InsideTest;
      report(test);
      if (test.error !== undefined) {
        console.log(`${test.title} failed. Picture and logs: ${await this.keepEvidence(test.title)}`);
      }
      return undefined;
    };
    // Makes the page small, because a small page renders faster and few of these tests use the page.
    const size = this.page.viewportSize() ?? { width: 1280, height: 800 };
    await this.page.setViewportSize({ width: 640, height: 480 });
    try {
      await this.editor.actor.do('runInside', files, process.env.TEST_GREP ?? '');
    } finally {
      await this.page.setViewportSize(size);
    }
  }

  /** Opens a file of the workspace, or reveals its tab. Resolves once it is visible. */
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

  /** Puts the cursor of the active editor at a 1-based line and column. Resolves once the cursor is rendered. */
  async goTo(line: number, column = 1): Promise<void> {
    // VS Code notifies extensions of another active editor a moment after it has rendered it.
    await this.untilDone(async timeout => {
      await this.editor.actor.do('placeCursor', line, column);
      await this.cursorInLine(line, timeout);
    });
  }

  /** Types into the active editor. */
  async type(text: string): Promise<void> {
    await this.editor.actor.do('type', text);
  }

  /** Replaces a text that occurs once in the active editor, by selecting the text and typing. */
  async replace(from: string, to: string): Promise<void> {
    // The active editor can change after its text was read.
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

  /**
   * Returns the whole text of the active editor, once it contains `held`. Extensions are notified of a change a moment after VS Code has
   * rendered the change.
   */
  async activeText(held: RegExp | string): Promise<string> {
    return await eventually(async () => {
      const text = await this.editor.actor.do('activeText');
      assert.ok(typeof held === 'string' ? text.includes(held) : held.test(text), text);
      return text;
    });
  }

  /** Saves the active editor. Resolves once its tab is clean. */
  async save(): Promise<void> {
    await this.command('workbench.action.files.save');
    await this.waitFor('.editor-group-container.active .tab.active:not(.dirty)');
  }

  /** Reverts the active editor to the saved text. */
  async revert(): Promise<void> {
    await this.command('workbench.action.files.revert');
    await this.waitFor('.editor-group-container.active .tab.active:not(.dirty)');
  }

  async clearNotifications(): Promise<void> {
    await this.command('notifications.clearAll');
    // Another notification can appear meanwhile.
    await this.untilGone('.notification-toast', () => this.command('notifications.clearAll'));
  }

  override async openPalette(words: string, timeout: number): Promise<void> {
    await this.closePicker();
    // A key press can be lost while a webview takes the focus.
    await this.editor.actor.do('begin', 'workbench.action.quickOpen', `>${words}`);
    await this.page.locator(`${picker} input[type="text"]`).first().fill(`>${words}`, { timeout });
  }

  /** Sets the key of the connection, in any language. Resolves once the status bar shows it. */
  async setKey(key: string): Promise<void> {
    await this.beginCommand(`${picker} input[type="password"]`, 'managedAgents.connection.setKey');
    await this.inputBox(key);
    // The extension checks the key before it stores the key. Closing the input earlier would discard the key.
    await this.waitForNone(picker);
    await this.waitForNone('.statusbar-item:has-text("no key")');
  }

  /** Reloads the window as the command does. Extensions restart, storage stays. */
  async reloadWindow(): Promise<void> {
    await this.editor.actor.restart(() => this.page.reload());
    await this.ready();
  }

  /** Opens another window on the same folder, runs `act` with it, and closes it. The window is used only by mouse and keyboard. */
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

  /** Saves data that helps to understand a failure. Returns its folder. */
  async keepEvidence(name: string): Promise<string> {
    const folder = path.join(evidenceFolder, name.replace(/[^\w-]+/g, '-').slice(0, 100));
    const { editor, page, began, seenBeside } = this;
    this.seenBeside = [];
    await keepEvidence({ folder, page, lines: editor.lines, profile: editor.server.folder, began, seenBeside });
    return folder;
  }

  /**
   * Closes everything that a test left open: menu, quick input, dialogs, notifications, panel, and all editors without saving. So no test
   * depends on the state that the previous test left.
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

  /** Closes all editors and discards unsaved changes. */
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

  /** Closes the window, ends its processes, and deletes its workspace. */
  async close(): Promise<void> {
    await this.editor.leave();
    this.forget();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/**
 * Opens one workbench for all tests of the surrounding `describe`, and tidies it up after each test. `options` can be a function if they
 * depend on something that starts earlier. Saves a screenshot and the logs of a failed test.
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

/** Returns the selector of the active tab in the active group, by its file name. `state` is an additional selector, such as `.dirty`. */
export function tabOf(name: string, state = ''): string {
  return `.editor-group-container.active .tab.active${state}[data-resource-name=${JSON.stringify(name)}]`;
}
