import { writeFileSync } from 'node:fs';
import mocha from 'mocha';

/** Mocha's own listing, and the counts in a file for the runner, with what failed. Pending tests count as failed: nothing here is skipped. */
export default class CountingReporter extends mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    // After every test: what has run counts even when the process never comes to its end.
    const write = isWhole => {
      const { passes, failures: failed, pending } = runner.stats;
      writeFileSync(options.reporterOptions.output, JSON.stringify({ passed: passes, failed: failed + pending, failures, isWhole }));
    };
    /** One line for each. */
    const failures = [];
    runner.on('pass', () => write(false));
    runner.on('fail', (test, error) => {
      failures.push(`${test.fullTitle()}: ${String(error?.message ?? error).split('\n')[0]}`);
      write(false);
    });
    runner.on('retry', (test, error) => console.log(`    tried again: ${test.fullTitle()}: ${error?.message ?? error}`));
    runner.on('pending', test => failures.push(`${test.fullTitle()}: pending`));
    runner.once('end', () => write(true));
  }
}
