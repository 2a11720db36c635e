import assert from 'node:assert/strict';
import { toByteSize, toLabel } from '../../../src/common/text';

describe('common/text', () => {
  it('shows control, bidirectional and invisible characters as escapes', () => {
    assert.equal(toLabel('a\u202eb\u0007c\u200bd\ne'), 'a\\u{202e}b\\u{7}c\\u{200b}d\\u{a}e');
  });

  it('cuts at code points, never inside one', () => {
    assert.equal(toLabel('😀'.repeat(300)), `${'😀'.repeat(199)}…`);
  });

  it('gives sizes in powers of a thousand', () => {
    assert.deepEqual(
      [0, 999, 1000, 4200, 250_000_000, 999_950].map(bytes => toByteSize(bytes, 'en')),
      ['0 B', '999 B', '1 KB', '4.2 KB', '250 MB', '1 MB'],
    );
  });
});
