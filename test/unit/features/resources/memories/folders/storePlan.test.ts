import assert from 'node:assert/strict';
import { countPlan, describeDone, toPlanText } from '../../../../../../src/features/resources/memories/folders/storePlan';
import { context } from '../../presenting';

const titles = { create: 'New', replace: 'Replaced', same: 'Same', only: 'Only there', refused: 'Left out' };
const lines = [
  { act: 'same', path: '/s' },
  { act: 'create', path: '/n\u202e' },
  { act: 'refused', path: '/r', why: 'no text' },
  { act: 'create', path: '/m' },
] as const;

describe('features/resources/memories/folders/storePlan', () => {
  it('tells sort by sort what becomes of what, and hides nothing', () => {
    assert.equal(
      toPlanText('Copy', lines, titles, 'en'),
      'Copy\n\nNew (2)\n  /n\\u{202e}\n  /m\n\nLeft out (1)\n  /r: no text\n\nSame (1)\n  /s\n',
    );
    assert.equal(countPlan(lines, context.translate, 'en'), '2 new, 1 left out, 1 the same');
  });

  it('tells what was done, and the first failures by name', () => {
    assert.equal(describeDone(2, 2, [], context.translate), '2 of 2 done.');
    assert.equal(
      describeDone(1, 6, ['a: x.', 'b: x.', 'c: x.', 'd: x.', 'e: x.'], context.translate),
      '1 of 6 done. a: x. b: x. c: x. 2 more failed.',
    );
  });
});
