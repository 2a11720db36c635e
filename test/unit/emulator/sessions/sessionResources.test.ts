import assert from 'node:assert/strict';
import { dialects } from '../../../../src/client/dialect';
import type { FileRecord } from '../../../../src/emulator/files/files';
import { invalidRequest } from '../../../../src/emulator/http/apiError';
import type { StoreRecord } from '../../../../src/emulator/memories/memories';
import type { SessionRecord } from '../../../../src/emulator/sessions/sessionRecord';
import { addResource, toResources } from '../../../../src/emulator/sessions/sessionResources';

const store = { type: 'memory_store', memory_store_id: 'memstore_1' };
const file = { type: 'file', file_id: 'f' };

function partsWith(demandUsable: (id: string, field: string) => StoreRecord) {
  const files = { find: () => ({}) as FileRecord };
  return { files, memories: { demandUsable }, dialect: dialects.contract, clock: { now: () => 0 } };
}

describe('emulator/sessions/sessionResources', () => {
  it('retrieves memory stores by ID, with the field that names them', () => {
    const asked: unknown[] = [];
    const demandUsable = (id: string, field: string) => {
      asked.push([id, field]);
      return { name: 'Notes', description: 'Of the team' } as StoreRecord;
    };
    const [, mounted] = toResources([file, store], partsWith(demandUsable));
    assert.deepEqual(asked, [['memstore_1', 'resources.1.memory_store_id']]);
    assert.deepEqual([mounted?.name, mounted?.description], ['Notes', 'Of the team']);
  });

  it('attaches nothing if one of them is rejected', () => {
    const parts = partsWith((id, field) => {
      throw invalidRequest(`${field}: memory store is archived: ${id}`);
    });
    const record = { resources: [] } as object as SessionRecord;
    assert.throws(() => toResources([file, store], parts), /resources\.1\.memory_store_id: memory store is archived/);
    assert.throws(() => addResource(record, store, { ...parts, addsRepositories: true }), /only when the session is created/);
    assert.deepEqual(record.resources, []);
  });
});
