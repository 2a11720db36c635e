// The row `results`: fetch, verify, index and join a results file on disk, beside `curl -o` of the same file and beside the vendor
// SDK's results iterator joined in memory. Subjects alternate; each run is a process of its own; medians are compared.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { nodeOptions } from '../../esbuild.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(path.dirname(here));
const execute = promisify(execFile);

/** What is promised of the largest size. */
export const resultsPromises = { curl: 0.2, sdk: 3, addedMegabytes: 100, stallMs: 10 };

/** A results file of `count` lines of about 940 bytes in shuffled order, and the line map that goes with it. */
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

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Medians at one size. */
async function measure(folder, child, count, rounds) {
  writeInput(folder, count);
  const served = path.join(folder, 'served');
  const server = spawn(process.execPath, [path.join(here, 'resultsServer.mjs'), served, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(server.stdout, 'data');
    const port = String(line).trim();
    const url = `http://127.0.0.1:${port}/v1/messages/batches/batch_bench/results`;
    const curl = async () => {
      const { stdout } = await execute('curl', ['-s', '-o', path.join(folder, 'curled'), '-w', '%{time_total}', url]);
      return { ms: Number(stdout) * 1000 };
    };
    const own = async subject => {
      const { stdout } = await execute(process.execPath, [child, subject, port, folder]);
      const result = JSON.parse(stdout);
      if (result.joined !== count) {
        throw new Error(`${subject} joined ${result.joined} of ${count} results.`);
      }
      return result;
    };
    const runs = { curl: [], ours: [], sdk: [] };
    for (let round = 0; round < rounds; round++) {
      runs.curl.push(await curl());
      runs.ours.push(await own('ours'));
      runs.sdk.push(await own('sdk'));
    }
    const ms = subject => median(runs[subject].map(run => run.ms));
    const worst = (subject, field) => Math.max(...runs[subject].map(run => run[field]));
    return {
      count,
      bytes: statSync(served).size,
      curlMs: ms('curl'),
      oursMs: ms('ours'),
      sdkMs: ms('sdk'),
      ofCurl: ms('curl') / ms('ours'),
      ofSdk: ms('sdk') / ms('ours'),
      addedMegabytes: worst('ours', 'addedBytes') / 1e6,
      sdkAddedMegabytes: worst('sdk', 'addedBytes') / 1e6,
      stallMs: median(runs.ours.map(run => run.stallMs)),
      sdkStallMs: median(runs.sdk.map(run => run.stallMs)),
    };
  } finally {
    server.kill();
  }
}

/** Measures at each size and returns one object per size. */
export async function runResults({ sizes = [1000, 10_000, 100_000], rounds = 5, onRow = () => {} } = {}) {
  const out = path.join(root, 'out', `bench-results-${process.pid}`);
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-results-'));
  mkdirSync(out, { recursive: true });
  try {
    await build({
      ...nodeOptions,
      entryPoints: { resultsChild: path.join(here, 'resultsChild.ts'), jsonlThread: nodeOptions.entryPoints.jsonlThread },
      absWorkingDir: root,
      outdir: out,
      minify: true,
      sourcemap: false,
      logLevel: 'warning',
    });
    const rows = [];
    for (const count of sizes) {
      const row = await measure(folder, path.join(out, 'resultsChild.js'), count, rounds);
      rows.push(row);
      onRow(row);
    }
    return rows;
  } finally {
    rmSync(out, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runResults({ onRow: row => console.log(row) });
}
