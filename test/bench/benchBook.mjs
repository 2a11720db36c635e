// The file of one run of the benches, and the comparison of two such files.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { summarize, toNumber } from './judging.mjs';

/** Compared fields of a run: the clock, processor time of all threads, the longest stall of the main thread. */
const comparedFields = ['ms', 'cpuMs', 'stallMs'];

/**
 * Opens a file in `folder` for the rows of a bench, with their runs and verdicts. It is written again after each row, so that a stopped
 * bench leaves its results so far.
 */
export function openBook(folder, { root, args }) {
  const at = new Date().toISOString();
  const commit = commitOf(root);
  const file = path.join(folder, `${at.slice(0, 19).replaceAll(':', '-')}-${commit.slice(0, 9)}.json`);
  /** @type {Array<Record<string, any>>} */
  const rows = [];
  const book = { at, commit, args, node: process.version, processors: availableParallelism(), rows };
  mkdirSync(folder, { recursive: true });
  return {
    file,
    /** @param {object} values @param {{ runs?: object, promises?: readonly object[] }} measured */
    add: (values, { runs = {}, promises = [] } = {}) => {
      rows.push({ ...values, load: loadavg()[0], runs, promises });
      writeFileSync(`${file}.part`, `${JSON.stringify(book, undefined, 1)}\n`);
      renameSync(`${file}.part`, file);
    },
    count: verdict => rows.flatMap(row => row.promises).filter(promise => promise.verdict === verdict).length,
  };
}

/** Returns the measured commit, with a plus sign if there are uncommitted changes. */
function commitOf(root) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return `${git('rev-parse', '--short=9', 'HEAD')}${git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}

export function readBook(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Compares the rows that both books have. Yields the medians of each subject with `less`, `more` or `cannot tell`, depending on whether the
 * spreads overlap. Then yields the verdicts on the promises. A changed baseline means that the machine has changed.
 */
export function* compareBooks(before, after) {
  for (const row of after.rows) {
    const old = before.rows.find(other => other.row === row.row);
    if (old !== undefined) {
      yield `${row.row}:`;
      yield* compareRuns(old.runs, row.runs);
      yield* comparePromises(old.promises, row.promises);
    }
  }
  for (const [where, here, there] of [
    ['the first', before.rows, after.rows],
    ['the second', after.rows, before.rows],
  ]) {
    const only = here.map(({ row }) => row).filter(name => !there.some(({ row }) => row === name));
    if (only.length > 0) {
      yield `only in ${where}: ${only.join('; ')}`;
    }
  }
}

function* compareRuns(before, after) {
  for (const [subject, runs] of Object.entries(after)) {
    for (const field of comparedFields) {
      const numbers = list => (list ?? []).map(run => run[field]).filter(value => typeof value === 'number');
      const [old, now] = [numbers(before[subject]), numbers(runs)];
      if (old.length > 0 && now.length > 0) {
        yield `  ${subject} ${field}: ${toChange(summarize(old), summarize(now))}`;
      }
    }
  }
}

function toChange(old, now) {
  const isSure = old.runs > 1 && now.runs > 1 && (now.most < old.least || now.least > old.most);
  const verdict = isSure ? (now.median < old.median ? 'less' : 'more') : 'cannot tell';
  const times = old.median === 0 ? '' : ` (${(now.median / old.median).toFixed(2)}x)`;
  return `${toNumber(old.median)} -> ${toNumber(now.median)}${times} ${verdict}`;
}

function* comparePromises(before, after) {
  for (const { promise, seen, verdict } of after) {
    const old = before.find(other => other.promise === promise);
    if (old !== undefined) {
      yield `  ${promise}: ${toNumber(old.seen)} ${old.verdict} -> ${toNumber(seen)} ${verdict}`;
    }
  }
}
