import assert from 'node:assert/strict';
import { RequestEditorStore } from '../../../../../src/features/requests/editor/editedRequest';

function memory(initial?: unknown) {
  let value = initial;
  return {
    get: () => value,
    update: async (_: string, next: unknown) => {
      value = structuredClone(next);
    },
  };
}
const record = (id: string, line = 0) => ({ id, source: 'file:///a.jsonl', line, print: { bytes: 1, sha256: 'x' }, stamp: 1 });

describe('features/requests/editor/requestEditorStore', () => {
  it('keeps the newest record of each document, and only the newest documents', async () => {
    const store = new RequestEditorStore(memory());
    await store.save(record('a'));
    await store.save(record('a', 5));
    assert.equal(store.find('a')?.line, 5);
    for (let index = 0; index < 100; index++) {
      await store.save(record(`b${index}`));
    }
    assert.equal(store.find('a'), undefined);
    assert.equal(store.find('b0')?.id, 'b0');
  });

  it('reads past what is no record', () => {
    assert.equal(new RequestEditorStore(memory('odd')).find('a'), undefined);
    assert.equal(new RequestEditorStore(memory([null, 3, { id: 'a' }, record('b')])).find('a'), undefined);
    assert.equal(new RequestEditorStore(memory([null, { id: 'a' }, record('b')])).find('b')?.line, 0);
  });
});
