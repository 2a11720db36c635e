/**
 * Stops a suite after its first failed test, for tests that continue where the previous test ended. Mocha's own `bail` can't be used. When
 * files run in parallel, a failure with `bail` drops the results of all files that haven't ended.
 */
export function stopAtFailure(suite: Mocha.Suite): void {
  suite.afterEach('stopping at a failure', function () {
    suite.bail(this.currentTest?.state === 'failed');
  });
  // After the last test, mocha sends the suite with its `bail` to the process that controls all files.
  suite.afterAll('lets other files run', () => {
    suite.bail(false);
  });
}
