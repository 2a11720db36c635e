// @ts-check
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { browserOptions, nodeOptions, threadEntryPoints } from '../esbuild.mjs';

/** @type {import('esbuild').BuildOptions} */
const options = { ...nodeOptions, packages: 'external', sourcemap: 'linked', logLevel: 'warning' };

/**
 * Lists the test files in a folder of `test`, as paths relative to `test`.
 * @param {string} root the project
 * @param {string} folder
 */
export function listTests(root, folder) {
  return readdirSync(path.join(root, 'test', folder), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.test.ts'))
    .map(file => `${folder}/${file.replaceAll(path.sep, '/')}`)
    .sort();
}

/**
 * Builds test files that run in plain Node. Shared code is in separate chunks, and `vscode` is the fake of the unit tests.
 * @param {string} root the project
 * @param {readonly string[]} files relative to `test`
 * @param {string} outdir
 */
export async function buildNodeTests(root, files, outdir) {
  await build({
    ...options,
    absWorkingDir: root,
    entryPoints: files.map(file => `test/${file}`),
    outbase: 'test',
    outdir,
    alias: { vscode: path.join(root, 'test/helpers/vscode.ts') },
  });
}

/**
 * Builds the threads and programs that the extension starts, as they ship. Tests find them in the folder TEST_BUILD.
 * @param {string} root the project
 * @param {string} outdir
 */
export async function buildThreads(root, outdir) {
  await build({ ...options, packages: 'bundle', sourcemap: false, absWorkingDir: root, entryPoints: threadEntryPoints, outdir });
}

/**
 * Builds the webviews as they ship, but not minified. Tests find them in the folder TEST_BUILD.
 * @param {string} root the project
 * @param {string} outdir
 */
export async function buildWebviews(root, outdir) {
  await build({ .../** @type {typeof options} */ (browserOptions), sourcemap: false, logLevel: 'warning', absWorkingDir: root, outdir });
}

/**
 * Builds the tests that run inside an extension host. Their file names end in `.mjs`, by which VS Code recognizes ES modules.
 * @param {string} root the project
 * @param {readonly string[]} files relative to `test`
 * @param {string} outdir
 */
export async function buildInsideTests(root, files, outdir) {
  const entryPoints = files.map(file => `test/${file}`);
  await build({ ...options, absWorkingDir: root, entryPoints, outbase: 'test/host/features', outdir, outExtension: { '.js': '.mjs' } });
}
