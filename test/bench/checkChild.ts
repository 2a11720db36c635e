// Runs of the row `check` in a process of their own: checkChild FILE ROUNDS, one line of JSON with the runs of each subject.
import path from 'node:path';
import { batchRequestSchema } from '../../src/client/schemas/batchRequest';
import { contractLimits } from '../../src/jsonl/batchRules';
import { createJsonlJobs } from '../../src/jsonl/jobsHost';
import { contractRules } from '../../src/jsonl/rules/ruleOptions';
import { measureRun, type Run } from './measuring';
import { eachLine } from './plainWork';

const [file = '', rounds = '5'] = process.argv.slice(2);
const jobs = createJsonlJobs({ threadFile: path.join(import.meta.dirname, 'jsonlThread.js') });

async function check(): Promise<void> {
  const report = await jobs.checkFile(file, { limits: contractLimits, rules: contractRules() });
  if (report.problemCounts.error > 0) {
    throw new Error(JSON.stringify(report.problems[0]));
  }
}

const subjects: Record<string, () => unknown> = {
  ours: check,
  parse: () => eachLine(file, text => void JSON.parse(text)),
  zod: () => {
    const ids = new Set<string>();
    eachLine(file, text => ids.add(batchRequestSchema.parse(JSON.parse(text)).custom_id));
  },
};
const runs: Record<string, Run[]> = { ours: [], parse: [], zod: [], idle: [] };
for (let round = 0; round < Number(rounds); round++) {
  for (const [name, subject] of Object.entries(subjects)) {
    runs[name]?.push(await measureRun(subject));
  }
  // What this machine does to a thread that has nothing to do, as long as ours took.
  const idleMs = runs.ours?.at(-1)?.ms ?? 0;
  runs.idle?.push(await measureRun(() => new Promise(resolve => setTimeout(resolve, idleMs))));
}
console.log(JSON.stringify(runs));
