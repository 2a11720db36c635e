import type { Emulator } from '../../../src/emulator/emulator';
import type { Workbench } from './workbench';

/**
 * After each test of the surrounding `describe`: evidence of a failure, a service without faults, and a workbench without
 * toasts and editors. After the last: both are stopped. `used` gives what `before` has started.
 */
export function tidyUp(used: () => { readonly workbench: Workbench; readonly emulator: Emulator }): void {
  afterEach('keep evidence', async function () {
    const { workbench, emulator } = used();
    if (this.currentTest?.state === 'failed') {
      console.log(`      evidence: ${await workbench.keepEvidence(this.currentTest.fullTitle())}`);
    }
    emulator.setScenario({ faults: [] });
    await workbench.press('Escape');
    await workbench.clearNotifications();
    await workbench.runCommand('View: Close All Editors');
  });

  after('stop both', async () => {
    const { workbench, emulator } = used();
    await workbench?.close();
    await emulator?.stop();
  });
}
