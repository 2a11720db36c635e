import assert from 'node:assert/strict';
import { files } from '../../../../../src/features/resources/kinds/files';
import { context } from '../presenting';

const file = (more: object) => ({ id: 'file_1', type: 'file', filename: 'notes.md', size_bytes: 4200, ...more });

describe('features/resources/kinds/files', () => {
  it("is listed with its session's files, or with uploaded ones", () => {
    const folders = (more: object) => (files.folders?.(file(more), context) ?? []).map(({ id, label }) => [id, label]);
    assert.deepEqual(folders({ scope: { type: 'session', id: 'sesn_9' } }), [
      ['sessions', 'Created by Sessions'],
      ['sesn_9', 'sesn_9'],
    ]);
    assert.deepEqual(folders({ scope: null }), [['uploaded', 'Uploaded']]);
    assert.deepEqual(folders({ scope: { type: 'later' } }), [['uploaded', 'Uploaded']]);
  });

  it('shows its size and expiry, in either wire shape', () => {
    const description = (more: object) => files.row(file(more), context).description;
    assert.equal(description({ created_at: '2026-06-01T11:00:00Z' }), '4.2 KB · 1 hr. ago');
    assert.equal(description({ expires_at: '2026-06-01T14:00:00Z' }), '4.2 KB · expires in 2 hr.');
    assert.equal(description({ expires_at: null }), '4.2 KB');
  });

  it("can be read unless the service says that it can't", () => {
    const isReadable = (more: object) => files.row(file(more), context).abilities.split(' ').includes('readable');
    assert.deepEqual([isReadable({}), isReadable({ downloadable: true }), isReadable({ downloadable: false })], [true, true, false]);
  });
});
