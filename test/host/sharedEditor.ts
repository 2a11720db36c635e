import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { Actor } from './actor/actor';
import { addressOf, calmContext, letIn, toDevelopment } from './browserWindow.mjs';
import { openChannel } from './channel.mjs';
import { launchKeepingCode } from './chromium.mjs';
import { type CodeServer, calmSettings, quietSettings, startCodeServer } from './codeServer.mjs';
import { actorFolder, ensureHost, extensionFolder } from './hostContext';
import { openForTests } from './page/inPage.mjs';

/** State of VS Code that a test file needs. */
export interface EditorProfile {
  /** Open folder. */
  readonly folder: string;
  /** User settings, in addition to `quietSettings`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Language that VS Code reports; English by default. VS Code's own texts stay English. */
  readonly language?: string | undefined;
  /** True if VS Code confirms its own dialogs instead of showing them, as in tests of extensions. */
  readonly isForTests?: boolean | undefined;
}

/** Folders of the profile that contain the state of earlier windows. */
const usedFolders = ['History', 'globalStorage', 'workspaceStorage', 'caches', 'snippets'];

/**
 * One code-server and one page for all test files of this process, because starting them takes as long as a few tests. Each file gets a new
 * profile, browser storage and extension host.
 */
export class SharedEditor {
  private constructor(
    readonly server: CodeServer,
    readonly page: Page,
    readonly actor: Actor,
    private readonly channel: Awaited<ReturnType<typeof openChannel>>,
  ) {}

  /** Output of the page since it was opened for this file. */
  readonly lines: string[] = [];

  /** Handles calls from tests inside the extension host, for actions that only this process can perform. */
  onCall: (name: string, args: readonly unknown[]) => unknown = () => undefined;

  /** Starts the server and page if this process has none yet, and opens them with a new profile for a file. */
  static async open(profile: EditorProfile): Promise<SharedEditor> {
    const used = await shared;
    if (used?.isBroken === true) {
      shared = undefined;
      await used.end();
    }
    shared ??= SharedEditor.start();
    const editor = await shared.catch(error => {
      shared = undefined;
      throw error;
    });
    await editor.renew(profile);
    return editor;
  }

  /** True if the page crashed or the server ended. The next test file then gets a new editor. */
  private isBroken = false;

  private static async start(): Promise<SharedEditor> {
    const { runtime, chromium } = await ensureHost();
    const actor = new Actor();
    const channel = await openChannel(async (name, args, host) =>
      name === 'actorReady' ? actor.welcome(host) : await (await shared)?.onCall(name, args),
    );
    const server = await startCodeServer({ runtime, extensions: [extensionFolder, actorFolder], isBare: true, env: channel.env });
    const context = await letIn(await launchKeepingCode(chromium, server.folder, calmContext), server);
    const page = context.pages()[0] ?? (await context.newPage());
    await page.addInitScript(speak, languageCookie);
    const development = toDevelopment(server, extensionFolder, path.join(actorFolder, 'actorExtension.cjs'));
    await page.addInitScript(openForTests, { cookie: testsCookie, ...development });
    const editor = new SharedEditor(server, page, actor, channel);
    page.on('console', message => editor.lines.push(`[${message.type()}] ${message.text()}`));
    page.on('pageerror', error => editor.lines.push(`[error] ${error.stack ?? error.message}`));
    page.on('crash', () => {
      editor.lines.push('[crash] the page crashed');
      editor.isBroken = true;
      actor.leave();
    });
    void server.gone.then(() => {
      editor.lines.push('[crash] code-server ended');
      editor.isBroken = true;
    });
    return editor;
  }

  /** Opens a folder in another window of the same browser and server. Tests control this window only by its page, and close it. */
  async openBeside(folder: string): Promise<Page> {
    const page = await this.page.context().newPage();
    await this.actor.openBeside(() => page.goto(addressOf(this.server, folder)));
    return page;
  }

  /** Closes the window, so that its extension host ends. */
  async leave(): Promise<void> {
    await this.page.goto('about:blank');
    await this.server.hostsEnded();
  }

  /** Resets all state and opens the folder. Resolves once the extension is active. */
  private async renew({ folder, settings, language, isForTests }: EditorProfile): Promise<void> {
    await this.leave();
    this.lines.length = 0;
    const session = await this.page.context().newCDPSession(this.page);
    const storageTypes = 'cookies,local_storage,indexeddb,websql,cache_storage';
    await session.send('Storage.clearDataForOrigin', { origin: this.server.origin, storageTypes });
    await session.detach();
    const user = path.join(this.server.folder, 'user/User');
    for (const name of usedFolders) {
      rmSync(path.join(user, name), { recursive: true, force: true });
    }
    mkdirSync(user, { recursive: true });
    writeFileSync(path.join(user, 'settings.json'), JSON.stringify({ ...quietSettings, ...calmSettings, ...settings }, null, 2));
    const spoken = language === undefined ? [] : [{ name: languageCookie, value: language }];
    const forTests = isForTests ? [{ name: testsCookie, value: 'yes' }] : [];
    await this.page
      .context()
      .addCookies([this.server.cookie, ...spoken, ...forTests].map(cookie => ({ ...cookie, url: this.server.origin })));
    await this.actor.restart(() => this.page.goto(addressOf(this.server, folder)));
  }

  private async end(): Promise<void> {
    await this.page.context().close();
    await this.server.stop();
    this.channel.close();
  }
}

const testsCookie = 'window-for-tests';
const languageCookie = 'spoken-language';

/** Runs in the page before its own scripts. Sets the language of VS Code, as a script with translated messages would. */
function speak(cookie: string): void {
  const language = document.cookie.split('; ').find(one => one.startsWith(`${cookie}=`));
  if (language !== undefined) {
    Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: language.slice(cookie.length + 1) });
  }
}

let shared: Promise<SharedEditor> | undefined;
