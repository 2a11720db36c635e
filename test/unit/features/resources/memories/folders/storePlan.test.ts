import assert from 'node:assert/strict';
import { countPlan, describeDone, toPlanParts } from '../../../../../../src/features/resources/memories/folders/storePlan';
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
    assert.deepEqual(toPlanParts(lines, titles, 'en'), [
      { title: 'New (2)', rows: [{ label: '/n\\u{202e}' }, { label: '/m' }] },
      { title: 'Left out (1)', rows: [{ label: '/r', description: 'no text' }] },
      { title: 'Same (1)', rows: [{ label: '/s' }] },
    ]);
    assert.equal(countPlan(lines, context.translate, 'en'), '2 new, 1 left out, 1 unchanged');
  });

  it('tells what was done, and the first failures by name', () => {
    assert.equal(describeDone('Copied 2 memories to /a.', 0, [], context.translate), 'Copied 2 memories to /a.');
    assert.equal(
      describeDone('Copied 1.', 5, ['a: x.', 'b: x.', 'c: x.', 'd: x.', 'e: x.'], context.translate),
      'Copied 1. Not done: 5. a: x. b: x. c: x. 2 more failed.',
    );
  });
});
