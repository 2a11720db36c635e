// The row `scale`: processor time of views with thousands of rows, and of a ledger with thousands of submissions. Measures the first
// rendering, a change of one row and of a hundred, loading more, opening a request file, and idle time. Also measures the table of results
// in twenty groups.
import path from 'node:path';
import { inBenchFolder, median, runChild } from './children.mjs';
import { judge } from './judging.mjs';

/** Maximum number of rows of each view. */
const most = { batches: 10_000, sessions: 10_000, agents: 1_000, resources: 1_000, ledger: 8_000, results: 100_000 };
/** Scripts that write the folder for a part. */
const writers = { ledger: 'scaleLedger', results: 'scaleTable' };
const promised = { answerMs: 150, idlePercent: 5, linear: 1.5 };

/** Measures all views, or those in `parts`. */
export async function runScale({ sizes, rounds = 3, parts = Object.keys(most), onRow = () => {} }) {
  const unknown = parts.find(part => most[part] === undefined);
  if (unknown !== undefined) {
    throw new Error(`There is no part ${unknown}; there are ${Object.keys(most).join(', ')}.`);
  }
  const stub = { vscode: 'test/bench/scale/vscodeStub.ts' };
  const entries = {
    scaleChild: 'test/bench/scaleChild.ts',
    scaleLedger: 'test/bench/scale/ledgerFolder.ts',
    scaleTable: 'test/bench/scale/tableFolder.ts',
  };
  await inBenchFolder(entries, ({ out, folder }) => measureAll({ out, folder, sizes, rounds, parts, onRow }), stub);
}

async function measureAll({ out, folder, sizes, rounds, parts, onRow }) {
  for (const part of parts) {
    const largest = most[part];
    const counts = [...new Set([...sizes.map(size => Math.min(size, largest)), largest])].sort((a, b) => a - b);
    let smaller;
    for (const count of counts) {
      const root = path.join(folder, `${part}-${count}`);
      if (writers[part] !== undefined) {
        await runChild(out, writers[part], root, String(count));
      }
      const runs = [];
      for (let round = 0; round < rounds; round++) {
        runs.push(await runChild(out, 'scaleChild', part, String(count), root));
      }
      const row = { row: `scale: ${part}, ${count}`, ...Object.fromEntries(Object.keys(runs[0]).map(name => [name, median(runs, name)])) };
      onRow(row, { runs: { ours: runs }, promises: count === largest ? judgeAll(part, { runs, count, smaller }) : [] });
      smaller ??= { runs, count };
    }
  }
}

function judgeAll(part, { runs, count, smaller }) {
  const of = name => runs.map(run => run[name]);
  const answers = ['oneMs', 'hundredMs', 'changeMs', 'sortMs', 'moreMs', 'openMs'].filter(name => runs[0][name] !== undefined);
  const judged = answers.map(name => judge({ promise: `${part}, ${name}`, values: of(name), atMost: promised.answerMs }));
  if (runs[0].oneRows !== undefined) {
    judged.push(
      judge({ promise: `${part}, percent of a core while nothing happens`, values: of('idlePercent'), atMost: promised.idlePercent }),
    );
  }
  if (smaller !== undefined && smaller.count < count) {
    const before = median(smaller.runs, 'heapKb');
    const memory = runs.map(run => run.heapKb / before);
    judged.push(judge({ promise: `${part}, memory of a row beside that at ${smaller.count}`, values: memory, atMost: promised.linear }));
  }
  return judged;
}
