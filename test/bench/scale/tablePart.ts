import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Arrangement, ResultsTable } from '../../../src/features/results/table/resultsTable';
import { createJsonlJobs } from '../../../src/jsonl/jobs/jobs';
import type { ResultsReport } from '../../../src/jsonl/results/resultsReport';
import { cpuOf, middle } from './viewPart';

/** Number of models. Each has the same number of rows. */
export const groups = 20;
export const modelOf = (group: number) => `model-${String(group).padStart(2, '0')}`;
/** File with the report of the join. */
export const reportFile = 'report.json';
/** Maximum number of rows that a table requests at once. */
const pageRows = 100;

/** Measures the table of `count` results: opening it, counting its groups, showing one group after another, sorting, scrolling. */
export async function tablePart(count: number, folder: string, collect: () => void, threadFile: string) {
  const report: ResultsReport = JSON.parse(readFileSync(path.join(folder, reportFile), 'utf8'));
  const joined = { joinedPath: path.join(folder, 'joined.jsonl'), indexPath: path.join(folder, 'index') };
  const jobs = createJsonlJobs({ threadFile });
  // Starts the thread before the measurement. The extension also does so while a sheet or a request file is open.
  jobs.keepReady('openRequestFiles', true);
  const open = async () => {
    const opened = await ResultsTable.open(joined, report, jobs);
    await show(opened, '');
    return opened;
  };
  // The first opening is not measured, because compiled code and some caches don't grow with the rows.
  await open();
  collect();
  const before = held();
  const opened = process.cpuUsage();
  const table = await open();
  const firstMs = millisecondsSince(opened);
  const surveyMs = await cpuOf(() => table.survey('', {}));
  const changes: number[] = [];
  let last: Arrangement | undefined;
  for (let group = 0; group < groups; group++) {
    changes.push(
      await cpuOf(async () => {
        last = await show(table, `model:${modelOf(group)}`);
      }),
    );
    if (last?.count !== shareOf(count, group)) {
      throw new Error(`${last?.count} rows of ${modelOf(group)}.`);
    }
  }
  const sorts: number[] = [];
  for (const isDescending of [true, false, true]) {
    sorts.push(await cpuOf(() => show(table, '', { by: 'output_tokens', isDescending })));
  }
  const moreMs = await cpuOf(() => last && table.rows(last, last.count - pageRows, pageRows, ['model']));
  collect();
  const heapKb = (held() - before) / count / 1024;
  jobs.dispose();
  return { firstMs, surveyMs, changeMs: middle(changes), sortMs: middle(sorts), moreMs, heapKb };
}

/** Returns the rows of a group. One row in fifty has no model. */
function shareOf(count: number, group: number): number {
  const rows = Array.from({ length: count }, (_, row) => row);
  return rows.filter(row => row % groups === group && row % 50 !== 7).length;
}

async function show(table: ResultsTable, query: string, order?: Parameters<ResultsTable['arrange']>[1]): Promise<Arrangement> {
  const arrangement = await table.arrange(query, order, {});
  await table.rows(arrangement, 0, pageRows, ['model']);
  return arrangement;
}

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Returns the used memory in bytes, on the heap and outside it, including shared memory. */
function held(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
