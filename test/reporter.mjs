// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import Mocha from 'mocha';

const { EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_SUITE_END, EVENT_RUN_END } = Mocha.Runner.constants;
const tests = path.resolve('out');

/**
 * Prints a line for each finished test file, the slowest files, the failures, and `N passed, N failed`. Mocha emits all events of a file at
 * once, when the file has ended.
 */
export class FileReporter extends Mocha.reporters.Base {
  /** @type {Map<string, { passed: number, failed: number, milliseconds: number }>} */
  #files = new Map();
  /** File of the current events. Needed for a failed hook, which has no file of its own. */
  #current = '';
  /** Files of the tests that have ended since the last printed line. */
  #ended = new Set();
  #began = performance.now();
  /** @type {readonly string[]} */
  #expected;
  #failed = 0;

  /**
   * @param {Mocha.Runner} runner
   * @param {Mocha.MochaOptions & { reporterOption?: { expected?: readonly string[] } }} options `expected` are the files that must run at
   * least one test
   */
  constructor(runner, options) {
    super(runner, options);
    this.#expected = options.reporterOption?.expected ?? [];
    runner.on(EVENT_TEST_PASS, test => {
      this.#take(test, true);
    });
    runner.on(EVENT_TEST_FAIL, (test, error) => {
      this.#take(test, false);
      error.stack = toSources(error.stack ?? '');
      console.log(`✘ ${test.fullTitle()} (${this.#current})\n  ${error.message.split('\n')[0]}`);
    });
    runner.on(EVENT_SUITE_END, suite => {
      if (suite.root) {
        this.#printFiles();
      }
    });
    runner.once(EVENT_RUN_END, () => this.#end());
  }

  /**
   * @param {Mocha.Runnable & { file?: string }} test
   * @param {boolean} isPassed
   */
  #take({ file, duration = 0 }, isPassed) {
    this.#current = file === undefined ? this.#current : toName(file);
    this.#ended.add(this.#current);
    const { passed, failed, milliseconds } = this.#files.get(this.#current) ?? { passed: 0, failed: 0, milliseconds: 0 };
    this.#files.set(this.#current, {
      passed: passed + (isPassed ? 1 : 0),
      failed: failed + (isPassed ? 0 : 1),
      milliseconds: milliseconds + duration,
    });
  }

  #printFiles() {
    for (const name of this.#ended) {
      const { passed = 0, failed = 0, milliseconds = 0 } = this.#files.get(name) ?? {};
      const failures = failed === 0 ? '' : `, ${failed} FAILED`;
      console.log(`${failed === 0 ? '✔' : '✘'} ${name}  ${passed} passed${failures}, ${seconds(milliseconds)}`);
    }
    this.#ended.clear();
    this.#current = '';
  }

  #end() {
    const slowest = [...this.#files].sort(([, a], [, b]) => b.milliseconds - a.milliseconds).slice(0, 10);
    console.log(`\n${seconds(performance.now() - this.#began)}. The slowest files:`);
    for (const [name, { milliseconds }] of slowest) {
      console.log(`  ${seconds(milliseconds).padStart(8)}  ${name}`);
    }
    if (this.failures.length > 0) {
      Mocha.reporters.Base.list(this.failures);
    }
    const idle = this.#expected.filter(name => !this.#files.has(name));
    for (const name of idle) {
      console.log(`✘ ${name} ran no test`);
    }
    this.#failed = this.stats.failures + idle.length;
    console.log(`\n${this.stats.passes} passed, ${this.#failed} failed`);
  }

  /**
   * @override
   * @param {number} _failures
   * @param {(failures: number) => void} settle
   */
  done(_failures, settle) {
    settle(this.#failed);
  }
}

/** @param {number} milliseconds */
function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/**
 * Returns the name of the source of a built test file, relative to `test`.
 * @param {string} file
 */
function toName(file) {
  return path
    .relative(tests, file)
    .split(path.sep)
    .slice(1)
    .join('/')
    .replace(/\.m?js$/, '.ts');
}

/**
 * Returns a stack with positions in the sources, from the source maps of the built files. Node's own source map support would also convert
 * stacks that nobody prints, which takes a tenth of the processor time.
 * @param {string} stack
 */
function toSources(stack) {
  return stack.replace(/(?:file:\/\/)?([^\s()]+\.m?js):(\d+):(\d+)/g, (place, file, line, column) => {
    if (!existsSync(`${file}.map`)) {
      return place;
    }
    const origin = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8'))).findOrigin(Number(line), Number(column));
    return 'fileName' in origin
      ? `${path.resolve(path.dirname(file), origin.fileName)}:${origin.lineNumber}:${origin.columnNumber}`
      : place;
  });
}
