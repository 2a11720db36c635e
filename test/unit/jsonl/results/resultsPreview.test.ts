import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toPreview } from '../../../../src/jsonl/results/resultsPreview';

describe('jsonl/results/resultsPreview', () => {
  it('shows a short text completely, on one line', () => {
    assert.equal(toPreview(Buffer.from('" a\\n\\tb\\u00e9 \\ud83d\\ude00 ",')), 'a bé 😀');
  });

  it('reads a string that is cut at any byte', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 });
    fc.assert(
      fc.property(text, fc.nat(), fc.boolean(), (value, cut, ascii) => {
        const json = ascii
          ? JSON.stringify(value).replace(/[^\x20-\x7e]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          : JSON.stringify(value);
        const bytes = Buffer.from(json);
        const preview = toPreview(bytes.subarray(0, 1 + (cut % bytes.length))) ?? assert.fail();
        const line = value.replace(/\s+/g, ' ').trim();
        assert.ok(line === preview || (preview.endsWith('…') && line.startsWith(preview.slice(0, -1))), `${preview} of ${line}`);
        assert.ok(!/\p{Cs}/u.test(preview));
      }),
    );
  });

  it("rejects what isn't a string", () => {
    assert.equal(toPreview(Buffer.from('{"a"')), undefined);
    assert.equal(toPreview(Buffer.alloc(0)), undefined);
    assert.equal(toPreview(Buffer.from('"a\nb"')), undefined);
  });
});
