import { createServiceClient } from '../../../src/client/createServiceClient';
import { dialects } from '../../../src/client/dialect';
import type { ServiceClient } from '../../../src/client/serviceClient';
import type { Emulator } from '../../../src/emulator/server';

/** A client of an emulator for the tests of the surrounding `describe`, which plays other users of the service. */
export function useClient(emulator: () => Emulator): () => ServiceClient {
  let client: ServiceClient | undefined;
  before('open a client', () => {
    const { url, key } = emulator();
    client = createServiceClient({
      baseUrl: url,
      auth: 'x-api-key',
      dialect: dialects.contract,
      credential: async () => ({ key, origin: new URL(url).origin }),
    });
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
