// The row `transcript`: from the events of a session to the rows and the view of its panel, compared with `JSON.parse` of the same events.
import { inBenchFolder, median, runChild } from './children.mjs';

export async function runTranscript({ sizes, rounds = 5, onRow = () => {} }) {
  await inBenchFolder({ transcriptChild: 'test/bench/transcriptChild.ts' }, async ({ out }) => {
    for (const count of sizes) {
      for (const batch of [count, 20]) {
        const runs = [];
        for (let round = 0; round < rounds; round++) {
          runs.push(await runChild(out, 'transcriptChild', ...[count, batch].map(String)));
        }
        const ours = median(runs, 'ms');
        const values = {
          row: `transcript ${count} events in batches of ${batch}`,
          oursMs: ours,
          parseMs: median(runs, 'parseMs'),
          ofParse: median(runs, 'parseMs') / ours,
          viewMs: median(runs, 'viewMs'),
          searchMs: median(runs, 'searchMs'),
          lanesMs: median(runs, 'lanesMs'),
          exportMs: median(runs, 'exportMs'),
          heapMB: median(runs, 'heapMB'),
        };
        onRow(values, { runs: { ours: runs } });
      }
    }
  });
}
