// The row `check`: a request file checked by every rule in a thread, beside bare `JSON.parse` per line and a plain zod loop.
import path from 'node:path';
import { writeRequestFile } from './batchFiles.mjs';
import { inBenchFolder, median, runChild, worst } from './children.mjs';

export const checkPromises = { ratioOfLongLines: 1, ratioOfShortLines: 0.6, addedMegabytes: 64, stallMs: 10 };

export async function runCheck({ sizes, rounds = 5, onRow = () => {} }) {
  await inBenchFolder({ checkChild: 'test/bench/checkChild.ts' }, async ({ out, folder }) => {
    for (const bytes of [2500, 250]) {
      for (const count of sizes) {
        const file = path.join(folder, 'requests.jsonl');
        writeRequestFile(file, count, bytes);
        const runs = await runChild(out, 'checkChild', file, String(rounds));
        const [first] = (await runChild(out, 'checkChild', file, '1')).ours;
        const ours = median(runs.ours, 'ms');
        onRow({
          row: `check ${bytes} B x ${count}`,
          oursMs: ours,
          parseMs: median(runs.parse, 'ms'),
          ofParse: median(runs.parse, 'ms') / ours,
          zodOfParse: median(runs.parse, 'ms') / median(runs.zod, 'ms'),
          stallMs: median(runs.ours, 'stallMs'),
          worstStallMs: worst(runs.ours, 'stallMs'),
          idleStallMs: median(runs.idle, 'stallMs'),
          worstIdleStallMs: worst(runs.idle, 'stallMs'),
          addedMB: first.addedBytes / 1e6,
        });
      }
    }
  });
}
