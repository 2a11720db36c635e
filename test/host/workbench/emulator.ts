import { type Emulator, type EmulatorOptions, startEmulator } from '../../../src/emulator/server';

/** Starts one emulator for all tests of the surrounding `describe`. Removes the emulator's faults after each test. */
export function useEmulator(options: EmulatorOptions = {}): () => Emulator {
  let emulator: Emulator | undefined;
  before('start a service', async () => {
    emulator = await startEmulator(options);
  });
  afterEach('take faults away', () => {
    emulator?.setScenario({ faults: [] });
  });
  after('stop the service', async () => {
    await emulator?.stop();
  });
  return () => {
    if (emulator === undefined) {
      throw new Error('The emulator runs only while tests run.');
    }
    return emulator;
  };
}

/** Returns settings with an emulator as the connection "Lab". */
export function connectedTo(emulator: Emulator): Readonly<Record<string, unknown>> {
  return { 'managedAgents.connections': { Lab: { baseUrl: emulator.url } }, 'managedAgents.connection': 'Lab' };
}
