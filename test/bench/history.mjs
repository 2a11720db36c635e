// The row `history`: opens the log of a long session, over a socket from an emulator in the same process. Measures the time to its newest
// rows and to all rows, and compares it with reading the whole log from its start.
import { inBenchFolder, median, runChild, worst } from './children.mjs';
import { judge } from './judging.mjs';

/** Promised time to the newest rows of a log with this many events, in milliseconds. */
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
