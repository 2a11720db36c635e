import path from 'node:path';
import { type Chromium, ensureChromium } from './chromium.mjs';
import { ensureRuntime, type Runtime } from './runtime.mjs';

/** Folder in which the runner built everything for this run. */
const built = process.env.TEST_BUILD ?? '';

/** Folder of the built extension. */
export const extensionFolder = path.join(built, 'extension');

/** Folder of the built extension that acts for a test inside VS Code. */
export const actorFolder = path.join(built, 'actor');

/** Folder of the built tests that run inside the extension host. */
export const insideFolder = path.join(built, 'inside');

/** Folder for screenshots; `undefined` if none are taken. */
export const screenshotFolder = process.env.TEST_PICTURES === 'yes' ? path.resolve('out/screenshots') : undefined;

/** Folder for the pictures and logs of failures. */
export const evidenceFolder = path.resolve('out/failures');

/** Returns the VS Code of this run (`TEST_VSCODE`) and a Chromium to show it in. Downloads them if they are missing. */
export async function ensureHost(): Promise<{ readonly runtime: Runtime; readonly chromium: Chromium }> {
  const log = (line: string) => console.log(line);
  const runtime = await ensureRuntime(process.env.TEST_VSCODE === 'floor' ? 'floor' : 'newest', log);
  return { runtime, chromium: await ensureChromium(runtime.node, log) };
}
