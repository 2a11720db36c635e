/**
 * Runs no further tests of a suite after one failed, for tests that continue where the one before ended. Mocha's own `bail` isn't for that:
 * when files run in parallel, a failure in a suite with `bail` drops the results of all files that haven't ended.
 */
export function stopAtFailure(suite: Mocha.Suite): void {
  suite.afterEach('stopping at a failure', function () {
    suite.bail(this.currentTest?.state === 'failed');
  });
  // The suite is handed to the process that runs the files when all its tests have ended.
  suite.afterAll('lets other files run', () => {
    suite.bail(false);
  });
}
