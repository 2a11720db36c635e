import assert from 'node:assert/strict';
import { defaultScenario, ScenarioStore } from '../../../src/emulator/scenarios';

describe('emulator/scenarios', () => {
  it('changes only the given fields', () => {
    const store = new ScenarioStore({ batchDuration: 5 });
    store.change({ streamPause: 7 });
    assert.deepEqual(store.current, { ...defaultScenario, batchDuration: 5, streamPause: 7 });
  });

  it('counts a fault down on its own route and then removes it', () => {
    const store = new ScenarioStore({ faults: [{ name: 'rateLimit', times: 2, route: 'batches.list' }] });
    assert.equal(store.take('batches.create').transport, undefined);
    assert.equal(store.take('batches.list').transport?.name, 'rateLimit');
    assert.deepEqual(store.current.faults, [{ name: 'rateLimit', times: 1, route: 'batches.list' }]);
    assert.equal(store.take('batches.list').transport?.name, 'rateLimit');
    assert.deepEqual(store.current.faults, []);
    assert.equal(store.take('batches.list').transport, undefined);
  });

  it('applies connection faults one after the other', () => {
    const store = new ScenarioStore({ faults: [{ name: 'overloaded', times: 1 }, { name: 'html', times: 1 }, { name: 'stall' }] });
    const names = [1, 2, 3, 4].map(() => store.take('models.list').transport?.name);
    assert.deepEqual(names, ['overloaded', 'html', 'stall', 'stall']);
  });

  it('keeps result faults for the results, whatever is called before', () => {
    const store = new ScenarioStore({ faults: [{ name: 'missingResults', times: 1 }, { name: 'clockSkew' }] });
    assert.deepEqual([...store.take('models.list').content.keys()], []);
    assert.deepEqual([...store.take('batches.retrieve').content.keys()], ['clockSkew']);
    assert.deepEqual([...store.take('batches.results').content.keys()], ['missingResults', 'clockSkew']);
    assert.deepEqual([...store.take('batches.results').content.keys()], ['clockSkew']);
  });

  it('rejects an invalid scenario and names the field', () => {
    const store = new ScenarioStore();
    assert.throws(() => store.change({ batchDuration: -1 }), /batchDuration/);
    assert.throws(() => store.change({ faults: [{ name: 'unheardOf' }] }), /faults\.0\.name/);
    assert.throws(() => store.change({ speed: 1 }), /scenario|speed/);
    assert.throws(() => store.change('x'), /scenario/);
    assert.throws(() => store.change({ erroredPercent: 60, expiredPercent: 60 }), /more than 100/);
    assert.deepEqual(store.current, defaultScenario);
  });

  it('applies a fault to every route below a path', () => {
    const store = new ScenarioStore({ faults: [{ name: 'notFound', route: 'sessions.events' }] });
    assert.equal(store.take('sessions.events.list').transport?.name, 'notFound');
    assert.equal(store.take('sessions.events.stream').transport?.name, 'notFound');
    assert.equal(store.take('sessions.list').transport, undefined);
    assert.equal(store.take('batches.list').transport, undefined);
  });

  it('keeps stream faults for the streams', () => {
    const store = new ScenarioStore({ faults: [{ name: 'cutStream', times: 1 }, { name: 'duplicateEvents' }] });
    assert.equal(store.take('sessions.retrieve').transport, undefined);
    const { transport, content } = store.take('sessions.threads.stream');
    assert.deepEqual([transport?.name, [...content.keys()]], ['cutStream', ['duplicateEvents']]);
    assert.equal(store.take('sessions.events.stream').transport, undefined);
  });
});
