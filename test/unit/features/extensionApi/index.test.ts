import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createExtensionApi, type ExtensionApiDependencies } from '../../../../src/features/extensionApi';
import type { Submission } from '../../../../src/features/ledger/submission';
import { MemoryRegistry } from '../../../helpers/memoryRegistry';

const canary = 'sk-9fK2mQ7xLw4TzB8vR3nY6cHd';

describe('features/extensionApi/index', () => {
  const { executeCommand } = vscode.commands;
  const connections = {
    whenKnown: Promise.resolve(),
    find: () => ({ name: 'Lab', baseUrl: `https://${canary}.example` }),
    client: async () => ({}),
  };
  const sent: Submission = {
    ...{ id: '1', connection: 'Lab', origin: `https://${canary}.example`, source: `file:///${canary}`, fileBytes: 1, sha256: 'x' },
    ...{ requestCount: 3, bodyBytes: 1, state: 'created', startedAt: new Date().toISOString(), batchId: 'msgbatch_1' },
  };
  const counts = { processing: 0, succeeded: 2, errored: 1, canceled: 0, expired: 0 };
  const endedBatch = {
    ...{ id: 'msgbatch_1', type: canary, created_at: '', expires_at: '', results_url: `https://a.example/?key=${canary}` },
  };
  const ended = { ...endedBatch, processing_status: 'ended', request_counts: { ...counts, [canary]: 1 } } as unknown as Submission['batch'];
  let registry: MemoryRegistry;
  let created: ReturnType<typeof createExtensionApi>;
  let ran: (readonly unknown[])[];
  let answer: unknown;

  beforeEach(() => {
    ran = [];
    answer = undefined;
    const run = (async (...given: readonly unknown[]) => {
      ran.push(given);
      return answer;
    }) as typeof executeCommand;
    Object.assign(vscode.commands, { executeCommand: run });
    registry = new MemoryRegistry([sent, { ...sent, id: '2', batchId: 'msgbatch_2', deleted: true }]);
    created = createExtensionApi({ connections, registry } as unknown as ExtensionApiDependencies);
  });
  afterEach(() => {
    created.dispose();
    Object.assign(vscode.commands, { executeCommand });
    Object.assign(vscode.workspace, { isTrusted: true });
  });

  it('returns IDs, states and counts', async () => {
    assert.deepEqual(await created.api.listBatches(), [
      {
        ...{ connection: 'Lab', batchId: 'msgbatch_1', state: 'in_progress' },
        counts: { processing: 3, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
      },
    ]);
    await registry.update('1', { batch: ended });
    assert.deepEqual(await created.api.listBatches(), [{ connection: 'Lab', batchId: 'msgbatch_1', state: 'ended', counts }]);
  });

  it('fires once per ended batch, and never for batches that ended before', async () => {
    const heard: unknown[] = [];
    created.api.onDidEndBatch(batch => heard.push(batch));
    await registry.update('2', { deleted: undefined, batch: ended });
    assert.deepEqual(heard, []);
    await registry.update('1', { isEndSeen: false });
    await registry.update('1', { batch: ended });
    await registry.update('1', { isEndSeen: true });
    assert.deepEqual(heard, [{ connection: 'Lab', batchId: 'msgbatch_1', state: 'ended', counts }]);
  });

  it('reports whether something was shown', async () => {
    assert.equal(await created.api.openSession({ connection: 'Lab', sessionId: 'sesn_1', eventId: 'sevt_2' }), true);
    assert.equal(await created.api.openBatch({ connection: 'Lab', batchId: 'msgbatch_1' }), true);
    assert.deepEqual(ran, [
      ['managedAgents.session.open', { connection: 'Lab', sessionId: 'sesn_1' }, 'sevt_2'],
      ['managedAgents.batch.open', { connection: 'Lab', batchId: 'msgbatch_1' }],
    ]);
  });

  it('returns nothing in an untrusted workspace', async () => {
    Object.assign(vscode.workspace, { isTrusted: false });
    const refusal = /until you trust this workspace/;
    await assert.rejects(created.api.openSession({ connection: 'Lab', sessionId: 'sesn_1' }), refusal);
    await assert.rejects(created.api.openBatch({ connection: 'Lab', batchId: 'msgbatch_1' }), refusal);
    assert.deepEqual(ran, []);
  });

  it('exposes nothing that grants access', async () => {
    await registry.update('1', { batch: ended });
    assert.ok(!JSON.stringify(await created.api.listBatches()).includes(canary));
    await assert.rejects(created.api.openBatch({ connection: 'Lab', batchId: `b ${canary}` }), error => !String(error).includes(canary));
  });
});
