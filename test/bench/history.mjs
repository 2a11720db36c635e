// The row `history`: from opening the log of a long session to its newest rows, and to all of them, over a socket from an emulator in the
// same process, beside reading the same log whole from its beginning.
import { inBenchFolder, median, runChild, worst } from './children.mjs';
import { judge } from './judging.mjs';

/** What is promised: milliseconds to the newest rows of so many events. */
const promised = { events: 50_000, ms: 1000 };

export async function runHistory({ sizes, rounds = 5, onRow = () => {} }) {
  const counts = [...new Set([...sizes.filter(size => size >= 10_000), promised.events])].sort((a, b) => a - b);
  await inBenchFolder({ historyChild: 'test/bench/historyChild.ts' }, async ({ out }) => {
    for (const count of counts) {
      const runs = [];
      for (let round = 0; round < rounds; round++) {
        runs.push(await runChild(out, 'historyChild', String(count)));
      }
      const values = {
        row: `history: newest rows of ${count} events`,
        newestMs: median(runs, 'newestMs'),
        worstMs: worst(runs, 'newestMs'),
        wholeMs: median(runs, 'wholeMs'),
        fromOldestMs: median(runs, 'fromOldestMs'),
      };
      const newest = judge({ promise: 'ms to the newest rows', values: runs.map(run => run.newestMs), atMost: promised.ms });
      onRow(values, { runs: { ours: runs }, promises: count === promised.events ? [newest] : [] });
    }
  });
}
