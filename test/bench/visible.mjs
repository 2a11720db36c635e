// The row `visible`: from the service's write to the painted row, through all layers: emulator, socket, extension host, panel of a real VS
// Code.
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { nodeOptions } from '../../esbuild.mjs';
import { buildActor } from '../host/actor/buildActor.mjs';
import { canHaveRuntime } from '../host/runtime.mjs';
import { stageExtension } from '../host/stageExtension.mjs';
import { median } from './children.mjs';
import { judge } from './judging.mjs';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

export const visiblePromises = { medianMs: 60, p99Ms: 150 };

/** Promises the time at 50 events a second. A storm of 5,000 a second shows how many rows a second are possible. */
export async function runVisible({ rounds = 5, onRow = () => {} }) {
  if (!canHaveRuntime('newest')) {
    console.log('No code-server can be had on this machine: the row is left out.');
    return;
  }
  const out = path.join(root, 'out', `bench-visible-${process.pid}`);
  mkdirSync(out, { recursive: true });
  try {
    const extension = path.join(out, 'extension');
    await stageExtension(root, extension);
    const actor = path.join(out, 'actor');
    await buildActor(root, actor);
    await build({
      ...nodeOptions,
      entryPoints: { visibleChild: 'test/bench/visibleChild.ts' },
      absWorkingDir: root,
      outdir: out,
      packages: 'external',
      sourcemap: false,
      logLevel: 'warning',
    });
    const runs = [];
    for (let round = 0; round < rounds; round++) {
      const options = { env: { ...process.env, TEST_BUILD: out }, maxBuffer: 1 << 24 };
      const { stdout } = await promisify(execFile)(process.execPath, [path.join(out, 'visibleChild.js')], options);
      runs.push(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
    }
    const values = {
      row: 'visible',
      seen: median(runs, 'seen'),
      medianMs: median(runs, 'medianMs'),
      p99Ms: median(runs, 'p99Ms'),
      stormEvents: median(runs, 'stormEvents'),
      stormWrittenMs: median(runs, 'stormWrittenMs'),
      stormBehindMs: median(runs, 'stormBehindMs'),
      paintedPerSecond: median(runs, 'paintedPerSecond'),
    };
    const promises = [
      judge({ promise: 'median ms', values: runs.map(run => run.medianMs), atMost: visiblePromises.medianMs }),
      judge({ promise: '99th percentile, ms', values: runs.map(run => run.p99Ms), atMost: visiblePromises.p99Ms }),
    ];
    onRow(values, { runs: { ours: runs }, promises });
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
