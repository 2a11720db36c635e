import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ServiceError } from '../../../src/client/transport/errors';
import { PagedList } from '../../../src/common/lists/pagedList';
import { createBatchCommands } from '../../../src/features/batches/batchCommands';
import { runAct } from '../../../src/features/resources/resourceActs';
import type { ResourceFlow } from '../../../src/features/resources/resourceFlow';
import { endSession } from '../../../src/features/sessions/endSession';
import type { SessionActionContext } from '../../../src/features/sessions/sessionActionContext';

describe('features: actions on deleted items', () => {
  const { showWarningMessage } = vscode.window;
  const connection = { name: 'Lab', baseUrl: 'https://a.example' };
  let removed: string[];
  let updated: unknown[];

  const notFound = async () => {
    const where = { method: 'POST', host: 'a.example', path: '/', status: 404 } as const;
    throw new ServiceError('not found', { kind: 'not_found', outcome: 'refused', ...where });
  };
  const listed = async () => ({ data: { id: 'x', type: 'agent', name: 'Writer', status: 'idle' } });
  const group = { retrieve: listed, archive: notFound, delete: notFound, cancel: notFound };
  const connections = {
    find: () => connection,
    client: async () => ({ agents: group, sessions: group, batches: group, deployments: { list: async () => ({ items: [] }) } }),
  };
  const remove = (id: string) => removed.push(id);

  beforeEach(() => {
    removed = [];
    updated = [];
    Object.assign(vscode.window, { showWarningMessage: async (_message: string, _options: object, agree: unknown) => agree });
  });

  afterEach(() => {
    Object.assign(vscode.window, { showWarningMessage });
  });

  it('removes the row of an agent and says so', async () => {
    const list = new PagedList<{ readonly id: string }>();
    list.reset('Lab');
    list.put('Lab', { id: 'x' });
    const service = { reach: async () => ({ connection, client: await connections.client() }) };
    const presentation = () => ({ translate: vscode.l10n.t, locale: 'en', now: 0 });
    const listOf = (_: string, kind: object) => ({ kind, connection: 'Lab', list, refresh: async () => undefined });
    const flow = { service, store: { listOf }, presentation } as unknown as ResourceFlow;
    await assert.rejects(runAct(flow, 'archive', { connection: 'Lab', kind: 'agent', id: 'x' }), /Writer is no longer on the service/);
    assert.deepEqual(list.items, []);
  });

  for (const act of ['archive', 'delete'] as const) {
    it(`removes the row of a session and says so: ${act}`, async () => {
      const context = {
        connections,
        isTrusted: () => true,
        store: { find: () => undefined, remove: ({ sessionId }: { sessionId: string }) => remove(sessionId) },
        followed: { forget: async () => undefined },
      } as unknown as SessionActionContext;
      await assert.rejects(endSession(context, { connection: 'Lab', sessionId: 'x' }, act), /^Error: x is no longer on the service/);
      assert.deepEqual(removed, ['x']);
    });
  }

  for (const act of ['cancel', 'delete'] as const) {
    it(`removes the row of a batch, says so, and leaves the ledger to the watcher: ${act}`, async () => {
      const acts = createBatchCommands({
        connections,
        registry: {
          reload: async () => undefined,
          all: () => [],
          findByBatch: () => undefined,
          update: async (...update: unknown[]) => updated.push(update),
        },
        store: { find: () => undefined, remove: (_: string, id: string) => remove(id) },
        lifetime: new AbortController().signal,
        refresh: async () => undefined,
        log: { error: () => undefined },
      } as unknown as Parameters<typeof createBatchCommands>[0]);
      await assert.rejects(
        async () => acts[act === 'cancel' ? 'managedAgents.batch.cancel' : 'delete']({ connection: 'Lab', batchId: 'x' }),
        /Batch x was not found/,
      );
      assert.deepEqual([removed, updated], [['x'], []]);
    });
  }
});
