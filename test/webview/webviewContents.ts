import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { stopMotion } from '../host/page/inPage.mjs';
import { fakeHost, holdClock } from './inPanel.mjs';
import type { Contents } from './sharedPage';

export type ThemeName = 'dark' | 'light' | 'highContrast' | 'highContrastLight';

export const themeNames = ['dark', 'light', 'highContrast', 'highContrastLight'] as const satisfies readonly ThemeName[];

interface WebviewDocument {
  readonly theme: ThemeName;
  /** State that the host writes into the page. */
  readonly fromHost: object;
  /** State that an earlier page has saved. */
  readonly kept: object | undefined;
  /** Messages from the host as soon as the page is ready. */
  readonly answers: readonly object[];
  readonly isStill: boolean;
  readonly isClockHeld: boolean;
}

export const bodyClass = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  highContrast: 'vscode-high-contrast',
  highContrastLight: 'vscode-high-contrast-light',
};

const themes: Readonly<Record<ThemeName, Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync('test/fixtures/webview/themes.json', 'utf8'),
);
const themeStyles = themeNames.map(theme => [`/${theme}.css`, { text: toThemeStyle(theme), type: 'text/css' }] as const);
/** Folder of the built webviews. */
const built = path.join(process.env.TEST_BUILD ?? '', 'webview');
const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };
let bundles: Contents | undefined;

/** Returns the document of a webview with its script and style, as VS Code and its host create it. */
export function contentsOf(name: string, options: WebviewDocument): Contents {
  bundles ??= new Map(
    readdirSync(built, { recursive: true, encoding: 'utf8' })
      .filter(file => path.extname(file) in types)
      .map(file => [
        `/${file.replaceAll(path.sep, '/')}`,
        { text: readFileSync(path.join(built, file), 'utf8'), type: types[path.extname(file)] ?? '' },
      ]),
  );
  return new Map([
    ['/', { text: toPage(name, options), type: 'text/html' }],
    ...bundles,
    ...themeStyles,
    ['/favicon.ico', { text: '', type: 'image/png' }],
  ]);
}

function toPage(name: string, { theme, fromHost, kept, answers, isStill, isClockHeld }: WebviewDocument): string {
  const nonce = 'dGVzdA';
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self'",
    "font-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const state = JSON.stringify(fromHost).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const before = [
    call(fakeHost, { kept, answers }),
    ...(isStill ? [call(stopMotion, {})] : []),
    // Only holds timers of at least 100 ms, because rendering needs shorter timers.
    ...(isClockHeld ? [call(holdClock, { least: 100 })] : []),
  ];
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${name}</title>
<script nonce="${nonce}">${before.join('\n')}</script>
<link id="theme" rel="stylesheet" href="/${theme}.css"><link rel="stylesheet" href="/${name}.css"></head>
<body class="${bodyClass[theme]}" data-vscode-theme-kind="${bodyClass[theme]}"><div id="root" data-state="${state}"></div>
<script type="module" nonce="${nonce}" src="/${name}.js"></script></body></html>`;
}

/** Returns source text that calls a function with a JSON argument. */
function call<T extends object>(what: (argument: T) => void, argument: T): string {
  return `(${what})(${JSON.stringify(argument).replaceAll('<', '\\u003c')});`;
}

/** Returns the styles that VS Code adds to every webview: theme colours, fonts, and a few rules. */
function toThemeStyle(theme: ThemeName): string {
  const all = {
    ...themes[theme],
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
