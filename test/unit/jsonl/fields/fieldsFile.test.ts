import assert from 'node:assert/strict';
import { RequestFields } from '../../../../src/jsonl/fields/fieldsFile';
import { TestFiles } from '../arranging/requestFiles';

describe('jsonl/fields/fieldsFile', () => {
  const files = new TestFiles();

  it('joins the fields of several lines of a request, the last one wins, and skips invalid lines', () => {
    const file = files.write('a.fields.jsonl', '{"custom_id":"a","row":7,"x":1}\n\nno\n{"custom_id":"b"}\n{"custom_id":"a","x":2,"y":"z"}');
    const fields = RequestFields.read(file, () => {});
    assert.deepEqual(
      [...(fields.of('a') ?? [])],
      [
        ['row', '7'],
        ['x', '2'],
        ['y', '"z"'],
      ],
    );
    assert.deepEqual([fields.names, fields.size], [['row', 'x', 'y'], 2]);
  });
});
