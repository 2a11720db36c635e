// @ts-check
import { chooseVsCode } from './chooseVsCode.mjs';
import { ensureChromium } from './chromium.mjs';
import { canHaveRuntime, ensureRuntime } from './runtime.mjs';

/**
 * @typedef {object} Prepared
 * @property {import('./chooseVsCode.mjs').VsCodeChoice} choice where tests inside the extension host run
 * @property {{ readonly runtime: import('./runtime.mjs').Runtime, readonly chromium: import('./chromium.mjs').Chromium } | undefined} page
 * what shows a workbench to drive, where this machine can have it
 */

/**
 * Chooses the VS Code of one pair and brings here what is missing, which takes about a minute on a new machine. Several
 * processes may ask at once.
 * @param {'newest' | 'floor'} pair
 * @param {boolean} isDriven whether tests drive the page from outside
 * @param {(line: string) => void} log
 * @returns {Promise<Prepared>}
 */
export async function prepareVsCode(pair, isDriven, log) {
  const choice = await chooseVsCode(pair, log);
  log(`VS Code: ${choice.kind === 'desktop' ? choice.executable : 'code-server from npm'} (${choice.why})`);
  if (choice.kind === 'desktop' && !(isDriven && canHaveRuntime(pair))) {
    return { choice, page: undefined };
  }
  const runtime = await ensureRuntime(pair, log);
  const chromium = await ensureChromium(runtime.node, log);
  log(`code-server with VS Code ${runtime.vscode}, shown in ${chromium.executable} (${chromium.why})`);
  return { choice, page: { runtime, chromium } };
}
