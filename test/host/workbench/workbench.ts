import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { onExit } from '../../helpers/onExit.mjs';
import { openWindow } from '../browserWindow.mjs';
import { launchChromium } from '../chromium.mjs';
import { type CodeServer, keepLogs, startCodeServer } from '../codeServer.mjs';
import type { HostContext } from '../hostContext';
import { WorkbenchPage } from '../workbenchPage.mjs';

export interface WorkbenchOptions {
  /** Folder whose contents the workspace starts with; it is copied. */
  readonly workspace?: string;
  /** Further files of the workspace, by relative path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Keybindings of the user: a way to a command with arguments. */
  readonly keybindings?: readonly object[];
  /** Environment of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** False opens the folder as VS Code opens any unknown one, in Restricted Mode; otherwise everything is trusted. */
  readonly trusted?: boolean;
}

/** A real VS Code with the extension installed, in a profile and a copy of a workspace of its own, used as a person uses it. */
export class Workbench extends WorkbenchPage {
  private constructor(
    /** Folder of the workspace that is open. */
    readonly folder: string,
    private readonly browser: Browser,
    private readonly server: CodeServer,
    page: ConstructorParameters<typeof WorkbenchPage>[0],
    context: HostContext,
  ) {
    super(page, context.screenshots);
  }

  /** Opens it; settles when the workbench is drawn. */
  static async start(options: WorkbenchOptions = {}): Promise<Workbench> {
    const context = readContext();
    const folder = createWorkspace(options);
    const forget = onExit(() => rmSync(folder, { recursive: true, force: true }));
    const server = await startCodeServer({
      runtime: context.runtime,
      extension: context.extension,
      settings: {
        'security.workspace.trust.enabled': options.trusted === false,
        // Older versions ask before anything else; the answer would be No.
        'security.workspace.trust.startupPrompt': 'never',
        ...options.settings,
      },
      keybindings: options.keybindings ?? [],
      env: { ...options.env },
    });
    let browser: Browser | undefined;
    try {
      browser = await launchChromium(context.chromium, server.folder);
      const lines: string[] = [];
      const page = await openWindow(browser, { server, folder, log: line => lines.push(line) });
      const workbench = new Workbench(folder, browser, server, page, context);
      workbench.pageLines = lines;
      workbench.forget = forget;
      await workbench.ready();
      return workbench;
    } catch (error) {
      const evidence = path.join(context.evidence, 'start');
      mkdirSync(evidence, { recursive: true });
      keepLogs(server.folder, evidence);
      await browser?.close();
      await server.stop();
      throw new Error(`VS Code could not be opened; its logs are in ${evidence}`, { cause: error });
    }
  }

  private pageLines: readonly string[] = [];
  private forget: () => void = () => undefined;

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
    return path.join(this.server.folder, 'user/User/globalStorage/managed-agents.managed-agents');
  }

  /** Folder of VS Code's own logs, those of the extension among them. */
  get logs(): string {
    return path.join(this.server.folder, 'user/logs');
  }

  /** Keeps what a failure can be understood by, and says where. */
  async keepEvidence(name: string): Promise<string> {
    const evidence = path.join(readContext().evidence, name.replace(/[^\w-]+/g, '-').slice(0, 100));
    mkdirSync(evidence, { recursive: true });
    await this.page.screenshot({ path: path.join(evidence, 'page.png') });
    writeFileSync(path.join(evidence, 'page.log'), this.pageLines.join('\n'));
    keepLogs(this.server.folder, evidence);
    return evidence;
  }

  /**
   * Closes what a test left open: menu, quick input, dialogs, notifications, and all editors without saving. So no test
   * depends on how the one before it ended.
   */
  async tidy(): Promise<void> {
    const dialog = this.page.locator('.monaco-dialog-box').first();
    for (const open of ['.monaco-menu', '.quick-input-widget', '.monaco-dialog-box']) {
      await this.untilDone(async timeout => {
        if (await this.page.locator(open).first().isVisible()) {
          await this.page.keyboard.press('Escape');
          await this.page.locator(open).first().waitFor({ state: 'hidden', timeout });
        }
      });
    }
    if ((await this.count('.notification-toast')) > 0) {
      await this.clearNotifications();
    }
    const tabs = this.page.locator('.editor-group-container .tab');
    await this.untilDone(async timeout => {
      if ((await tabs.count()) === 0) {
        return;
      }
      await this.runCommand('View: Close All Editor Groups');
      await dialog.or(this.page.locator('.editor-group-container.empty')).first().waitFor({ timeout });
      if (await dialog.isVisible()) {
        await this.dialogButton("Don't Save");
      }
      await tabs.first().waitFor({ state: 'hidden', timeout });
    });
  }

  /** Ends VS Code and everything it started, and removes its profile and workspace. */
  async close(): Promise<void> {
    await this.browser.close();
    await this.server.stop();
    this.forget();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/**
 * One workbench for the tests of the surrounding `describe`: opened before the first, closed after the last. A test that
 * fails leaves a screenshot and the logs, and nothing open in the workbench.
 */
export function useWorkbench(options: WorkbenchOptions = {}): () => Workbench {
  let workbench: Workbench | undefined;
  before('open VS Code', async function () {
    this.timeout(90_000);
    workbench = await Workbench.start(options);
  });
  afterEach('keep evidence', async function () {
    if (this.currentTest?.state === 'failed' && workbench !== undefined) {
      await keepFailure(workbench, this.currentTest);
      await workbench.tidy();
    }
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

/** Keeps what shows why a test failed, with its error, and prints where. */
export async function keepFailure(workbench: Workbench, test: Mocha.Test): Promise<void> {
  const evidence = await workbench.keepEvidence(test.fullTitle());
  writeFileSync(path.join(evidence, 'error.txt'), `${test.err?.stack}\n`);
  console.log(`      ${test.err?.message.split('\n')[0]}\n      evidence: ${evidence}`);
}

/** What the runner said about this run. */
export function readContext(): HostContext {
  return JSON.parse(process.env.MANAGED_AGENTS_TEST_HOST ?? '') as HostContext;
}

/** A folder of its own with the files that `options` name. */
export function createWorkspace(options: WorkbenchOptions): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'managed-agents-workspace-'));
  if (options.workspace !== undefined) {
    cpSync(options.workspace, folder, { recursive: true });
  }
  for (const [name, contents] of Object.entries(options.files ?? {})) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), contents);
  }
  return folder;
}
