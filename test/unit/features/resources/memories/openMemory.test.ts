import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { memories, memoryStores } from '../../../../../src/features/resources/kinds/memoryStores';
import { toMemoryUri } from '../../../../../src/features/resources/memories/memoryLocation';
import { type MemoryTarget, storeOf } from '../../../../../src/features/resources/memories/openMemory';
import type { ResourceFlow } from '../../../../../src/features/resources/resourceFlow';

const store = { connection: 'Lab', kind: memoryStores.kind, id: 'memstore_1' };
const flow = { store: { find: () => ({ id: store.id, name: 'Team Notes' }) } } as unknown as ResourceFlow;

async function target(given: MemoryTarget): Promise<readonly [folder: string, label: string]> {
  const { folder, label } = await storeOf(flow, given);
  return [folder, label];
}

describe('features/resources/memories/memoryTarget', () => {
  const window = vscode.window as { activeTextEditor?: unknown };

  afterEach(() => {
    delete window.activeTextEditor;
  });

  it('uses the whole store of the active memory document, and a folder only if its row was chosen', async () => {
    const uri = toMemoryUri({ connection: 'Lab', storeId: store.id, path: '/project/deep/a.md' });
    window.activeTextEditor = { document: { uri } };
    assert.deepEqual(await target(undefined), ['/', 'Team Notes']);
    assert.deepEqual(await target(uri), ['/', 'Team Notes']);
    assert.deepEqual(await target(store), ['/', 'Team Notes']);
    assert.deepEqual(await target({ connection: 'Lab', kind: memories.kind, id: '/project/', parent: store }), [
      '/project/',
      'Team Notes /project/',
    ]);
  });
});
