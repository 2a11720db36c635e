// @ts-check

/**
 * What running one test file gave.
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} failures of each failed test its name and why, one line each
 * @property {string[]} evidence folders with the picture and the logs of the moments when something failed
 * @property {number} milliseconds from the begin of the file to its end
 * @property {number} startup milliseconds of these in which what the tests use was started
 */

/**
 * Counts what test files that run one after another in one process say of themselves. A file that says no end, runs nothing, or
 * is not reached has failed.
 * @param {object} options
 * @param {readonly string[]} options.names of the files
 * @param {string} options.grep with it a file may run nothing
 * @param {(text: string) => void} options.print
 * @param {(name: string, args: unknown[]) => unknown} [options.onPage] does something in the page for a test
 */
export function createTally({ names, grep, print, onPage }) {
  /** @type {Map<string, Outcome>} */
  const outcomes = new Map(names.map(name => [name, { passed: 0, failed: 0, failures: [], evidence: [], milliseconds: 0, startup: 0 }]));
  /** @type {string | undefined} */
  let current;
  let began = 0;
  /** @type {Set<string>} */
  const finished = new Set();
  let end = () => {};
  let isAlive = () => {};
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

  /** @param {{ passed?: number, startup?: number }} more */
  function add({ passed = 0, startup = 0 }) {
    const outcome = outcomes.get(current ?? '');
    if (outcome !== undefined) {
      outcome.passed += passed;
      outcome.startup += startup;
    }
  }

  function finish() {
    const outcome = current === undefined ? undefined : outcomes.get(current);
    if (current === undefined || outcome === undefined || finished.has(current)) {
      return;
    }
    finished.add(current);
    outcome.milliseconds = performance.now() - began;
    if (outcome.passed + outcome.failed === 0 && grep === '' && process.env.TEST_TIER === undefined) {
      failFile(current, 'it ran no test');
    }
  }

  /**
   * For what keeps the whole run from its end: the file that runs is to blame, the others were not reached.
   * @param {string} why
   */
  function abort(why) {
    const running = current !== undefined && !finished.has(current) ? current : undefined;
    const outcome = outcomes.get(running ?? '');
    if (outcome !== undefined) {
      outcome.milliseconds = performance.now() - began;
    }
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
      isAlive();
      switch (name) {
        case 'print':
          return print(`${args[0]}\n`);
        case 'file':
          finish();
          current = String(args[0]);
          began = performance.now();
          return undefined;
        case 'passed':
          add({ passed: 1 });
          return undefined;
        case 'failed':
          return count(current ?? '', String(args[0]));
        case 'evidence':
          return outcomes.get(current ?? '')?.evidence.push(String(args[0]));
        case 'startup':
          add({ startup: Number(args[0]) });
          return undefined;
        case 'end':
          finish();
          return end();
        case 'page':
          return onPage?.(String(args[0]), args.slice(1));
        default:
          throw new Error(`The runner knows no ${name}.`);
      }
    },
    /**
     * Settles when the run said its end; or when one of `others` came first or nothing was said for `silence` seconds, which
     * fails what had not ended.
     * @param {number} silence
     * @param {readonly Promise<string>[]} others
     */
    async ended(silence, others) {
      /** @type {NodeJS.Timeout | undefined} */
      let timer;
      /** @type {Promise<string>} */
      const silent = new Promise(resolve => {
        isAlive = () => {
          clearTimeout(timer);
          timer = setTimeout(resolve, silence * 1000, `nothing was heard of it for ${silence} s`);
        };
        isAlive();
      });
      const first = await Promise.race([ended, silent, ...others]);
      isAlive = () => {};
      clearTimeout(timer);
      if (first !== 'end') {
        abort(first);
      }
    },
  };
}
