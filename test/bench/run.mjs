// npm run bench: node test/bench/run.mjs [row...] [--sizes 1000,10000,100000] [--rounds 5]
// Every row is measured beside its baseline in the same run; ratios and medians are printed.
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { runCheck } from './check.mjs';
import { runEdit } from './edit.mjs';
import { runEvents } from './events.mjs';
import { runHistory } from './history.mjs';
import { runJourney } from './journey.mjs';
import { runPanel } from './panel.mjs';
import { runResults } from './results.mjs';
import { runStart } from './start.mjs';
import { runSubmit } from './submit.mjs';
import { runSurvey } from './survey.mjs';
import { runTranscript } from './transcript.mjs';
import { runVisible } from './visible.mjs';

const rows = {
  check: runCheck,
  survey: runSurvey,
  submit: runSubmit,
  edit: runEdit,
  events: runEvents,
  transcript: runTranscript,
  history: runHistory,
  results: runResults,
  start: runStart,
  journey: runJourney,
  panel: runPanel,
  visible: runVisible,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sizes: { type: 'string', default: '1000,10000,100000' }, rounds: { type: 'string', default: '5' } },
});
const sizes = values.sizes.split(',').map(Number);
for (const name of positionals.length > 0 ? positionals : Object.keys(rows)) {
  const run = rows[name];
  if (run === undefined) {
    console.error(`There is no row ${name}; there are ${Object.keys(rows).join(', ')}.`);
    process.exit(1);
  }
  console.log(`\n=== ${name} (load ${loadavg()[0].toFixed(1)} on ${availableParallelism()} processors)`);
  await run({ sizes, rounds: Number(values.rounds), onRow: row => console.log(toText(row)) });
}

function toText(row) {
  return Object.entries(row)
    .map(([key, value]) =>
      key === 'row'
        ? `${value}:`
        : `${key} ${typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(3)) : value}`,
    )
    .join('  ');
}
