import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import type { FromWebview, PanelState, ToWebview } from '../../src/shared/session/protocol';
import type { Row } from '../../src/shared/session/rows';
import { onExit } from '../helpers/onExit.mjs';
import { drawn, fakeHost, hasPosted, hasScrolledFrom, nameOfFocused, placesOf, postAll, takeKept, takePosted } from './inPanel.mjs';
import { viewOf } from './panelFixtures';

export type ThemeName = 'dark' | 'light' | 'highContrast' | 'highContrastLight';

interface PanelPageOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  /** What VS Code kept of an earlier panel. */
  readonly kept?: PanelState;
  /** What the host writes into the page. */
  readonly fromHost?: PanelState;
  readonly reducedMotion?: boolean;
}

const origin = 'https://panel.test';
const bodyClass = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  highContrast: 'vscode-high-contrast',
  highContrastLight: 'vscode-high-contrast-light',
};

let started: Promise<{ browser: Browser; home: string; script: string; style: string }> | undefined;

/** One Chromium and one bundle serve all files of a run. */
async function start(): Promise<{ browser: Browser; home: string; script: string; style: string }> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'panel-'));
  onExit(() => rmSync(home, { recursive: true, force: true }));
  // Not built into the tests: these find their files by their own place.
  const { ensureChromium, launchChromium }: typeof import('../host/chromium.mjs') = await load('test/host/chromium.mjs');
  const { buildBundle }: typeof import('./bundle.mjs') = await load('test/webview/bundle.mjs');
  const [choice, bundle] = await Promise.all([ensureChromium(process.execPath, line => console.log(line)), buildBundle('session')]);
  return { browser: await launchChromium(choice, home), home, ...bundle };
}

async function load<T>(file: string): Promise<T> {
  return await import(pathToFileURL(path.resolve(file)).href);
}

/** Ends the browser, at the end of a run. */
async function stopBrowser(): Promise<void> {
  const running = await started;
  started = undefined;
  await running?.browser.close();
  if (running !== undefined) {
    rmSync(running.home, { recursive: true, force: true });
  }
}

after(stopBrowser);

/**
 * The session panel in a page of a real Chromium, with the Content-Security-Policy and the theme variables of VS Code, and a host that
 * posts what a test tells it to.
 */
