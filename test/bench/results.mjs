// The row `results`: fetches, verifies, indexes and joins a results file on disk. Its baselines are `curl -o` of the same file
// with an `fsync`, and the vendor SDK's results iterator, joined in memory. Subjects alternate, and each run is a process of its own.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fsyncSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inBenchFolder, median, runChild, worst } from './children.mjs';
import { above, judge, ratios } from './judging.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const execute = promisify(execFile);

export const resultsPromises = { ratioOfCurl: 0.6, ratioOfSdk: 2.5, ratioOfSdkWhenSmall: 1, addedMegabytes: 100, stallMs: 10 };

/** Minimum number of results for the promises for a file of 97 MB. */
const largeCount = 100_000;

/** Writes a results file of `count` lines of about 940 bytes in shuffled order, and its line map. */
function writeInput(folder, count) {
  let seed = 12345;
  const random = () => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return seed / 2 ** 32;
  };
  const order = Array.from({ length: count }, (_, index) => index);
  for (let index = count - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [order[index], order[other]] = [order[other], order[index]];
  }
  const words = 'the quick brown fox jumps over a lazy dog and then writes more text with "quotes" and é and 😀 \n'.split(/(?<= )/);
  const idOf = number => `req-${String(number).padStart(6, '0')}`;
  const file = openSync(path.join(folder, 'served'), 'w');
  let block = '';
  for (const number of order) {
    let text = '';
    while (text.length < 590) {
      text += words[Math.floor(random() * words.length)];
    }
    const message = {
      id: `msg_${number}`,
      type: 'message',
      role: 'assistant',
      model: 'model-of-the-bench',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 20, output_tokens: 120, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    };
    block += `${JSON.stringify({ custom_id: idOf(number), result: { type: 'succeeded', message } })}\n`;
    if (block.length > 1 << 20) {
      writeSync(file, block);
      block = '';
    }
  }
  writeSync(file, block);
  closeSync(file);
  writeFileSync(path.join(folder, 'lines.tsv'), Array.from({ length: count }, (_, number) => `${number}\t${idOf(number)}\n`).join(''));
}

/** Returns the medians for one size, and the peak memory. */
async function measure(out, folder, count, rounds) {
  writeInput(folder, count);
  const served = path.join(folder, 'served');
  const server = spawn(process.execPath, [path.join(here, 'resultsServer.mjs'), served, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(server.stdout, 'data');
    const port = String(line).trim();
    const url = `http://127.0.0.1:${port}/v1/messages/batches/batch_bench/results`;
    // Each run writes new files, like the first fetch of a batch, because replacing a large file takes longer.
    const tidy = () => ['curled', 'raw', 'joined.jsonl', 'index'].forEach(name => void rmSync(path.join(folder, name), { force: true }));
    const curl = async () => {
      tidy();
      const { stdout } = await execute('curl', ['-s', '-o', path.join(folder, 'curled'), '-w', '%{time_total}', url]);
      return { ms: Number(stdout) * 1000 + syncMs(path.join(folder, 'curled')) };
    };
    const own = async subject => {
      tidy();
      const run = await runChild(out, 'resultsChild', subject, port, folder);
      if (run.joined !== count) {
        throw new Error(`${subject} joined ${run.joined} of ${count} results.`);
      }
      return run;
    };
    const runs = { curl: [], ours: [], sdk: [] };
    for (let round = 0; round < rounds; round++) {
      runs.curl.push(await curl());
      runs.ours.push(await own('ours'));
      runs.sdk.push(await own('sdk'));
    }
    const ours = median(runs.ours, 'ms');
    const values = {
      row: `results ${count} (${(statSync(served).size / 1e6).toFixed(0)} MB)`,
      oursMs: ours,
      oursCpuMs: median(runs.ours, 'cpuMs'),
      sdkCpuMs: median(runs.sdk, 'cpuMs'),
      curlMs: median(runs.curl, 'ms'),
      sdkMs: median(runs.sdk, 'ms'),
      ratioOfCurl: median(runs.curl, 'ms') / ours,
      ratioOfSdk: median(runs.sdk, 'ms') / ours,
      stallMs: median(runs.ours, 'stallMs'),
      worstStallMs: worst(runs.ours, 'stallMs'),
      idleStallMs: median(runs.ours, 'idleStallMs'),
      worstIdleStallMs: worst(runs.ours, 'idleStallMs'),
      addedMB: worst(runs.ours, 'addedBytes') / 1e6,
      sdkStallMs: median(runs.sdk, 'stallMs'),
      sdkAddedMB: worst(runs.sdk, 'addedBytes') / 1e6,
    };
    return { values, measured: { runs, promises: judgeResults(count, runs) } };
  } finally {
    server.kill();
  }
}

/** Writes a file from the system's cache to the disk, as our own fetch does. Returns the time in milliseconds. */
function syncMs(file) {
  const start = performance.now();
  const opened = openSync(file, 'r+');
  fsyncSync(opened);
  closeSync(opened);
  return performance.now() - start;
}

function judgeResults(count, { curl, ours, sdk }) {
  const stalls = above(
    ours,
    ours.map(({ idleStallMs }) => ({ stallMs: idleStallMs })),
    'stallMs',
  );
  const isLarge = count >= largeCount;
  const ofSdk = isLarge ? resultsPromises.ratioOfSdk : resultsPromises.ratioOfSdkWhenSmall;
  return [
    ...(isLarge ? [judge({ promise: 'of curl', values: ratios(curl, ours), atLeast: resultsPromises.ratioOfCurl })] : []),
    judge({ promise: 'of the SDK', values: ratios(sdk, ours), atLeast: ofSdk }),
    judge({ promise: 'stall above the idle thread, ms', values: stalls, atMost: resultsPromises.stallMs }),
    judge({ promise: 'added MB', values: ours.map(run => run.addedBytes / 1e6), atMost: resultsPromises.addedMegabytes }),
  ];
}

export async function runResults({ sizes, rounds = 5, onRow = () => {} }) {
  await inBenchFolder({ resultsChild: 'test/bench/resultsChild.ts' }, async ({ out, folder }) => {
    for (const count of sizes) {
      const { values, measured } = await measure(out, folder, count, rounds);
      onRow(values, measured);
    }
  });
}
