import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { sha256 } from '../../../src/shared/sha256';
import { anyCharacter } from '../../helpers/anyCharacter';
import { runs } from '../../helpers/runs';

const expected = (text: string) => createHash('sha256').update(text).digest('hex');

describe('shared/sha256', () => {
  it('gives what everybody gives, at every length around a block', () => {
    for (let length = 0; length <= 200; length++) {
      const text = 'ab\u00e9'.repeat(length).slice(0, length);
      assert.equal(sha256(text), expected(text), `${length} characters`);
    }
  });

  it('does so for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), text => assert.equal(sha256(text), expected(text))),
      { numRuns: runs(500) },
    );
  });
});
