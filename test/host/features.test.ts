import Mocha from 'mocha';
import { useWorkbench } from './workbench/workbench';

/** The tests of `features/` run inside one extension host, one file after another. Each test is reported as a test of this file. */
describe('inside the extension host @floor', () => {
  describe('', () => {
    const workbench = useWorkbench({ isForTests: true });

    it('runs to its end', async function () {
      // biome-ignore lint/nursery/noJsRestrictedProperties: this test runs some 300 tests, each with the usual limit.
      this.timeout(1_200_000);
      const suite = Mocha.Suite.create(this.test?.parent?.parent as Mocha.Suite, '');
      await workbench().runInside(({ title, error }) => {
        const test = new Mocha.Test(title, () => {
          if (error !== undefined) {
            throw Object.assign(new Error(error.message), error);
          }
        });
        test.file = this.test?.file;
        suite.addTest(test);
      });
    });
  });
});
