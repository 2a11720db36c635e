import assert from 'node:assert/strict';
import type { Connections } from '../../../src/features/connection/connection';
import { everyKind } from '../../../src/features/resources/kinds';
import { publishResource } from '../../../src/features/resources/publishResource';
import { runAct } from '../../../src/features/resources/resourceActs';
import type { ResourceFlow } from '../../../src/features/resources/resourceFlow';
import { Service } from '../../../src/features/resources/service';
import { uploadFiles } from '../../../src/features/resources/serviceFiles/uploadFiles';

describe('resources in a workspace that is not trusted', () => {
  let asked = 0;
  const connections = {
    whenKnown: Promise.resolve(),
    find: () => {
      asked++;
      return undefined;
    },
  } as unknown as Connections;
  const service = new Service(connections, { running: undefined }, () => false);
  // Whatever else it were asked for would be too much.
  const flow = {
    service,
    presentation: () => ({ translate: (text: string) => text, locale: 'en', now: 0 }),
  } as unknown as ResourceFlow;
  const refused = /^Error: Until you trust this workspace, a service is asked only for what you open, fetch or test\.$/;

  beforeEach(() => {
    asked = 0;
  });

  for (const { kind, acts } of everyKind) {
    for (const act of Object.keys(acts ?? {})) {
      it(`do not ${act} ${kind}, and say why`, async () => {
        const parent = { connection: 'Lab', kind: 'environment', id: 'env_1' };
        await assert.rejects(() => runAct(flow, act, { connection: 'Lab', kind, id: 'x', parent }), refused);
        assert.equal(asked, 0);
      });
    }
  }

  it('are not published, uploaded or looked at by themselves', async () => {
    const state = { get: () => undefined, update: async () => undefined, keys: () => [] };
    await assert.rejects(() => publishResource(flow, { connection: 'Lab', kind: 'environment', id: 'env_1' }), refused);
    await assert.rejects(() => uploadFiles(flow, state, []), refused);
    await assert.rejects(() => service.reach('Lab', 'nobody'), refused);
    assert.equal(asked, 0);
  });

  it('are read when the user asks to see them', async () => {
    await assert.rejects(() => service.reach('Lab', 'user'), /The connection Lab no longer exists/);
    assert.equal(asked, 1);
  });
});
