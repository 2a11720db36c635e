// Runs test suites and closes with one line, `N passed, N failed`:
//   node test/run.mjs unit contract [--only PART-OF-A-FILE-NAME] [--grep TEXT] [--long | --rest | --quick] [--brief] [--prepare]
// Kinds: static (types, lint, format); unit, contract and webview (which drives a Chromium) in plain Node; host in the newest VS Code; floor in the oldest one
// that is supported. As many files run side by side as there are processors, and one more of those that wait now and then; TEST_JOBS says another number.
// --long runs properties, crashes and faults at their full count, and the journeys that only the long form drives; --rest runs only
// the files that have such a count, at it, and those journeys.
// --quick leaves out the files whose work is processes, packing or thousands of batches.
// With --brief the floor leaves out what hardly depends on the version of VS Code.
// With --prepare it only brings the VS Code of these kinds here, and counts nothing.
// Exit code 0 when everything passed, 1 otherwise.
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepareNodeTasks } from './runner/nodeTasks.mjs';
import { prepareStaticTasks } from './runner/staticTasks.mjs';
import { toFailures, toFileLine, toTimes } from './runner/summary.mjs';
import { runTasks } from './runner/workers.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { values, positionals: kinds } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    grep: { type: 'string', default: '' },
    long: { type: 'boolean', default: false },
    rest: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    brief: { type: 'boolean', default: false },
    prepare: { type: 'boolean', default: false },
  },
});
if (values.long || values.rest) {
  process.env.TEST_LONG = 'yes';
}
const log = line => console.log(line);
const isHost = kind => kind === 'host' || kind === 'floor';
const began = performance.now();

/** The tasks of a kind. What is missing of VS Code is brought here while other tests run. */
async function tasksOf(kind) {
  const { only, grep } = values;
  const { long: isLong, rest: isRest, quick: isQuick, brief: isBrief } = values;
  const options = { root, kind, only, grep, isLong, isRest, isQuick, isBrief, log };
  if (kind === 'static') {
    return prepareStaticTasks(options);
  }
  if (!isHost(kind)) {
    return await prepareNodeTasks(options);
  }
  const { prepareHostTasks } = await import('./host/hostTasks.mjs');
  return await prepareHostTasks(options);
}

if (values.prepare) {
  const { prepareVsCode } = await import('./host/prepare.mjs');
  await Promise.all(kinds.filter(isHost).map(kind => prepareVsCode(kind === 'floor' ? 'floor' : 'newest', true, log)));
  process.exit(0);
}

const outcomes = [];
const sets = [];
try {
  for (const kind of kinds) {
    sets.push(await tasksOf(kind));
  }
  const tasks = sets.flatMap(set => set.tasks);
  const asked = process.env.TEST_JOBS;
  const count = { workers: Number(asked ?? Math.min(4, os.availableParallelism())), besides: asked === undefined ? 1 : 0 };
  await runTasks(count, tasks, (task, ended, printed) => {
    process.stdout.write(printed);
    for (const [name, outcome] of ended) {
      outcomes.push({ ...outcome, kind: task.kind, name });
      log(toFileLine(outcomes.at(-1)));
    }
  });
  for (const line of ['', ...toTimes(outcomes, performance.now() - began, count), '', ...toFailures(outcomes)]) {
    log(line);
  }
} catch (error) {
  console.error(error);
  outcomes.push({ passed: 0, failed: 1 });
} finally {
  for (const set of sets) {
    set.remove();
  }
}
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && (passed > 0 || values.only !== '') ? 0 : 1);
