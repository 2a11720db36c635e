// @ts-check
import { refuseAppWorker, stopMotion } from './page/inPage.mjs';

/** Maximum wait in a page, in milliseconds. Only detects hangs, so it is long enough for any machine. */
export const pagePatience = 120_000;

/** @typedef {{ origin: string, cookie: { name: string, value: string } }} Served address of a server, and the cookie that admits a page */

/**
 * Options of a browser context. Motion is off, because painting animations takes processor time from the tests.
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
 * Returns the address of the workbench with a folder.
 * @param {Served} server
 * @param {string} folder workspace
 * @param {string} [file] shown in the editor from the start
 */
export function addressOf(server, folder, file) {
  const payload = file === undefined ? [] : [['openFile', `vscode-remote://${new URL(server.origin).host}${file}`]];
  return `${server.origin}/?${new URLSearchParams({ folder, payload: JSON.stringify(payload) })}`;
}

/**
 * Returns the argument of `openForTests`.
 * @param {Served} server
 * @param {string} extension folder of the extension to run
 * @param {string} tests path of the module whose `run` VS Code calls
 */
export function toDevelopment({ origin }, extension, tests) {
  const toUri = (/** @type {string} */ path) => ({ $mid: 1, scheme: 'vscode-remote', authority: new URL(origin).host, path });
  return { extensions: [toUri(extension)], extensionTestsPath: toUri(tests) };
}
