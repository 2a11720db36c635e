// The row `edit`: one keystroke in an open document, compared with checking the whole document.
import { inBenchFolder, median, runChild, worst } from './children.mjs';
import { judge } from './judging.mjs';

export const editPromises = { keyMs: 5 };

export async function runEdit({ sizes, rounds = 5, onRow = () => {} }) {
  await inBenchFolder({ editChild: 'test/bench/editChild.ts' }, async ({ out }) => {
    for (const size of sizes) {
      // Editors don't open more than 50 MB.
      const count = Math.min(size, 80_000);
      const runs = await runChild(out, 'editChild', String(count), String(rounds));
      const values = {
        row: `edit ${count} lines`,
        keyMs: median(runs.key, 'ms'),
        worstKeyMs: worst(runs.key, 'ms'),
        enterMs: median(runs.enter, 'ms'),
        problemsMs: median(runs.problems, 'ms'),
        wholeMs: median(runs.sweep, 'ms'),
        sliceStallMs: median(runs.sweep, 'stallMs'),
      };
      const promises = [judge({ promise: 'ms of a keystroke', values: runs.key.map(run => run.ms), atMost: editPromises.keyMs })];
      onRow(values, { runs, promises });
    }
  });
}
