import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ServiceError } from '../../../../../src/client/transport/errors';
import type { ReadMemory } from '../../../../../src/features/resources/memories/memoryAccess';
import { toMemoryUri } from '../../../../../src/features/resources/memories/memoryLocation';
import { mergeMemory } from '../../../../../src/features/resources/memories/mergeMemory';
import type { ResourceFlow } from '../../../../../src/features/resources/resourceFlow';

describe('features/resources/memories/mergeMemory', () => {
  const { showQuickPick, showErrorMessage } = vscode.window;
  const { textDocuments } = vscode.workspace;

  afterEach(() => {
    Object.assign(vscode.window, { showQuickPick, showErrorMessage });
    Object.assign(vscode.workspace, { textDocuments });
  });

  it('offers to merge even if the base version was deleted', async () => {
    const uri = toMemoryUri({ connection: 'Lab', storeId: 's', path: '/notes.md' });
    const shown: string[] = [];
    Object.assign(vscode.workspace, { textDocuments: [{ uri, version: 1 }] });
    Object.assign(vscode.window, {
      showQuickPick: async (_: unknown, { title }: { title: string }) => void shown.push(title),
      showErrorMessage: async (message: string) => void shown.push(`failure: ${message}`),
    });
    const retrieve = async () => {
      throw new ServiceError('gone', { kind: 'not_found', outcome: 'refused', method: 'GET', host: 'h', path: '/', status: 404 });
    };
    const client = { memoryStores: { versions: () => ({ retrieve }) } };
    const flow = { service: { reach: async () => ({ client }) } } as unknown as ResourceFlow;
    const read: ReadMemory = {
      id: 'm',
      type: 'memory',
      content_sha256: 'a',
      content_size_bytes: 3,
      memory_version_id: 'memver_1',
      mtime: 1,
    };
    await mergeMemory(flow, { uri, base: read, mine: 'mine', theirs: { ...read, content: 'theirs' } });
    assert.deepEqual(shown, ['/notes.md has changed on the service']);
  });
});
