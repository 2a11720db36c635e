import assert from 'node:assert/strict';
import { everyKind, kinds } from '../../../../src/features/resources/kinds';
import { ResourceStore } from '../../../../src/features/resources/resourceStore';
import { hiddenSurroundings } from './hiddenSurroundings';

const [first] = kinds;
const name = first?.kind ?? '';

describe('features/resources/resourceStore', () => {
  it('has a list for each group, and adds created and changed members', () => {
    const store = new ResourceStore(kinds, hiddenSurroundings);
    store.reset('Lab');
    const kind = everyKind.find(one => one.kind === 'work');
    assert.ok(first !== undefined && kind !== undefined);
    const parent = { connection: 'Lab', kind: name, id: 'p' };
    assert.equal(store.listOf('Lab', kind, parent), store.listOf('Lab', kind, { ...parent }));
    assert.notEqual(store.listOf('Lab', kind, parent), store.listOf('Lab', kind, { ...parent, id: 'q' }));
    store.listOf('Lab', first);
    store.put(parent, { id: 'p' });
    assert.deepEqual(store.find(parent), { id: 'p' });
    store.reset('Other');
    assert.deepEqual(store.all(), []);
  });
});