export class PanelPage {
  readonly page: Page;
  /** Addresses that the page asked for beyond its own script and style. */
  readonly requests: string[] = [];
  /** What the policy of the page refused, and what went wrong in it. */
  readonly problems: string[] = [];

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(options: PanelPageOptions = {}): Promise<PanelPage> {
    started ??= start();
    const { browser, script, style } = await started;
    const { theme = 'dark', width = 900, height = 700, kept, fromHost = { connection: 'c1', session: 's1' } } = options;
    const context = await browser.newContext({
      viewport: { width, height },
      reducedMotion: options.reducedMotion === false ? 'no-preference' : 'reduce',
      locale: 'en-US',
      timezoneId: 'UTC',
    });
    context.setDefaultTimeout(5000);
    await context.addInitScript(fakeHost, kept);
    const page = await context.newPage();
    const panel = new PanelPage(page);
    page.on('pageerror', error => panel.problems.push(error.message));
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') {
        panel.problems.push(message.text());
      }
    });
    await page.route('**/*', async route => {
      const { pathname, origin: asked } = new URL(route.request().url());
      const body = asked === origin ? contents(theme, fromHost, script, style).get(pathname) : undefined;
      if (body === undefined) {
        panel.requests.push(route.request().url());
        await route.abort();
      } else {
        await route.fulfill({ body: body.text, contentType: body.type });
      }
    });
    await page.goto(`${origin}/`);
    await page.waitForFunction(hasPosted, 'ready');
    return panel;
  }

  /** Posts messages as the host does, in one turn. */
  async post(...messages: readonly ToWebview[]): Promise<void> {
    // As one text: taking over objects one by one is a hundred times as slow.
    await this.page.evaluate(postAll, JSON.stringify(messages));
  }

  /** Posts a snapshot of a session with these rows. */
  async show(rows: readonly Row[], changes: Partial<Extract<ToWebview, { type: 'snapshot' }>> = {}): Promise<void> {
    const thread = changes.thread ?? '';
    await this.post(
      {
        ...{ type: 'snapshot', thread, view: viewOf(), connection: { name: 'live' }, expectedRows: rows.length, locale: 'en' },
        ...{ translations: {}, source: 'Emulator, 127.0.0.1', isReplay: false, canWrite: true, ...changes },
      },
      { type: 'amend', thread, splices: [{ at: 0, remove: 0, rows }] },
    );
    await this.drawn();
  }

  /** Settles when everything that was posted has been drawn. */
  async drawn(): Promise<void> {
    await this.page.evaluate(drawn);
  }

  /** What the panel posted of one type, in its order. */
  async posted<T extends FromWebview['type']>(type: T): Promise<readonly Extract<FromWebview, { type: T }>[]> {
    const all = (await this.page.evaluate(takePosted)) as readonly FromWebview[];
    return all.filter((message): message is Extract<FromWebview, { type: T }> => message.type === type);
  }

  /** What the panel wants kept over a reload. */
  async kept(): Promise<PanelState> {
    return ((await this.page.evaluate(takeKept)) as PanelState | undefined) ?? {};
  }

  /** Writes a picture to `out/screenshots`, for people to look at. */
  async screenshot(name: string): Promise<void> {
    mkdirSync('out/screenshots', { recursive: true });
    await this.page.screenshot({ path: `out/screenshots/${name}.png` });
  }

  /** Closes it; fails where something went wrong in the page, or it asked for anything from elsewhere. */
  async end(): Promise<void> {
    await this.close();
    assert.deepEqual(this.problems, []);
    assert.deepEqual(this.requests, []);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  /** The list that scrolls. */
  get list(): Locator {
    return this.page.getByRole('feed');
  }

  /** Rows that are drawn and say this. */
  row(text: string | RegExp): Locator {
    return this.page.getByRole('article').filter({ hasText: text });
  }

  /** Pixels between the top of the list and the top of the first row that says this. */
  async topOf(text: string): Promise<number> {
    const [row, list] = await Promise.all([this.row(text).first().boundingBox(), this.list.boundingBox()]);
    if (row === null || list === null) {
      throw new Error(`There is no row ${text}.`);
    }
    return row.y - list.y;
  }

  /** Scrolls the list with the wheel and settles when it has been drawn. */
  async wheel(pixels: number): Promise<void> {
    await this.list.hover();
    const before = await this.scrollTop();
    await this.page.mouse.wheel(0, pixels);
    await this.page.waitForFunction(hasScrolledFrom, before);
    // A long way is gone in steps.
    for (let last = -1, now = before; last !== now; ) {
      last = now;
      await this.drawn();
      now = await this.scrollTop();
    }
  }

  /** How far the list is scrolled. */
  async scrollTop(): Promise<number> {
    return await this.list.evaluate((list: { scrollTop: number }) => list.scrollTop);
  }

  /** Places of the drawn rows among all, counted from 1. */
  async places(): Promise<readonly number[]> {
    return await this.page.evaluate(placesOf);
  }

  /** Accessible name of what has the keyboard. */
  async focused(): Promise<string> {
    return await this.page.evaluate(nameOfFocused);
  }
}

function contents(
  theme: ThemeName,
  fromHost: PanelState,
  script: string,
  style: string,
): ReadonlyMap<string, { readonly text: string; readonly type: string }> {
  const nonce = 'dGVzdA';
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${origin}`,
    `font-src ${origin}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const state = JSON.stringify(fromHost).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const page = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="/theme.css"><link rel="stylesheet" href="/session.css"></head>
<body class="${bodyClass[theme]}" data-vscode-theme-kind="${bodyClass[theme]}"><div id="root" data-state="${state}"></div>
<script type="module" nonce="${nonce}" src="/session.js"></script></body></html>`;
  return new Map([
    ['/', { text: page, type: 'text/html' }],
    ['/session.js', { text: script, type: 'text/javascript' }],
    ['/session.css', { text: style, type: 'text/css' }],
    ['/theme.css', { text: themeStyle(theme), type: 'text/css' }],
    ['/favicon.ico', { text: '', type: 'image/png' }],
  ]);
}

/** What VS Code gives every webview: the colours of the theme, fonts, and its own few rules. */
function themeStyle(theme: ThemeName): string {
  const variables: Readonly<Record<string, string>> = JSON.parse(readFileSync('test/fixtures/webview/themes.json', 'utf8'))[theme];
  const all = {
    ...variables,
    '--vscode-font-family': 'system-ui, "Segoe UI", "Open Sans", sans-serif',
    '--vscode-font-size': '13px',
    '--vscode-font-weight': 'normal',
    '--vscode-editor-font-family': '"DejaVu Sans Mono", monospace',
    '--vscode-editor-font-size': '13px',
  };
  const scheme = theme === 'light' || theme === 'highContrastLight' ? 'light' : 'dark';
  return `html { color-scheme: ${scheme}; ${Object.entries(all)
    .map(([name, value]) => `${name}: ${value};`)
    .join(' ')} }
body { background: var(--vscode-editor-background); color: var(--vscode-foreground); padding: 0 20px; }
code { color: var(--vscode-textPreformat-foreground); }
a { color: var(--vscode-textLink-foreground); }`;
}
