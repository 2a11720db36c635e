import assert from 'node:assert/strict';
import type { ResourceList } from '../../../../src/features/resources/lists/resourceList';
import { presentGroup } from '../../../../src/features/resources/resourcePresentation';
import { context } from './presenting';

const listOf = (count: number, problem?: Error, isUnfolded = true) => {
  const items = Array.from({ length: count }, (_, index) => ({ id: `${index}` }));
  const list = { items, hasMore: false, isListed: true, problem };
  return { summary: () => undefined, list, isUnfolded } as unknown as ResourceList;
};

describe('features/resources/resourcePresentation', () => {
  it('counts only expanded groups, without reading the others', () => {
    assert.deepEqual(presentGroup(listOf(6), context), { description: '6', spoken: '6 in total' });
    assert.deepEqual(presentGroup(listOf(6, undefined, false), context), { description: '', spoken: '' });
  });

  it("says that a group couldn't be refreshed and shows its previous members", () => {
    assert.deepEqual(presentGroup(listOf(6, new Error('no way')), context), {
      description: '6 · out of date',
      icon: 'warning',
      color: 'list.warningForeground',
      spoken: "6 at the last refresh. Couldn't refresh: no way",
    });
    assert.deepEqual(presentGroup(listOf(0, new Error('no way')), context), { description: '0', spoken: '0 in total' });
  });
});
