// Runs of the row `check` in a process of their own: checkChild FILE ROUNDS, one line of JSON with the runs of each subject.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { batchRequestSchema } from '../../src/contract/batchRequest';
import { contractLimits } from '../../src/jsonl/checking/batchRules';
import { createJsonlJobs } from '../../src/jsonl/jobs/jobs';
import { contractRules } from '../../src/jsonl/rules/ruleOptions';
import { measureRun, type Run } from './measuring';
import { eachLine } from './plainWork';

const [file = '', rounds = '5'] = process.argv.slice(2);
const jobs = createJsonlJobs({ threadFile: path.join(import.meta.dirname, 'jsonlThread.js') });

async function check(): Promise<void> {
  const { problemCounts, requestCount } = await jobs.checkFile(file, { limits: contractLimits, rules: contractRules() });
  if (requestCount === 0) {
    throw new Error(`No requests, ${problemCounts.error} errors`);
  }
}

/** Returns whether `jq` is installed. */
function hasJq(): boolean {
  return spawnSync('jq', ['--version']).status === 0;
}

const subjects: Record<string, () => unknown> = {
  ours: check,
  parse: () => eachLine(file, text => void JSON.parse(text)),
  zod: () => {
    const ids = new Set<string>();
    eachLine(file, text => {
      const parsed = batchRequestSchema.safeParse(JSON.parse(text));
      ids.add(parsed.data?.custom_id ?? '');
    });
  },
  ...(hasJq() ? { jq: () => void spawnSync('jq', ['-c', '.', file], { stdio: 'ignore' }) } : {}),
};
const runs: Record<string, Run[]> = { ours: [], parse: [], zod: [], jq: [], idle: [] };
for (let round = 0; round < Number(rounds); round++) {
  for (const [name, subject] of Object.entries(subjects)) {
    // `jq` is many times slower than the other subjects, so one run is enough.
    if (name !== 'jq' || round === 0) {
      runs[name]?.push(await measureRun(subject));
    }
  }
  // Measures the stalls of an idle thread on this machine over the same time.
  const idleMs = runs.ours?.at(-1)?.ms ?? 0;
  runs.idle?.push(await measureRun(() => new Promise(resolve => setTimeout(resolve, idleMs))));
}
console.log(JSON.stringify(runs));
