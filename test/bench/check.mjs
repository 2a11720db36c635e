// The row `check`: a request file checked by every rule in a thread. Its baselines are plain `JSON.parse` per line and a plain zod loop.
import path from 'node:path';
import { writeRequestFile } from './batchFiles.mjs';
import { inBenchFolder, median, runChild, worst } from './children.mjs';
import { above, judge, ratios } from './judging.mjs';

export const checkPromises = { ratioOfLongLines: 2, ratioOfShortLines: 1.1, ratioOfZod: 1, addedMegabytes: 64, stallMs: 10 };

/** Kinds of files (see `createRequest`), with the bytes of a line. */
const kinds = [
  ['plain', 2500],
  ['plain', 250],
  ['familiar', 250],
  ['unfamiliar', 250],
  ['sampled', 2500],
  ['sampled', 250],
  ['wrong', 2500],
  ['wrong', 250],
  ['mixed', 2500],
  ['mixed', 250],
  ['foreign', 250],
  ['newer', 250],
  ['unlisted', 250],
  ['escaped', 250],
];

export async function runCheck({ sizes, rounds = 5, onRow = () => {} }) {
  await inBenchFolder({ checkChild: 'test/bench/checkChild.ts' }, async ({ out, folder }) => {
    for (const [kind, bytes] of kinds) {
      for (const count of kind === 'plain' ? sizes : sizes.slice(-1)) {
        const file = path.join(folder, 'requests.jsonl');
        writeRequestFile(file, count, bytes, kind);
        const runs = await runChild(out, 'checkChild', file, String(rounds));
        const [first] = (await runChild(out, 'checkChild', file, '1')).ours;
        const ours = median(runs.ours, 'ms');
        const values = {
          row: `check ${kind} ${bytes} B x ${count}`,
          oursMs: ours,
          oursCpuMs: median(runs.ours, 'cpuMs'),
          parseMs: median(runs.parse, 'ms'),
          ofParse: median(runs.parse, 'ms') / ours,
          zodOfParse: median(runs.parse, 'ms') / median(runs.zod, 'ms'),
          ...(runs.jq.length === 0 ? {} : { jqOfParse: median(runs.parse, 'ms') / median(runs.jq, 'ms') }),
          stallMs: median(runs.ours, 'stallMs'),
          worstStallMs: worst(runs.ours, 'stallMs'),
          idleStallMs: median(runs.idle, 'stallMs'),
          worstIdleStallMs: worst(runs.idle, 'stallMs'),
          addedMB: first.addedBytes / 1e6,
        };
        onRow(values, { runs, promises: count === sizes.at(-1) ? judgeCheck(kind, bytes, { ...runs, first }) : [] });
      }
    }
  });
}

function judgeCheck(kind, bytes, { ours, parse, zod, idle, first }) {
  const promised = bytes > 1000 ? checkPromises.ratioOfLongLines : checkPromises.ratioOfShortLines;
  return [
    ...(kind === 'plain' ? [judge({ promise: 'of JSON.parse', values: ratios(parse, ours), atLeast: promised })] : []),
    judge({ promise: 'of parsing and the schema by hand', values: ratios(zod, ours), atLeast: checkPromises.ratioOfZod }),
    judge({ promise: 'stall above the idle thread, ms', values: above(ours, idle, 'stallMs'), atMost: checkPromises.stallMs }),
    judge({ promise: 'added MB', values: [first.addedBytes / 1e6], atMost: checkPromises.addedMegabytes, isExact: true }),
  ];
}
