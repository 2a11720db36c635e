// The row `journey`: a request file is checked, sent, processed, fetched and joined with the extension's own code, against the emulator in
// a process of its own. Its baselines are the same bytes without any check, and a script with the vendor's SDK.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { requestLines, writeRequestFile } from './batchFiles.mjs';
import { inBenchFolder, median, runChild, worst } from './children.mjs';
import { above, judge, ratios } from './judging.mjs';

/** Promises for the whole journey, compared with the transport of the same bytes. The emulator works at the same time. */
export const journeyPromises = { ofParse: 1, ofSending: 0.5, ofReceiving: 0.25, addedMegabytes: 100, stallMs: 10 };

const stages = ['check', 'submit', 'process', 'results'];
/** Length of a request in characters, which gives lines of about 2.5 KB. */
const requestBytes = 2170;
/** Number of requests from which on there are fewer runs. Each run then takes a minute, and the vendor's SDK takes gigabytes. */
const slowCount = 100_000;
const slowRounds = 3;

export async function runJourney({ sizes, rounds = 5, onRow = () => {} }) {
  const entryPoints = { journeyChild: 'test/bench/journeyChild.ts', journeyEmulator: 'test/bench/journeyEmulator.ts' };
  await inBenchFolder(entryPoints, async ({ out, folder }) => {
    for (const count of sizes) {
      const file = path.join(folder, 'requests.jsonl');
      writeRequestFile(file, count, requestBytes);
      const runs = { plain: [], ours: [], sdk: [] };
      for (let round = 0; round < (count < slowCount ? rounds : Math.min(rounds, slowRounds)); round++) {
        for (const subject of Object.keys(runs).filter(name => name !== 'sdk' || round === 0 || count < slowCount)) {
          const work = path.join(folder, subject);
          mkdirSync(work);
          runs[subject].push(await travel({ out, subject, file, count, work }));
          rmSync(work, { recursive: true });
        }
      }
      report({ count, fileBytes: statSync(file).size, runs, onRow });
    }
  });
}

