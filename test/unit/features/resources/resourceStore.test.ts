import assert from 'node:assert/strict';
import { ServiceError } from '../../../../src/client/transport/errors';
import { everyKind, kinds } from '../../../../src/features/resources/kinds';
import { ResourceStore } from '../../../../src/features/resources/resourceStore';
import { unlookedSurroundings } from './unlookedSurroundings';

const failure = (status: number, kind: 'not_found' | 'api') =>
  new ServiceError('no', { kind, outcome: 'refused', method: 'GET', host: 'h', path: '/', status });
const [first] = kinds;
const name = first?.kind ?? '';

describe('features/resources/resourceStore', () => {
  it('hides a group only on a 404 of its collection, and shows it again when it answers', () => {
    const store = new ResourceStore(kinds, unlookedSurroundings);
    store.reset('Lab');
    const shown = () => store.groups().some(({ kind }) => kind === name);
    store.probed('Lab', name, failure(500, 'api'));
    assert.equal(shown(), true);
    store.probed('Lab', name, failure(404, 'not_found'));
    assert.equal(shown(), false);
    store.probed('Elsewhere', name, undefined);
    assert.equal(shown(), false);
    store.probed('Lab', name, undefined);
    assert.equal(shown(), true);
  });

  it('has a list for each group, and takes in what was made, changed or deleted', () => {
    const store = new ResourceStore(kinds, unlookedSurroundings);
    store.reset('Lab');
    const kind = everyKind.find(one => one.kind === 'work');
    assert.ok(first !== undefined && kind !== undefined);
    const parent = { connection: 'Lab', kind: name, id: 'p' };
    assert.equal(store.listOf('Lab', kind, parent), store.listOf('Lab', kind, { ...parent }));
    assert.notEqual(store.listOf('Lab', kind, parent), store.listOf('Lab', kind, { ...parent, id: 'q' }));
    store.listOf('Lab', first);
    store.put(parent, { id: 'p' });
    assert.deepEqual(store.find(parent), { id: 'p' });
    store.remove(parent);
    assert.equal(store.find(parent), undefined);
    store.reset('Other');
    assert.deepEqual(store.all(), []);
  });
});
