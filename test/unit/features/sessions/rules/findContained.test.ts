import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findContained } from '../../../../../src/features/sessions/rules/decideByRules';
import { runs } from '../../../../helpers/runs';
import { assertLinear } from '../../../../helpers/workOf';

describe('features/sessions/rules/findContained', () => {
  it('finds what a search for each text would', () => {
    const unit = fc.constantFrom('a', 'b', '\u{1f600}', '\uffff');
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 30 }),
        fc.array(fc.string({ unit, minLength: 1, maxLength: 5 }), { maxLength: 8 }),
        (text, texts) => {
          assert.deepEqual(findContained(text, texts), new Set(texts.filter(each => text.includes(each))));
        },
      ),
      { numRuns: runs(5000, 500) },
    );
  });

  it('takes time that grows with the text, and with the texts @ci', () => {
    const texts = (count: number, length: number) => Array.from({ length: count }, (_, index) => `${'a'.repeat(length)}b${index}`);
    assertLinear(count => () => findContained('a'.repeat(count * 50), texts(20, 100)));
    assertLinear(count => () => findContained('a'.repeat(2000), texts(count, 50)));
    assertLinear(count => () => findContained('a'.repeat(2000), texts(5, count * 5)));
  });
});
