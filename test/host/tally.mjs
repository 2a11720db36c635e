// @ts-check
import { setTimeout as wait } from 'node:timers/promises';

/** @typedef {import('./attempts.mjs').Outcome} Outcome */

/**
 * Counts what test files inside one extension host say of themselves, in the order they are run in. A file that says no end,
 * runs nothing, or is not reached has failed.
 * @param {object} options
 * @param {readonly string[]} options.names of the files
 * @param {string} options.grep with it a file may run nothing
 * @param {(text: string) => void} options.print
 * @param {(name: string, args: unknown[]) => unknown} options.onPage
 */
export function createTally({ names, grep, print, onPage }) {
  const outcomes = new Map(names.map(name => [name, { passed: 0, failed: 0, failures: /** @type {string[]} */ ([]) }]));
  /** @type {string | undefined} */
  let current;
  /** @type {Set<string>} */
  const finished = new Set();
  let end = () => {};
  /** @type {Promise<'end'>} */
  const ended = new Promise(resolve => {
    end = () => resolve('end');
  });

  /**
   * @param {string} name
   * @param {string} why
   */
  function count(name, why) {
    const outcome = outcomes.get(name);
    if (outcome !== undefined) {
      outcome.failed++;
      outcome.failures.push(why);
    }
  }

  /**
   * @param {string} name
   * @param {string} why
   */
  function failFile(name, why) {
    count(name, why);
    print(`  FAILED ${name}: ${why}\n`);
  }

  function finish() {
    const outcome = current === undefined ? undefined : outcomes.get(current);
    if (current === undefined || outcome === undefined || finished.has(current)) {
      return;
    }
    finished.add(current);
    if (outcome.passed + outcome.failed === 0 && grep === '') {
      failFile(current, 'it ran no test');
    }
  }

  /**
   * For what keeps the whole run from its end: the file that runs is to blame, the others were not reached.
   * @param {string} why
   */
  function abort(why) {
    const running = current !== undefined && !finished.has(current) ? current : undefined;
    for (const name of names.filter(name => !finished.has(name))) {
      finished.add(name);
      failFile(name, running === undefined || name === running ? why : `it was not reached: ${why}`);
    }
  }

  return {
    /** @type {ReadonlyMap<string, Outcome>} */
    outcomes,
    abort,
    hasFailed: () => [...outcomes.values()].some(({ failed }) => failed > 0),
    /**
     * @param {string} name
     * @param {unknown[]} args
     */
    handle(name, args) {
      switch (name) {
        case 'print':
          return print(`${args[0]}\n`);
        case 'file':
          finish();
          current = String(args[0]);
          return print(`\n${current}\n`);
        case 'passed': {
          const outcome = outcomes.get(current ?? '');
          return outcome === undefined ? undefined : outcome.passed++;
        }
        case 'failed':
          return count(current ?? '', String(args[0]));
        case 'end':
          finish();
          return end();
        case 'page':
          return onPage(String(args[0]), args.slice(1));
        default:
          throw new Error(`The runner knows no ${name}.`);
      }
    },
    /**
     * Settles when the run said its end, or one of `others` or the time came first, which fails what had not ended.
     * @param {number} seconds
     * @param {readonly Promise<string>[]} others
     */
    async ended(seconds, others) {
      const late = new AbortController();
      const timeout = wait(seconds * 1000, `it did not end within ${seconds} s`, { signal: late.signal });
      const first = await Promise.race([ended, timeout, ...others]);
      timeout.catch(() => undefined);
      late.abort();
      if (first !== 'end') {
        abort(first);
      }
    },
  };
}
