// @ts-check
// Writes test/fixtures/webview/themes.json: the variables of VS Code's own themes that src/webview uses, read from a running
// workbench. Takes a minute or two. Run it after src/webview uses a variable that the file lacks:
//   node test/webview/captureThemes.mjs
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { addressOf, calmContext, letIn } from '../host/browserWindow.mjs';
import { ensureChromium, launchChromium } from '../host/chromium.mjs';
import { startCodeServer } from '../host/codeServer.mjs';
import { ensureRuntime } from '../host/runtime.mjs';
import { variablesOfTheme } from './inPanel.mjs';

const themes = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  highContrast: 'Default High Contrast',
  highContrastLight: 'Default High Contrast Light',
};

const used = new Set(
  readdirSync('src/webview', { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(?:css|tsx?)$/.test(name))
    .flatMap(name => readFileSync(path.join('src/webview', name), 'utf8').match(/--vscode-[\w-]+/g) ?? []),
);
const log = (/** @type {string} */ line) => console.log(line);
const runtime = await ensureRuntime('newest', log);
const home = mkdtempSync(path.join(os.tmpdir(), 'themes-'));
const browser = await launchChromium(await ensureChromium(runtime.node, log), home);
/** @type {Record<string, Record<string, string>>} */
const captured = {};
try {
  for (const [name, theme] of Object.entries(themes)) {
    const settings = { 'workbench.colorTheme': theme, 'security.workspace.trust.enabled': false };
    const server = await startCodeServer({ runtime, settings });
    try {
      const page = await (await letIn(await browser.newContext(calmContext), server)).newPage();
      await page.goto(addressOf(server, home));
      // The workbench sets this class once it has loaded the theme of the settings.
      const theirs = { dark: 'dark_modern', light: 'light_modern', highContrast: 'hc_black', highContrastLight: 'hc_light' }[name];
      await page.locator(`.monaco-workbench[class*="${theirs}"]`).waitFor();
      const all = await page.evaluate(variablesOfTheme);
      captured[name] = Object.fromEntries(
        [...used].sort().flatMap(variable => (all[variable] === undefined ? [] : [[variable, all[variable]]])),
      );
      await page.context().close();
    } finally {
      await server.stop();
    }
  }
} finally {
  await browser.close();
  rmSync(home, { recursive: true, force: true });
}
writeFileSync('test/fixtures/webview/themes.json', `${JSON.stringify(captured, null, 1)}\n`);
