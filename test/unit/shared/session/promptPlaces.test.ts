import assert from 'node:assert/strict';
import { placesOf } from '../../../../src/shared/session/promptPlaces';

describe('shared/session/promptPlaces', () => {
  it('finds words in double braces within a line', () => {
    const text = 'Review {{what}} for {{ whom }}, not {{}} or {{a\nb}} or {x}';
    assert.deepEqual(
      placesOf(text).map(({ start, end }) => text.slice(start, end)),
      ['{{what}}', '{{ whom }}'],
    );
    assert.deepEqual(placesOf(''), []);
  });
});
