import assert from 'node:assert/strict';
import { placeholdersOf } from '../../../../src/shared/session/composing';

describe('shared/session/composing', () => {
  it('finds words in double braces within a line', () => {
    const text = 'Review {{what}} for {{ whom }}, not {{}} or {{a\nb}} or {x}';
    assert.deepEqual(
      placeholdersOf(text).map(({ start, end }) => text.slice(start, end)),
      ['{{what}}', '{{ whom }}'],
    );
    assert.deepEqual(placeholdersOf(''), []);
  });
});
