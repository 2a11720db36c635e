import assert from 'node:assert/strict';
import { toSourceNames } from '../../../../src/features/batches/sourceNames';

describe('features/batches/sourceNames', () => {
  it('adds the folder, as short as it can be, only where a file name is not unique', () => {
    const sources = [
      'file:///ws/a/in/q.jsonl',
      'file:///ws/b/in/q.jsonl',
      'file:///ws/c%20d/q.jsonl',
      'file:///ws/other.jsonl',
      'untitled:q.jsonl',
    ];
    assert.deepEqual([...sources, sources[0] ?? '', 'file:///elsewhere/new.jsonl'].map(toSourceNames([...sources, ...sources])), [
      'q.jsonl (a/in)',
      'q.jsonl (b/in)',
      'q.jsonl (c d)',
      'other.jsonl',
      'untitled:q.jsonl',
      'q.jsonl (a/in)',
      'new.jsonl',
    ]);
  });
});
