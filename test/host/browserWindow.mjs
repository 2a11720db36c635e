// @ts-check
import { addDevelopmentOptions, refuseAppWorker, stopMotion } from './page/inPage.mjs';

/** Maximum wait in a page, in milliseconds. Detects hangs and never measures the machine's speed. */
export const pagePatience = 120_000;

/** @typedef {{ origin: string, cookie: { name: string, value: string } }} Served address of a server, and what lets a page in */

/**
 * Options of a browser context. Motion is off because the tests need the processor that paints each frame.
 * @type {import('playwright-core').BrowserContextOptions}
 */
export const calmContext = {
  viewport: { width: 1280, height: 800 },
  permissions: ['clipboard-read', 'clipboard-write'],
  reducedMotion: 'reduce',
};

/**
 * Gives a context the cookie of code-server.
 * @template {import('playwright-core').BrowserContext} Context
 * @param {Context} context
 * @param {Served} server
 * @returns {Promise<Context>}
 */
export async function letIn(context, server) {
  context.setDefaultTimeout(pagePatience);
  await context.addCookies([{ ...server.cookie, url: server.origin }]);
  await context.addInitScript(refuseAppWorker);
  await context.addInitScript(stopMotion);
  return context;
}

/**
 * Opens a page of the browser with the workbench of a server.
 * @param {import('playwright-core').Browser} browser
 * @param {object} options
 * @param {Served} options.server
 * @param {string} options.folder workspace
 * @param {string} [options.file] shown in the editor from the start
 * @param {{ extension: string, tests: string }} [options.development] extension to run from a folder, with its test module
 * @param {(line: string) => void} options.log what the page says
 * @param {{ width: number, height: number }} [options.viewport]
 * @returns {Promise<import('playwright-core').Page>}
 */
export async function openWindow(browser, { server, folder, file, development, log, viewport }) {
  const context = await letIn(await browser.newContext({ ...calmContext, ...(viewport && { viewport }) }), server);
  const authority = new URL(server.origin).host;
  if (development !== undefined) {
    const toUri = (/** @type {string} */ path) => ({ $mid: 1, scheme: 'vscode-remote', authority, path });
    await context.addInitScript(addDevelopmentOptions, {
      extensions: [toUri(development.extension)],
      extensionTestsPath: toUri(development.tests),
    });
  }
  const page = await context.newPage();
  page.on('console', message => log(`[${message.type()}] ${message.text()}`));
  page.on('pageerror', error => log(`[error] ${error.stack ?? error.message}`));
  page.on('crash', () => log('[crash] the page crashed'));
  const opened =
    file === undefined ? '' : `&payload=${encodeURIComponent(JSON.stringify([['openFile', `vscode-remote://${authority}${file}`]]))}`;
  await page.goto(`${server.origin}/?folder=${encodeURIComponent(folder)}${opened}`);
  return page;
}
