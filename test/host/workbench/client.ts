import type { ServiceClient } from '../../../src/client/serviceClient';
import type { Emulator } from '../../../src/emulator/server';
import { contractClient } from '../../helpers/emulatorClient';

/** Creates a client of an emulator for the surrounding `describe`. Tests use the client to act as other users of the service. */
export function useClient(emulator: () => Emulator): () => ServiceClient {
  let client: ServiceClient | undefined;
  before('open a client', () => {
    const { url, key } = emulator();
    client = contractClient({ url, key });
  });
  after('close the client', async () => {
    await client?.close();
  });
  return () => {
    if (client === undefined) {
      throw new Error('The client is open only while tests run.');
    }
    return client;
  };
}
