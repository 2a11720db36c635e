// The row `survey`: tokens, shared prefixes and sensitive texts of a request file in a thread, compared with plain `JSON.parse` per line.
import { statSync } from 'node:fs';
import path from 'node:path';
import { writeRequestFile } from './batchFiles.mjs';
import { inBenchFolder, median, runChild } from './children.mjs';
import { judge } from './judging.mjs';

export const surveyPromises = { megabytesPerSecond: 25, addedMegabytes: 96, stallMs: 10 };

export async function runSurvey({ sizes, rounds = 5, onRow = () => {} }) {
  await inBenchFolder({ surveyChild: 'test/bench/surveyChild.ts' }, async ({ out, folder }) => {
    for (const bytes of [2500, 250]) {
      for (const count of sizes) {
        const file = path.join(folder, 'requests.jsonl');
        writeRequestFile(file, count, bytes);
        const runs = await runChild(out, 'surveyChild', file, String(rounds));
        const [first] = (await runChild(out, 'surveyChild', file, '1')).ours;
        const ours = median(runs.ours, 'ms');
        const speeds = runs.ours.map(run => statSync(file).size / 1000 / run.ms);
        const values = {
          row: `survey ${bytes} B x ${count}`,
          oursMs: ours,
          parseMs: median(runs.parse, 'ms'),
          ofParse: median(runs.parse, 'ms') / ours,
          megabytesPerSecond: statSync(file).size / 1000 / ours,
          stallMs: median(runs.ours, 'stallMs'),
          addedMB: first.addedBytes / 1e6,
        };
        const promises = [
          judge({ promise: 'MB/s', values: speeds, atLeast: surveyPromises.megabytesPerSecond }),
          judge({ promise: 'stall, ms', values: runs.ours.map(run => run.stallMs), atMost: surveyPromises.stallMs }),
          judge({ promise: 'added MB', values: [first.addedBytes / 1e6], atMost: surveyPromises.addedMegabytes, isExact: true }),
        ];
        onRow(values, { runs, promises: count === sizes.at(-1) ? promises : [] });
      }
    }
  });
}
