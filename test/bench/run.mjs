// Runs the benches: npm run bench, or node test/bench/run.mjs [row...] [--sizes 1000,10000,100000] [--rounds 5] [--parts sessions,ledger].
// Every row is measured next to its baseline in the same run. Prints ratios, medians and the verdict on each promise, and writes a file
// into out/bench. `node test/bench/run.mjs compare A B` compares two such files.
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareBooks, openBook, readBook } from './benchBook.mjs';
import { runCheck } from './check.mjs';
import { runEdit } from './edit.mjs';
import { runEvents } from './events.mjs';
import { runHistory } from './history.mjs';
import { runJourney } from './journey.mjs';
import { toNumber, toVerdictLine } from './judging.mjs';
import { runPanel } from './panel.mjs';
import { runResults } from './results.mjs';
import { runScale } from './scale.mjs';
import { runStart } from './start.mjs';
import { runSubmit } from './submit.mjs';
import { runSurvey } from './survey.mjs';
import { runTranscript } from './transcript.mjs';
import { runVisible } from './visible.mjs';
import { runWatched } from './watched.mjs';

const rows = {
  check: runCheck,
  survey: runSurvey,
  submit: runSubmit,
  edit: runEdit,
  events: runEvents,
  transcript: runTranscript,
  history: runHistory,
  scale: runScale,
  results: runResults,
  start: runStart,
  journey: runJourney,
  panel: runPanel,
  visible: runVisible,
  watched: runWatched,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sizes: { type: 'string', default: '1000,10000,100000' }, rounds: { type: 'string', default: '5' }, parts: { type: 'string' } },
});
if (positionals[0] === 'compare') {
  compare(positionals.slice(1));
} else {
  await measure(positionals.length > 0 ? positionals : Object.keys(rows));
}

async function measure(names) {
  const unknown = names.find(name => rows[name] === undefined);
  if (unknown !== undefined) {
    console.error(`There is no row ${unknown}; there are ${Object.keys(rows).join(', ')}.`);
    process.exit(1);
  }
  const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
  const book = openBook(path.join(root, 'out', 'bench'), { root, args: process.argv.slice(2) });
  const onRow = (row, measured) => {
    book.add(row, measured);
    console.log([toText(row), ...(measured?.promises ?? []).map(promise => `    ${toVerdictLine(promise)}`)].join('\n'));
  };
  for (const name of names) {
    console.log(`\n=== ${name} (load ${loadavg()[0].toFixed(1)} on ${availableParallelism()} processors)`);
    await rows[name]({ sizes: values.sizes.split(',').map(Number), rounds: Number(values.rounds), parts: values.parts?.split(','), onRow });
  }
  const counts = ['met', 'missed', 'cannot tell'].map(verdict => `${book.count(verdict)} ${verdict}`);
  console.log(`\nPromises: ${counts.join(', ')}. All numbers are in ${path.relative(process.cwd(), book.file)}.`);
}

function compare(files) {
  if (files.length !== 2) {
    console.error('Give the files of two runs: npm run bench -- compare out/bench/A.json out/bench/B.json');
    process.exit(1);
  }
  const [before, after] = files.map(readBook);
  for (const line of compareBooks(before, after)) {
    console.log(line);
  }
}

function toText(row) {
  return Object.entries(row)
    .map(([key, value]) => (key === 'row' ? `${value}:` : `${key} ${typeof value === 'number' ? toNumber(value) : value}`))
    .join('  ');
}