/** Runs one journey with its own emulator. Throws if anything is lost, duplicated or in the wrong position. */
async function travel({ out, subject, file, count, work }) {
  const emulator = fork(
    path.join(out, 'journeyEmulator.js'),
    ['--dialect', 'anthropic-2026', '--scenario', '{"batchDuration":0}', '--json'],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  const gone = once(emulator, 'exit');
  try {
    const [{ url, key }] = await once(emulator, 'message');
    const run = await runChild(out, 'journeyChild', subject, file, url, key, work);
    const joined = path.join(work, 'joined.jsonl');
    const calls = await callsOf(url, key);
    if (subject === 'ours') {
      await assertWhole(path.join(work, 'raw'), joined, count);
      assert(run.checked === count && run.counts.succeeded === count, `${run.checked} checked, ${run.counts.succeeded} succeeded`);
      assert(calls.create === 1 && calls.results === 1 && calls.createBytes === run.bodyBytes, JSON.stringify(calls));
    } else if (subject === 'sdk') {
      await assertJoined(joined, count);
    }
    emulator.send('memory');
    const [{ bytes }] = await once(emulator, 'message');
    return { ...run, ...calls, emulatorBytes: bytes };
  } finally {
    emulator.disconnect();
    await gone;
  }
}

/** Returns the emulator's calls. */
async function callsOf(url, key) {
  const { requests } = await (await fetch(`${url}/_emulator/requests`, { headers: { 'x-api-key': key } })).json();
  const creates = requests.filter(({ method }) => method === 'POST');
  const isResults = ({ path: asked }) => /\/results(\?|$)/.test(asked);
  return {
    create: creates.length,
    createBytes: creates[0]?.bodyBytes,
    results: requests.filter(isResults).length,
    retrieve: requests.filter(({ method, path: asked }) => method === 'GET' && /\/batches\/[^/]+$/.test(asked)).length,
  };
}

/** Asserts that every id has one result, in another order in the raw results and in the order of the input in the joined file. */
async function assertWhole(raw, joined, count) {
  const seen = new Set();
  let inPlace = 0;
  let line = 0;
  for await (const text of linesOf(raw)) {
    const id = JSON.parse(text).custom_id;
    seen.add(id);
    inPlace += id === idOf(line) ? 1 : 0;
    line++;
  }
  assert(line === count && seen.size === count, `${line} raw results of ${seen.size} ids for ${count} requests`);
  assert(inPlace < count, 'the raw results came in the order of the input');
  await assertJoined(joined, count);
}

/** Asserts that each line has the id of its request, and an answer that quotes the end of its question. */
async function assertJoined(joined, count) {
  const requests = requestLines(count, requestBytes);
  let line = 0;
  for await (const text of linesOf(joined)) {
    const request = JSON.parse(requests.next().value ?? 'null');
    const { custom_id: id, result } = JSON.parse(text);
    assert(id === request?.custom_id, `line ${line} is of ${id}`);
    assert(result.type === 'succeeded', `${id}: ${JSON.stringify(result)}`);
    const answer = result.message.content.at(-1).text;
    const { content } = request.params.messages.at(-1);
    const question = (typeof content === 'string' ? content : content[0].text).trim();
    assert(question.endsWith(answer.slice(answer.indexOf('...') + 4)), `${id}: the answer is to another question: ${answer}`);
    line++;
  }
  assert(line === count, `${line} joined results for ${count} requests`);
}

function linesOf(file) {
  // `readline` also splits at a lone CR, but these lines have none.
  return createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
}

function idOf(index) {
  return `request-${String(index).padStart(6, '0')}`;
}

function assert(isTrue, what) {
  if (!isTrue) {
    throw new Error(`The journey lost its way: ${what}`);
  }
}

function report({ count, fileBytes, runs, onRow }) {
  const { ours, plain, sdk } = runs;
  const msOf = (subject, stage) =>
    median(
      subject.map(run => run.stages[stage]),
      'ms',
    );
  const bytesOf = { check: fileBytes, submit: fileBytes, process: fileBytes, results: ours[0].rawBytes };
  for (const stage of stages) {
    const ms = msOf(ours, stage);
    const all = ours.map(run => run.stages[stage]);
    onRow({
      row: `journey x ${count}, ${stage}`,
      seconds: ms / 1000,
      'MB/s': bytesOf[stage] / 1000 / ms,
      plainSeconds: msOf(plain, stage) / 1000,
      sdkSeconds: msOf(sdk, stage) / 1000,
      ofPlain: msOf(plain, stage) / ms,
      ofSdk: msOf(sdk, stage) / ms,
      loopMs: median(all, 'loopMs'),
      worstLoopMs: worst(all, 'loopMs'),
      µsPerRequest: (ms * 1000) / count,
      ...(stage === 'results' ? { fetchSeconds: median(ours, 'fetchMs') / 1000 } : {}),
    });
  }
  const ms = median(ours, 'ms');
  const values = {
    row: `journey x ${count}, all of ${(fileBytes / 1e6).toPrecision(3)} MB`,
    seconds: ms / 1000,
    plainSeconds: median(plain, 'ms') / 1000,
    sdkSeconds: median(sdk, 'ms') / 1000,
    runs: `${ours.length}/${plain.length}/${sdk.length}`,
    requests: ours[0].checked,
    answeredOnceInOrder: ours[0].counts.succeeded,
    creates: ours[0].create,
    polls: median(ours, 'retrieve'),
    connectLoopMs: median(
      ours.map(run => run.stages.connect),
      'loopMs',
    ),
    idleLoopMs: median(
      ours.map(run => run.idle),
      'loopMs',
    ),
    peakMB: worst(ours, 'peakBytes') / 1e6,
    addedMB: worst(ours, 'addedBytes') / 1e6,
    sdkPeakMB: worst(sdk, 'peakBytes') / 1e6,
    emulatorPeakMB: worst(ours, 'emulatorBytes') / 1e6,
  };
  onRow(values, { runs: { ours, plain, sdk }, promises: count === slowCount ? judgeJourney({ ours, plain }) : [] });
}

/** Judges the promises of this size. The rows `check`, `submit` and `results` have baselines without a service. */
function judgeJourney({ ours, plain }) {
  const msOf = (run, ...names) => names.reduce((sum, name) => sum + run.stages[name].ms, 0);
  const of = (part, ...names) =>
    ratios(
      plain.map(run => ({ ms: msOf(run, part) })),
      ours.map(run => ({ ms: msOf(run, ...names) })),
    );
  const idle = ours.map(run => run.idle);
  const stall = stage =>
    judge({
      promise: `stall of ${stage} above the idle thread, ms`,
      values: above(
        ours.map(run => run.stages[stage]),
        idle,
        'stallMs',
      ),
      atMost: journeyPromises.stallMs,
    });
  return [
    judge({ promise: 'check, of JSON.parse', values: of('check', 'check'), atLeast: journeyPromises.ofParse }),
    judge({
      promise: 'check and submit, of the bytes alone',
      values: of('submit', 'check', 'submit'),
      atLeast: journeyPromises.ofSending,
    }),
    judge({ promise: 'results, of the bytes alone', values: of('results', 'results'), atLeast: journeyPromises.ofReceiving }),
    ...['check', 'submit', 'results'].map(stall),
    judge({ promise: 'added MB', values: ours.map(run => run.addedBytes / 1e6), atMost: journeyPromises.addedMegabytes }),
  ];
}
