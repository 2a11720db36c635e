import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ManagedAgentsApi } from '../../../src/api';
import { useExtension } from '../useExtension';

const canary = 'sk-9fK2mQ7xLw4TzB8vR3nY6cHd';
const good = JSON.stringify({
  custom_id: 'r-1',
  params: { model: 'm', max_tokens: 8, messages: [{ role: 'user', content: 'Hello' }] },
});

describe('the API for other extensions', () => {
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

  it('checks a file, on disk or in the editor', async () => {
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

  it('masks secrets in a problem', async () => {
    const text = good.replace('"user"', JSON.stringify(canary)).replace('"r-1"', `"${canary}"`);
    const checked = await api.checkFile(files.write('secret.jsonl', `${text}\n${text}\n`));
    assert.ok(checked.counts.error > 1, JSON.stringify(checked));
    assert.ok(!JSON.stringify(checked).includes(canary), JSON.stringify(checked));
  });

  it('stops when canceled, and reports unreadable files', async () => {
    const source = new vscode.CancellationTokenSource();
    source.cancel();
    await assert.rejects(api.checkFile(files.write('more.jsonl', `${good}\n`), source.token), vscode.CancellationError);
    await assert.rejects(api.checkFile(vscode.Uri.file(files.at('gone.jsonl'))), Error);
  });

  it('rejects arguments of a wrong type', async () => {
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
      await assert.rejects(
        async () => call?.(...given),
        /^TypeError: Invalid arguments for the Managed Agents API: /,
        JSON.stringify(given),
      );
    }
  });

  it('opens nothing for a missing connection', async () => {
    const gone = /^Error: The connection Nobody no longer exists\./;
    await assert.rejects(api.openBatch({ connection: 'Nobody', batchId: 'b' }), gone);
    await assert.rejects(api.openSession({ connection: 'Nobody', sessionId: 's' }), gone);
  });

  it('lists batches', async () => assert.ok(Array.isArray(await api.listBatches())));
});
