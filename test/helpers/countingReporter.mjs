import { writeFileSync } from 'node:fs';
import mocha from 'mocha';

/** Mocha's own listing, and the counts in a file for the runner. Pending tests count as failed: nothing here is skipped. */
export default class CountingReporter extends mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    // After every test: what has run counts even when the process never comes to its end.
    const write = isWhole => {
      const { passes, failures, pending } = runner.stats;
      writeFileSync(options.reporterOptions.output, JSON.stringify({ passed: passes, failed: failures + pending, isWhole }));
    };
    runner.on('pass', () => write(false));
    runner.on('fail', () => write(false));
    runner.once('end', () => write(true));
  }
}
