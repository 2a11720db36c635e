// The row `history`: from opening the log of a long session to its newest rows, and to all of them, over a socket from an emulator in the
// same process, beside reading the same log whole from its beginning.
import { inBenchFolder, median, runChild, worst } from './children.mjs';

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
      onRow({
        row: `history: newest rows of ${count} events`,
        newestMs: median(runs, 'newestMs'),
        worstMs: worst(runs, 'newestMs'),
        wholeMs: median(runs, 'wholeMs'),
        fromOldestMs: median(runs, 'fromOldestMs'),
        ...(count === promised.events ? { isKept: String(worst(runs, 'newestMs') <= promised.ms) } : {}),
      });
    }
  });
}
