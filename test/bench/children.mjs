// Builds and runs the processes in which rows are measured.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { nodeOptions, threadEntryPoints } from '../../esbuild.mjs';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const execute = promisify(execFile);

/**
 * Builds `entryPoints` and the thread for requests, and calls `use` with their folder and a data folder. Deletes both folders afterwards.
 * `stubs` are files that replace modules of VS Code.
 */
export async function inBenchFolder(entryPoints, use, stubs = {}) {
  const out = path.join(root, 'out', `bench-${process.pid}`);
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-'));
  mkdirSync(out, { recursive: true });
  try {
    await build({
      ...nodeOptions,
      external: nodeOptions.external.filter(name => stubs[name] === undefined),
      alias: Object.fromEntries(Object.entries(stubs).map(([name, file]) => [name, path.join(root, file)])),
      // A stub only has the members of a module that are used.
      logOverride: Object.keys(stubs).length > 0 ? { 'import-is-undefined': 'silent' } : {},
      entryPoints: { ...entryPoints, jsonlThread: threadEntryPoints.jsonlThread },
      absWorkingDir: root,
      outdir: out,
      minify: true,
      sourcemap: false,
      logLevel: 'warning',
    });
    await use({ out, folder });
  } finally {
    rmSync(out, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a built child and returns its output, parsed as JSON. */
export async function runChild(out, name, ...args) {
  try {
    const { stdout } = await execute(process.execPath, [path.join(out, `${name}.js`), ...args], { maxBuffer: 1 << 24 });
    return JSON.parse(stdout);
  } catch (error) {
    // Node prints the line that threw, which is the whole minified bundle.
    const words = String(error.stderr ?? error)
      .split('\n')
      .filter(line => line.length < 1000);
    throw new Error(`${name} ${args[0]} failed: ${words.join('\n')}`);
  }
}

export function median(runs, field) {
  const sorted = runs.map(run => run[field]).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function worst(runs, field) {
  return Math.max(...runs.map(run => run[field]));
}
