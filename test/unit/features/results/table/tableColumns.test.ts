import assert from 'node:assert/strict';
import { withColumns } from '../../../../../src/features/results/table/tableColumns';
import type { ColumnLayout } from '../../../../../src/shared/results/resultsProtocol';

describe('features/results/table/tableColumns', () => {
  it('keeps the position of chosen columns, and adds others at the end', () => {
    const layout: ColumnLayout = [{ name: 'id', width: 80 }, { name: 'words' }, { name: 'line' }];
    assert.deepEqual(withColumns(layout, ['line', 'id', 'model', '$.score', 'words']), [
      { name: 'id', width: 80 },
      { name: 'words' },
      { name: 'line' },
      { name: 'model' },
      { name: '$.score' },
    ]);
    assert.deepEqual(withColumns(layout, ['line', 'test']), [{ name: 'line' }, { name: 'test' }]);
  });
});
