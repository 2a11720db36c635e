// The row `watched`: work of the extension host while it watches a hundred idle sessions, with the Sessions view and the inbox on screen.
// The emulator is in a process of its own.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { inBenchFolder, median, runChild, worst } from './children.mjs';
import { judge } from './judging.mjs';

/** Promised share of a core. */
const promised = { percent: 5 };
const followed = 100;
/** Numbers of sessions: a full first page, and three pages. The sessions of the last page are followed. */
const counts = [100, 300];
const seconds = 60;
/** A round takes more than a minute. The rounds run at the same time, because they are mostly idle. */
const maxRounds = 3;

export async function runWatched({ rounds = 5, onRow = () => {} }) {
  const entryPoints = { watchedChild: 'test/bench/watchedChild.ts', journeyEmulator: 'test/bench/journeyEmulator.ts' };
  await inBenchFolder(entryPoints, async ({ out }) => {
    for (const count of counts) {
      const runs = await Promise.all(Array.from({ length: Math.min(rounds, maxRounds) }, () => watch(out, count)));
      const values = {
        row: `watched: ${followed} of ${count} sessions`,
        percent: median(runs, 'percent'),
        worstPercent: worst(runs, 'percent'),
        idlePercent: median(runs, 'idlePercent'),
        requestsAMinute: median(runs, 'requests'),
        draws: worst(runs, 'draws'),
      };
      const promises = [judge({ promise: 'percent of a core', values: runs.map(run => run.percent), atMost: promised.percent })];
      onRow(values, { runs: { ours: runs }, promises });
    }
  });
}

/** Runs one window with its own emulator. Throws if the window doesn't find all open asks. */
async function watch(out, count) {
  const args = ['--scenario', '{"sessionPause":0}', '--json'];
  const emulator = fork(path.join(out, 'journeyEmulator.js'), args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const gone = once(emulator, 'exit');
  try {
    const [{ url, key }] = await once(emulator, 'message');
    const run = await runChild(out, 'watchedChild', url, key, String(count), String(followed), String(seconds));
    if (run.waiting !== 5 || run.inbox !== 5) {
      throw new Error(`${run.waiting} sessions wait, ${run.inbox} are in the inbox`);
    }
    return run;
  } finally {
    emulator.disconnect();
    await gone;
  }
}
