import assert from 'node:assert/strict';
import { fileIdAt } from '../../../../../src/features/resources/serviceFiles/fileIdLanguage';

describe('features/resources/serviceFiles/fileIdLanguage', () => {
  const line = '{"source":{"type":"file","file_id": "file_1"},"other":{"file_id":"file_2"},"text":"file_3"}';

  it('finds the ID in the field at a column, and no other', () => {
    const at = (words: string) => fileIdAt(line, line.indexOf(words) + 1)?.id;
    assert.deepEqual(
      [at('file_1'), at('"file_id": '), at('file_2'), at('file_3'), at('source')],
      ['file_1', 'file_1', 'file_2', undefined, undefined],
    );
  });

  it('returns the position of the field in a line of any length', () => {
    const long = `${'x'.repeat(5_000_000)}"file_id":"file_9"${'y'.repeat(5_000_000)}`;
    assert.deepEqual(fileIdAt(long, 5_000_012), { id: 'file_9', start: 5_000_000, end: 5_000_018 });
    assert.equal(fileIdAt(long, 10), undefined);
  });
});
