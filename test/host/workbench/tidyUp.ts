import type { Emulator } from '../../../src/emulator/emulator';
import { keepFailure, type Workbench } from './workbench';

/**
 * After each test of the surrounding `describe`: evidence of a failure, a service without faults, and a workbench with
 * nothing open. After the last: both are stopped. `used` gives what `before` has started.
 */
export function tidyUp(used: () => { readonly workbench: Workbench; readonly emulator: Emulator }): void {
  afterEach('keep evidence', async function () {
    const { workbench, emulator } = used();
    if (this.currentTest?.state === 'failed') {
      await keepFailure(workbench, this.currentTest);
    }
    emulator.setScenario({ faults: [] });
    await workbench.tidy();
  });

  after('stop both', async () => {
    const { workbench, emulator } = used();
    await workbench?.close();
    await emulator?.stop();
  });
}
