import assert from 'node:assert/strict';
import { describeValue, toByteSize, toLabel, toVisibleText } from '../../../src/shared/text';

describe('shared/text', () => {
  it('escapes control, bidirectional and invisible characters', () => {
    assert.equal(toLabel('a\u202eb\u0007c\u200bd\ne'), 'a\\u{202e}b\\u{7}c\\u{200b}d\\u{a}e');
  });

  it('escapes invisible characters, and keeps emoji', () => {
    for (const hidden of ['\u3164', '\u034f', '\u115f', '\ufe0f', '\u{e0101}', '\u2800', '\uffa0', '\u{e0041}']) {
      const shown = `\\u{${hidden.codePointAt(0)?.toString(16)}}`;
      assert.equal(toLabel(`a${hidden}b`), `a${shown}b`);
      assert.equal(toVisibleText(`a${hidden}b`), `a${shown}b`);
    }
    assert.deepEqual([toLabel('❤️!'), toVisibleText('❤️!')], ['❤️!', '❤️!']);
  });

  it('describes any JSON value in words', () => {
    const values: readonly unknown[] = ['a "text"', 3, false, null, undefined, [1, 'b'], { toString: 1, valueOf: null }];
    assert.deepEqual(values.map(describeValue), ['a "text"', '3', 'false', '', '', '[1,"b"]', '{"toString":1,"valueOf":null}']);
  });

  it('cuts at code points', () => {
    assert.equal(toLabel('😀'.repeat(300)), `${'😀'.repeat(199)}…`);
  });

  it('reads only the start of a long text', () => {
    assert.equal(toLabel(`\u202e${'a'.repeat(10_000_000)}`), `\\u{202e}${'a'.repeat(191)}…`);
    assert.equal(toLabel('a'.repeat(200)), 'a'.repeat(200));
    assert.equal(toLabel('a'.repeat(201)), `${'a'.repeat(199)}…`);
    assert.equal(toLabel(`a${'😀'.repeat(300)}`), `a${'😀'.repeat(198)}…`);
  });

  it('escapes hidden and bidirectional characters in text of many lines, and keeps joiners', () => {
    assert.equal(toVisibleText('a\tb\nc\rd\u202ee\u200bf\u001b[0m 👨‍👩‍👧'), 'a\tb\nc\\u{d}d\\u{202e}e\\u{200b}f\\u{1b}[0m 👨‍👩‍👧');
  });

  it('formats sizes in powers of a thousand', () => {
    assert.deepEqual(
      [0, 999, 1000, 4200, 250_000_000, 999_950].map(bytes => toByteSize(bytes, 'en')),
      ['0 B', '999 B', '1 KB', '4.2 KB', '250 MB', '1 MB'],
    );
  });
});
