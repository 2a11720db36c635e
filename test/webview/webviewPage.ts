import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { onExit } from '../helpers/onExit.mjs';
import { drawn, fakeHost, hasPosted, nameOfFocused, postAll, takeKept, takePosted } from './inPanel.mjs';

export type ThemeName = 'dark' | 'light' | 'highContrast' | 'highContrastLight';

export interface PageOptions<State extends object> {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  /** What VS Code kept of an earlier page. */
  readonly kept?: State;
  /** What the host writes into the page. */
  readonly fromHost?: State;
  readonly reducedMotion?: boolean;
}

interface Bundle {
  readonly script: string;
  readonly style: string;
}

const origin = 'https://panel.test';
const bodyClass = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  highContrast: 'vscode-high-contrast',
  highContrastLight: 'vscode-high-contrast-light',
};

let started: Promise<{ browser: Browser; home: string }> | undefined;
const bundles = new Map<string, Promise<Bundle>>();

/** One Chromium serves all files of a run. */
async function start(): Promise<{ browser: Browser; home: string }> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'panel-'));
  onExit(() => rmSync(home, { recursive: true, force: true }));
  // Not built into the tests: these find their files by their own place.
  const { ensureChromium, launchChromium }: typeof import('../host/chromium.mjs') = await load('test/host/chromium.mjs');
  return { browser: await launchChromium(await ensureChromium(process.execPath, line => console.log(line)), home), home };
}

/** The bundle of a webview, built once. */
async function bundleOf(name: string): Promise<Bundle> {
  const { buildBundle }: typeof import('./bundle.mjs') = await load('test/webview/bundle.mjs');
  const bundle = bundles.get(name) ?? buildBundle(name);
  bundles.set(name, bundle);
  return await bundle;
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
 * A webview in a page of a real Chromium, with the Content-Security-Policy and the theme variables of VS Code, and a host that
 * posts what a test tells it to.
 */
export class WebviewPage<From extends { readonly type: string }, To extends object, State extends object> {
  /** Addresses that the page asked for beyond its own script and style. */
  readonly requests: string[] = [];
  /** What the policy of the page refused, and what went wrong in it. */
  readonly problems: string[] = [];
  private opened: { readonly page: Page; readonly context: BrowserContext } | undefined;

  get page(): Page {
    if (this.opened === undefined) {
      throw new Error('The page is not open.');
    }
    return this.opened.page;
  }

  /** Opens the bundle of a webview; settles when it has said that it is ready. The host gives `answer` in the same moment. */
  protected async start(name: string, options: PageOptions<State>, answer?: To): Promise<void> {
    started ??= start();
    const [{ browser }, bundle] = await Promise.all([started, bundleOf(name)]);
    const { theme = 'dark', width = 900, height = 700, kept, fromHost = {} } = options;
    const context = await browser.newContext({
      viewport: { width, height },
      reducedMotion: options.reducedMotion === false ? 'no-preference' : 'reduce',
      locale: 'en-US',
      timezoneId: 'UTC',
    });
    context.setDefaultTimeout(5000);
    await context.addInitScript<{ kept: object | undefined; answer: object | undefined }>(fakeHost, { kept, answer });
    const page = await context.newPage();
    this.opened = { page, context };
    page.on('pageerror', error => this.problems.push(error.message));
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') {
        this.problems.push(message.text());
      }
    });
    await page.route('**/*', async route => {
      const { pathname, origin: asked } = new URL(route.request().url());
      const body = asked === origin ? contents(name, theme, fromHost, bundle).get(pathname) : undefined;
      if (body === undefined) {
        this.requests.push(route.request().url());
        await route.abort();
      } else {
        await route.fulfill({ body: body.text, contentType: body.type });
      }
    });
    await page.goto(`${origin}/`);
    await page.waitForFunction(hasPosted, 'ready');
  }

  /** Posts messages as the host does, in one turn. */
  async post(...messages: readonly To[]): Promise<void> {
    // As one text: taking over objects one by one is a hundred times as slow.
    await this.page.evaluate(postAll, JSON.stringify(messages));
  }

  /** Settles when everything that was posted has been drawn. */
  async drawn(): Promise<void> {
    await this.page.evaluate(drawn);
  }

  /** What the panel posted of one type, in its order. */
  async posted<T extends From['type']>(type: T): Promise<readonly Extract<From, { type: T }>[]> {
    const all = (await this.page.evaluate(takePosted)) as readonly From[];
    return all.filter((message): message is Extract<From, { type: T }> => message.type === type);
  }

  /** What the panel wants kept over a reload. */
  async kept(): Promise<Partial<State>> {
    return ((await this.page.evaluate(takeKept)) as State | undefined) ?? {};
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
    await this.opened?.context.close();
  }

  /** What had the keyboard without showing it, as HTML, over so many presses of Tab. */
  async unseenFocus(presses: number): Promise<readonly string[]> {
    const unseen: string[] = [];
    for (let press = 0; press < presses; press++) {
      await this.page.keyboard.press('Tab');
      const [name, isSeen] = (await this.page.evaluate(
        `(() => { const e = document.activeElement, s = getComputedStyle(e);
          return [e.outerHTML.slice(0, 80), e === document.body || (s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0 && !/rgba?\\(.*, 0\\)/.test(s.outlineColor))]; })()`,
      )) as [string, boolean];
      if (!isSeen) {
        unseen.push(name);
      }
    }
    return unseen;
  }

  /** Accessible name of what has the keyboard. */
  async focused(): Promise<string> {
    return await this.page.evaluate(nameOfFocused);
  }
}

function contents(
  name: string,
  theme: ThemeName,
  fromHost: object,
  { script, style }: Bundle,
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
<link rel="stylesheet" href="/theme.css"><link rel="stylesheet" href="/${name}.css"></head>
<body class="${bodyClass[theme]}" data-vscode-theme-kind="${bodyClass[theme]}"><div id="root" data-state="${state}"></div>
<script type="module" nonce="${nonce}" src="/${name}.js"></script></body></html>`;
  return new Map([
    ['/', { text: page, type: 'text/html' }],
    [`/${name}.js`, { text: script, type: 'text/javascript' }],
    [`/${name}.css`, { text: style, type: 'text/css' }],
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
