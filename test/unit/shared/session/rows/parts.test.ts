import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toJsonPart, toParts, toSummary, toTextPart } from '../../../../../src/shared/session/rows/parts';

describe('shared/session/rows/parts', () => {
  it('keeps the start of a long text, and never half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.integer({ min: 1, max: 20 }), (text, limit) => {
        const part = toTextPart(text, limit);
        assert.ok(text.startsWith(part.text));
        assert.ok(!/\p{Cs}/u.test(part.text));
        assert.equal(part.cut, text.length > limit ? text.length : undefined);
        assert.ok(text.length <= limit ? part.text === text : limit - part.text.length <= 1);
      }),
    );
  });

  it('returns the size of inlined data', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), bytes => {
        const data = Buffer.from(bytes).toString('base64');
        const [part] = toParts([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }], 100);
        assert.ok(part?.type === 'image');
        assert.equal(part.bytes, bytes.length);
      }),
    );
  });

  it('creates a part for each block, and none for a missing one', () => {
    assert.deepEqual(toParts(undefined, 10), []);
    assert.deepEqual(toParts('', 10), []);
    assert.deepEqual(toParts('words', 10), [{ type: 'text', text: 'words' }]);
    assert.deepEqual(toParts([null, 7, 'x', { type: 'text' }], 100).length, 4);
    const found = {
      type: 'search_result',
      title: 'T',
      source: 'S',
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    };
    assert.deepEqual(toParts([found], 100), [{ type: 'document', title: 'T', source: 'S', text: 'a\nb' }]);
  });

  it('returns nothing for JSON that is nested too deeply, without failing', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
    assert.equal(toJsonPart(deep, 100).text, '');
  });

  it('summarizes a text in one line', () => {
    assert.equal(toSummary('  one\r\n\ttwo  three '), 'one two three');
    assert.equal(toSummary('one two'), 'one two');
    assert.equal(Array.from(toSummary('x'.repeat(5000))).length, 200);
  });
});
