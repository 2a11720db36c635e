import assert from 'node:assert/strict';
import { toEditedKind } from '../../../../../src/features/requests/editor/requestText';

describe('features/requests/editor/editedKind', () => {
  it('distinguishes bare params from whole requests by their fields, even in broken lines', () => {
    for (const [line, kind] of [
      ['{"custom_id":"a"}', 'request'],
      ['{"params":{"model":"m"}}', 'request'],
      ['{"model":"m","tools":[{"input_schema":{"properties":{"params":{}}}}]}', 'params'],
      ['{"messages":[{"content":"\\"custom_id\\": 1"}],', 'params'],
      ['{"custom_id":"a","params":{"model":"m"', 'request'],
      ['{}', 'request'],
      ['3', 'request'],
      ['words', 'request'],
    ] as const) {
      assert.equal(toEditedKind(line), kind, line);
    }
  });
});
