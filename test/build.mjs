// @ts-check
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { browserOptions, nodeOptions, threadEntryPoints } from '../esbuild.mjs';

/** @type {import('esbuild').BuildOptions} */
const options = { ...nodeOptions, packages: 'external', sourcemap: 'external', logLevel: 'warning' };

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
 * Builds test files that run in plain Node, with what they share in chunks of its own. Where a source imports `vscode`, it gets the fake.
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
 * Builds the threads and programs that the sources under test start, as they ship: tests find them in TEST_BUILD.
 * @param {string} root the project
 * @param {string} outdir
 */
export async function buildThreads(root, outdir) {
  await build({ ...options, packages: 'bundle', sourcemap: false, absWorkingDir: root, entryPoints: threadEntryPoints, outdir });
}

/**
 * Builds the webviews as they ship, but not minified: tests find them in TEST_BUILD.
 * @param {string} root the project
 * @param {string} outdir
 */
export async function buildWebviews(root, outdir) {
  await build({ .../** @type {typeof options} */ (browserOptions), sourcemap: false, logLevel: 'warning', absWorkingDir: root, outdir });
}

/**
 * Builds the tests that run inside an extension host. VS Code takes a module for an ES module by its ending.
 * @param {string} root the project
 * @param {readonly string[]} files relative to `test`
 * @param {string} outdir
 */
export async function buildInsideTests(root, files, outdir) {
  const entryPoints = files.map(file => `test/${file}`);
  await build({ ...options, absWorkingDir: root, entryPoints, outbase: 'test/host/features', outdir, outExtension: { '.js': '.mjs' } });
}
