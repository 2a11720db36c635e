import assert from 'node:assert/strict';
import { describeValue, toByteSize, toLabel, toVisibleText } from '../../../src/shared/text';

describe('shared/text', () => {
  it('shows control, bidirectional and invisible characters as escapes', () => {
    assert.equal(toLabel('a\u202eb\u0007c\u200bd\ne'), 'a\\u{202e}b\\u{7}c\\u{200b}d\\u{a}e');
  });

  it('shows what draws nothing, and leaves an emoji as it is', () => {
    for (const hidden of ['\u3164', '\u034f', '\u115f', '\ufe0f', '\u{e0101}', '\u2800', '\uffa0', '\u{e0041}']) {
      const shown = `\\u{${hidden.codePointAt(0)?.toString(16)}}`;
      assert.equal(toLabel(`a${hidden}b`), `a${shown}b`);
      assert.equal(toVisibleText(`a${hidden}b`), `a${shown}b`);
    }
    assert.deepEqual([toLabel('❤️!'), toVisibleText('❤️!')], ['❤️!', '❤️!']);
  });

  it('says any value of JSON in words', () => {
    const values: readonly unknown[] = ['a "text"', 3, false, null, undefined, [1, 'b'], { toString: 1, valueOf: null }];
    assert.deepEqual(values.map(describeValue), ['a "text"', '3', 'false', '', '', '[1,"b"]', '{"toString":1,"valueOf":null}']);
  });

  it('cuts at code points, never inside one', () => {
    assert.equal(toLabel('😀'.repeat(300)), `${'😀'.repeat(199)}…`);
  });

  it('looks only at the beginning of a long text', () => {
    assert.equal(toLabel(`\u202e${'a'.repeat(10_000_000)}`), `\\u{202e}${'a'.repeat(191)}…`);
    assert.equal(toLabel('a'.repeat(200)), 'a'.repeat(200));
    assert.equal(toLabel('a'.repeat(201)), `${'a'.repeat(199)}…`);
    assert.equal(toLabel(`a${'😀'.repeat(300)}`), `a${'😀'.repeat(198)}…`);
  });

  it('shows in a text of many lines what could hide or turn something, and leaves joiners', () => {
    assert.equal(toVisibleText('a\tb\nc\rd\u202ee\u200bf\u001b[0m 👨‍👩‍👧'), 'a\tb\nc\\u{d}d\\u{202e}e\\u{200b}f\\u{1b}[0m 👨‍👩‍👧');
  });

  it('gives sizes in powers of a thousand', () => {
    assert.deepEqual(
      [0, 999, 1000, 4200, 250_000_000, 999_950].map(bytes => toByteSize(bytes, 'en')),
      ['0 B', '999 B', '1 KB', '4.2 KB', '250 MB', '1 MB'],
    );
  });
});
