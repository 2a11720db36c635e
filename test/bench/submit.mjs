// The row `submit`: a file checked and streamed as one create. Its baselines are one node:http request with the same bytes, unchecked, and
// the vendor SDK's create. The service that discards the bytes is a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeRequestFile } from './batchFiles.mjs';
import { inBenchFolder, median, runChild, worst } from './children.mjs';
import { above, judge, ratios } from './judging.mjs';

export const submitPromises = { ofSplice: 0.5, ofSdk: 8, addedMegabytes: 96, stallMs: 10 };

/** Minimum number of lines for a run that also sends a body longer than any JavaScript string. */
const largeCount = 100_000;

export async function runSubmit({ sizes, rounds = 5, onRow = () => {} }) {
  await inBenchFolder({ submitChild: 'test/bench/submitChild.ts' }, async ({ out, folder }) => {
    const here = path.dirname(fileURLToPath(import.meta.url));
    const server = spawn(process.execPath, [path.join(here, 'discardServer.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const port = String((await once(server.stdout, 'data'))[0]).trim();
      for (const count of sizes) {
        const file = path.join(folder, 'requests.jsonl');
        writeRequestFile(file, count, 2500);
        const runs = { splice: [], ours: [], sdk: [] };
        for (let round = 0; round < rounds; round++) {
          for (const subject of Object.keys(runs)) {
            // The vendor's SDK takes seconds and gigabytes at the largest size, so one run is enough.
            if (subject !== 'sdk' || round === 0 || count <= 10_000) {
              runs[subject].push(await runChild(out, 'submitChild', subject, file, port, path.join(folder, 'lines.tsv')));
            }
          }
        }
        const ours = median(runs.ours, 'ms');
        const values = {
          row: `submit x ${count}`,
          oursMs: ours,
          oursCpuMs: median(runs.ours, 'cpuMs'),
          spliceCpuMs: median(runs.splice, 'cpuMs'),
          spliceMs: median(runs.splice, 'ms'),
          sdkMs: median(runs.sdk, 'ms'),
          ofSplice: median(runs.splice, 'ms') / ours,
          ofSdk: median(runs.sdk, 'ms') / ours,
          cpuOfSplice: median(runs.splice, 'cpuMs') / median(runs.ours, 'cpuMs'),
          stallMs: median(runs.ours, 'stallMs'),
          idleStallMs: median(runs.ours, 'idleStallMs'),
          addedMB: worst(runs.ours, 'addedBytes') / 1e6,
          sdkAddedMB: worst(runs.sdk, 'addedBytes') / 1e6,
        };
        onRow(values, { runs, promises: count === sizes.at(-1) ? judgeSubmit(runs) : [] });
      }
      if (sizes.some(count => count >= largeCount)) {
        await runBeyondStrings({ out, folder, port, onRow });
      }
    } finally {
      server.kill();
    }
  });
}

/** Sends a body longer than any JavaScript string once with each client. The SDK throws, and ours succeeds. */
async function runBeyondStrings({ out, folder, port, onRow }) {
  const file = path.join(folder, 'large.jsonl');
  writeRequestFile(file, largeCount, 6000);
  const ours = await runChild(out, 'submitChild', 'ours', file, port, path.join(folder, 'lines.tsv'));
  const failure = await runChild(out, 'submitChild', 'sdk', file, port, '').then(
    () => 'sends it too',
    error => /string longer than \w+/.exec(error.message)?.[0] ?? error.message,
  );
  const megabytes = statSync(file).size / 1e6;
  const values = {
    row: `submit of ${megabytes.toFixed(0)} MB`,
    oursMs: ours.ms,
    oursCpuMs: ours.cpuMs,
    addedMB: ours.addedBytes / 1e6,
    sdk: failure,
  };
  const promises = [
    judge({ promise: 'MB that arrive whole', values: [megabytes], atLeast: 2 ** 29 / 1e6, isExact: true }),
    judge({ promise: 'added MB', values: [ours.addedBytes / 1e6], atMost: submitPromises.addedMegabytes, isExact: true }),
  ];
  onRow(values, { runs: { ours: [ours] }, promises });
}

function judgeSubmit({ splice, ours, sdk }) {
  const stalls = above(
    ours,
    ours.map(({ idleStallMs }) => ({ stallMs: idleStallMs })),
    'stallMs',
  );
  return [
    judge({ promise: 'of the splice', values: ratios(splice, ours), atLeast: submitPromises.ofSplice }),
    judge({ promise: 'of the SDK', values: ratios(sdk, ours), atLeast: submitPromises.ofSdk }),
    judge({ promise: 'stall above the idle thread, ms', values: stalls, atMost: submitPromises.stallMs }),
    judge({ promise: 'added MB', values: ours.map(run => run.addedBytes / 1e6), atMost: submitPromises.addedMegabytes }),
  ];
}
