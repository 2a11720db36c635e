import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ManagedAgentsApi } from '../../../src/api';
import { createExtensionApi, type ExtensionApiDependencies } from '../../../src/features/extensionApi';
import type { Submission } from '../../../src/features/ledger/submission';
import { MemoryRegistry } from '../../helpers/memoryRegistry';
import { useExtension } from '../useExtension';

const canary = 'sk-9fK2mQ7xLw4TzB8vR3nY6cHd';
const good = JSON.stringify({
  custom_id: 'r-1',
  params: { model: 'm', max_tokens: 8, messages: [{ role: 'user', content: 'Hello' }] },
});

describe('what other extensions may use', () => {
  const files = useExtension('api');
  let api: ManagedAgentsApi;

  before('activate as another extension does', async () => {
    const extension = vscode.extensions.getExtension<ManagedAgentsApi>('managed-agents.managed-agents');
    api = (await extension?.activate()) ?? assert.fail('not installed');
  });

  it('is frozen, of version 1, and small', () => {
    assert.ok(Object.isFrozen(api));
    assert.equal(api.version, 1);
    assert.deepEqual(Object.keys(api).sort(), ['checkFile', 'listBatches', 'onDidEndBatch', 'openBatch', 'openSession', 'version']);
  });

  it('checks a file, on disk or as it stands in the editor', async () => {
    const file = files.write('requests.jsonl', `${good}\n${good}\n`);
    const { lines, requests, counts, problems } = await api.checkFile(file);
    assert.deepEqual([lines, requests, counts.error], [2, 2, 2]);
    assert.deepEqual(
      problems.filter(({ severity }) => severity === 'error').map(({ rule, line }) => [rule, line]),
      [
        ['duplicate-id', 0],
        ['duplicate-id', 1],
      ],
    );
    const document = await files.open('edited.jsonl', `${good}\n`);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(1, 0), '{"custom_id":\n');
    await vscode.workspace.applyEdit(edit);
    assert.ok(document.isDirty);
    assert.equal((await api.checkFile(document.uri)).counts.error, 1);
  });

  it('masks secrets that a problem repeats', async () => {
    const text = good.replace('"user"', JSON.stringify(canary)).replace('"r-1"', `"${canary}"`);
    const checked = await api.checkFile(files.write('secret.jsonl', `${text}\n${text}\n`));
    assert.ok(checked.counts.error > 1, JSON.stringify(checked));
    assert.ok(!JSON.stringify(checked).includes(canary), JSON.stringify(checked));
  });

  it('stops when it is cancelled, and says what cannot be read', async () => {
    const source = new vscode.CancellationTokenSource();
    source.cancel();
    await assert.rejects(api.checkFile(files.write('more.jsonl', `${good}\n`), source.token), vscode.CancellationError);
    await assert.rejects(api.checkFile(vscode.Uri.file(files.at('gone.jsonl'))), Error);
  });

  it('refuses what is not as its types say', async () => {
    const { checkFile, openBatch, openSession } = api as unknown as Record<string, (...given: readonly unknown[]) => Promise<unknown>>;
    for (const [call, given] of [
      [checkFile, []],
      [checkFile, ['file:///etc/passwd']],
      [checkFile, [vscode.Uri.file('/x'), {}]],
      [openBatch, []],
      [openBatch, [{ connection: 'Lab', batchId: '../x' }]],
      [openBatch, [{ connection: 'Lab', batchId: 'b', customId: 7 }]],
      [openBatch, [{ connection: 'Lab', batchId: 'b', url: 'https://evil.example' }]],
      [openSession, [{ connection: 'Lab', sessionId: 's', eventId: 'a\u202eb' }]],
      [openSession, [{ sessionId: 's' }]],
    ] as const) {
      await assert.rejects(async () => call?.(...given), /^TypeError: Not as the API of Managed Agents says: /, JSON.stringify(given));
    }
  });

  it('opens nothing by a connection that is not there', async () => {
    const gone = /^Error: The connection Nobody no longer exists\./;
    await assert.rejects(api.openBatch({ connection: 'Nobody', batchId: 'b' }), gone);
    await assert.rejects(api.openSession({ connection: 'Nobody', sessionId: 's' }), gone);
  });

  it('lists batches', async () => assert.ok(Array.isArray(await api.listBatches())));
});

describe('what other extensions are told', () => {
  const { executeCommand } = vscode.commands;
  const isTrusted = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
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
  let made: ReturnType<typeof createExtensionApi>;
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
    made = createExtensionApi({ connections, registry } as unknown as ExtensionApiDependencies);
  });
  afterEach(() => {
    made.dispose();
    Object.assign(vscode.commands, { executeCommand });
    if (isTrusted !== undefined) {
      Object.defineProperty(vscode.workspace, 'isTrusted', isTrusted);
    }
  });

  it('are ids, states and counts', async () => {
    assert.deepEqual(await made.api.listBatches(), [
      {
        ...{ connection: 'Lab', batchId: 'msgbatch_1', state: 'in_progress' },
        counts: { processing: 3, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
      },
    ]);
    await registry.update('1', { batch: ended });
    assert.deepEqual(await made.api.listBatches(), [{ connection: 'Lab', batchId: 'msgbatch_1', state: 'ended', counts }]);
  });

  it('is each end once, and no end of before', async () => {
    const told: unknown[] = [];
    made.api.onDidEndBatch(batch => told.push(batch));
    await registry.update('2', { deleted: undefined, batch: ended });
    assert.deepEqual(told, []);
    await registry.update('1', { isEndSeen: false });
    await registry.update('1', { batch: ended });
    await registry.update('1', { isEndSeen: true });
    assert.deepEqual(told, [{ connection: 'Lab', batchId: 'msgbatch_1', state: 'ended', counts }]);
  });

  it('is whether something was shown', async () => {
    assert.equal(await made.api.openSession({ connection: 'Lab', sessionId: 'sesn_1', eventId: 'sevt_2' }), true);
    assert.equal(await made.api.openBatch({ connection: 'Lab', batchId: 'msgbatch_1' }), true);
    assert.deepEqual(ran, [
      ['managedAgents.session.open', { connection: 'Lab', sessionId: 'sesn_1' }, 'sevt_2'],
      ['managedAgents.batch.open', { connection: 'Lab', batchId: 'msgbatch_1' }],
    ]);
  });

  it('is nothing in a workspace that is not trusted: nobody knows whether a user asked', async () => {
    Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, get: () => false });
    const refusal = /Until you trust this workspace/;
    await assert.rejects(made.api.openSession({ connection: 'Lab', sessionId: 'sesn_1' }), refusal);
    await assert.rejects(made.api.openBatch({ connection: 'Lab', batchId: 'msgbatch_1' }), refusal);
    assert.deepEqual(ran, []);
  });

  it('holds nothing that lets anybody in', async () => {
    await registry.update('1', { batch: ended });
    assert.ok(!JSON.stringify(await made.api.listBatches()).includes(canary));
    await assert.rejects(made.api.openBatch({ connection: 'Lab', batchId: `b ${canary}` }), error => !String(error).includes(canary));
  });
});
