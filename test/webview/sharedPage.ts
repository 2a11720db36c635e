import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { onExit } from '../helpers/onExit.mjs';
import { pagePatience } from '../host/browserWindow.mjs';
import { ensureChromium, launchChromium } from '../host/chromium.mjs';

/** Responses of a page's server, by path. */
export type Contents = ReadonlyMap<string, { readonly text: string; readonly type: string }>;

/**
 * One page of one Chromium for all tests of this process, because starting them takes longer than most tests. Each test gets a new
 * document. Tests share no state, because the webviews have no storage. A page whose test failed is not used again.
 */
export class SharedPage {
  /** Requested addresses that are not in the contents, since the last reset. */
  readonly requests: string[] = [];
  /** Errors of the document and violations of its policy, since the last reset. */
  readonly problems: string[] = [];
  private contents: Contents = new Map();

  private constructor(
    readonly page: Page,
    private readonly origin: string,
  ) {}

  /** Returns the page of this process. Opens a new page if there is none or it was closed. */
  static async take(): Promise<SharedPage> {
    const known = await shared?.catch(() => undefined);
    if (known !== undefined && !known.page.isClosed()) {
      return known;
    }
    const opened = SharedPage.open();
    shared = opened;
    return await opened;
  }

  private static async open(): Promise<SharedPage> {
    const context = await (await chromium()).newContext({ locale: 'en-US', timezoneId: 'UTC' });
    context.setDefaultTimeout(pagePatience);
    const server = createServer(({ url = '' }, response) => {
      const content = shared.contents.get(url);
      // Only the document changes between tests. A cached script also keeps its compiled code.
      const cacheControl = url === '/' ? 'no-store' : 'max-age=86400';
      response.writeHead(content === undefined ? 404 : 200, { 'content-type': content?.type, 'cache-control': cacheControl });
      response.end(content?.text);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    context.on('close', () => server.close().closeAllConnections());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const shared = new SharedPage(await context.newPage(), origin);
    const { page, problems } = shared;
    page.on('pageerror', error => problems.push(error.message));
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') {
        problems.push(message.text());
      }
    });
    page.on('crash', () => void context.close());
    page.on('request', request => {
      const { origin: asked, pathname } = new URL(request.url());
      if (asked !== origin || !shared.contents.has(pathname)) {
        shared.requests.push(request.url());
      }
    });
    return shared;
  }

  /** Shows a new document. Resolves once its scripts have run. */
  async show(
    contents: Contents,
    { width, height, reducedMotion }: { width: number; height: number; reducedMotion: boolean },
  ): Promise<void> {
    this.contents = contents;
    const { page } = this;
    const size = page.viewportSize();
    if (size?.width !== width || size.height !== height) {
      await page.setViewportSize({ width, height });
    }
    await page.emulateMedia({ reducedMotion: reducedMotion ? 'reduce' : 'no-preference', forcedColors: 'none' });
    await page.goto(`${this.origin}/`);
  }

  /** Returns and resets the problems, and moves the mouse away from the next document. */
  async empty(): Promise<{ readonly problems: readonly string[]; readonly requests: readonly string[] }> {
    await this.page.mouse.move(0, 0);
    return { problems: this.problems.splice(0), requests: this.requests.splice(0) };
  }

  /** Closes the page after a failed test, because keys may still be pressed. Saves a screenshot and the page's problems and requests. */
  async leave(test: string): Promise<void> {
    const folder = path.join('out/failures', `webview ${test}`.replace(/[^\w]+/g, '-').slice(0, 120));
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'page.txt'), [...this.problems, ...this.requests].join('\n'));
    // A hanging page must not hide why its test failed.
    await this.page.screenshot({ path: path.join(folder, 'page.png'), timeout: 10_000 }).catch(() => {});
    console.log(`${test} failed. Picture: ${folder}`);
    await this.page.context().close();
  }
}

let shared: Promise<SharedPage> | undefined;
let browser: Promise<Browser> | undefined;

function chromium(): Promise<Browser> {
  browser ??= startChromium().catch(error => {
    browser = undefined;
    throw error;
  });
  return browser;
}

async function startChromium(): Promise<Browser> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'panel-'));
  onExit(() => rmSync(home, { recursive: true, force: true }));
  const started = await launchChromium(await ensureChromium(process.execPath, line => console.log(line)), home);
  started.on('disconnected', () => {
    browser = undefined;
    shared = undefined;
  });
  return started;
}
