import assert from 'node:assert/strict';
import { dialects } from '../../../../src/client/dialect';
import type { FileState } from '../../../../src/emulator/files/fileRecords';
import { invalidRequest } from '../../../../src/emulator/http/apiError';
import type { SessionRecord } from '../../../../src/emulator/sessions/sessionRecord';
import { addResource, addResources, type SessionReferences } from '../../../../src/emulator/sessions/sessionResources';

const store = { type: 'memory_store', memory_store_id: 'memstore_1' };

function mount(references: SessionReferences, ...given: readonly unknown[]) {
  const record = { resources: [] } as object as SessionRecord;
  const files = { has: () => true } as object as FileState;
  addResources(record, given, { files, dialect: dialects.contract, references, now: 0 });
  return record.resources;
}

describe('emulator/sessions/sessionResources', () => {
  it('asks the state of memory stores, where there is one, by the id and the field that names it', () => {
    const asked: unknown[] = [];
    const memoryStore = (id: string, field: string) => {
      asked.push([id, field]);
      return { name: 'Notes', description: 'Of the team' };
    };
    const [, mounted] = mount({ memoryStore }, { type: 'file', file_id: 'f' }, store);
    assert.deepEqual(asked, [['memstore_1', 'resources.1.memory_store_id']]);
    assert.deepEqual([mounted?.name, mounted?.description], ['Notes', 'Of the team']);
    assert.equal(mount({}, store)[0]?.name, null);
  });

  it('mounts nothing when one of them is refused', () => {
    const memoryStore = (id: string, field: string) => {
      throw invalidRequest(`${field}: memory store is archived: ${id}`);
    };
    const record = { resources: [] } as object as SessionRecord;
    const parts = { files: { has: () => true } as object as FileState, dialect: dialects.contract, references: { memoryStore }, now: 0 };
    assert.throws(
      () => addResources(record, [{ type: 'file', file_id: 'f' }, store], parts),
      /resources\.1\.memory_store_id: memory store is archived/,
    );
    assert.throws(() => addResource(record, store, { ...parts, addsRepositories: true }), /only when the session is created/);
    assert.deepEqual(record.resources, []);
  });
});
