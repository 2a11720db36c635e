import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toFileStem } from '../../../../src/common/text/fileStem';

describe('common/text/fileStem', () => {
  it('never returns a device name', () => {
    for (const name of ['CON', 'con.txt', 'Com1', 'COM¹', 'lpt³.x', 'nul ', 'aux .txt', 'CONIN$', 'clock$']) {
      assert.match(toFileStem(name), /^_/, name);
    }
    assert.equal(toFileStem('console'), 'console');
    assert.equal(toFileStem('com10'), 'com10');
  });

  it('fits the limit in bytes, with whole characters', () => {
    assert.equal(toFileStem('🙂'.repeat(300)), '🙂'.repeat(50));
    assert.equal(toFileStem('日'.repeat(300)), '日'.repeat(66));
    assert.equal(toFileStem('a'.repeat(300)), 'a'.repeat(80));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), text => {
        const stem = toFileStem(text);
        assert.ok(Buffer.byteLength(stem) <= 201 && stem.isWellFormed());
        assert.doesNotMatch(stem, /[/\\:]|^\.|[. ]$/);
      }),
    );
  });
});
