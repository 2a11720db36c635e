// Runs of the row `survey` in a process of their own: surveyChild FILE ROUNDS, one line of JSON with the runs of each subject.
import path from 'node:path';
import { createJsonlJobs } from '../../src/jsonl/jobs/jobs';
import { measureRun, type Run } from './measuring';
import { eachLine } from './plainWork';

const [file = '', rounds = '5'] = process.argv.slice(2);
const jobs = createJsonlJobs({ threadFile: path.join(import.meta.dirname, 'jsonlThread.js') });

const subjects: Record<string, () => unknown> = {
  ours: async () => {
    const { skippedLines } = await jobs.run('surveyFile', { path: file, options: { minimumCachedTokens: 100 } });
    if (skippedLines > 0) {
      throw new Error(`${skippedLines} lines were skipped.`);
    }
  },
  parse: () => eachLine(file, text => void JSON.parse(text)),
};
const runs: Record<string, Run[]> = { ours: [], parse: [] };
for (let round = 0; round < Number(rounds); round++) {
  for (const [name, subject] of Object.entries(subjects)) {
    runs[name]?.push(await measureRun(subject));
  }
}
console.log(JSON.stringify(runs));
