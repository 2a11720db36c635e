import assert from 'node:assert/strict';
import { defaultScenario, ScenarioStore } from '../../../src/emulator/scenarios';

describe('emulator/scenarios', () => {
  it('changes only what it is given', () => {
    const store = new ScenarioStore({ batchDuration: 5 });
    store.change({ streamPause: 7 });
    assert.deepEqual(store.current, { ...defaultScenario, batchDuration: 5, streamPause: 7 });
  });

  it('counts a fault down at its own route and then forgets it', () => {
    const store = new ScenarioStore({ faults: [{ name: 'rateLimit', times: 2, route: 'batches.list' }] });
    assert.equal(store.take('batches.create').transport, undefined);
    assert.equal(store.take('batches.list').transport?.name, 'rateLimit');
    assert.deepEqual(store.current.faults, [{ name: 'rateLimit', times: 1, route: 'batches.list' }]);
    assert.equal(store.take('batches.list').transport?.name, 'rateLimit');
    assert.deepEqual(store.current.faults, []);
    assert.equal(store.take('batches.list').transport, undefined);
  });

  it('lets faults of the connection come one after the other', () => {
    const store = new ScenarioStore({ faults: [{ name: 'overloaded', times: 1 }, { name: 'html', times: 1 }, { name: 'stall' }] });
    const names = [1, 2, 3, 4].map(() => store.take('models.list').transport?.name);
    assert.deepEqual(names, ['overloaded', 'html', 'stall', 'stall']);
  });

  it('keeps faults in results for the results, whatever is asked before', () => {
    const store = new ScenarioStore({ faults: [{ name: 'missingResults', times: 1 }, { name: 'clockSkew' }] });
    assert.deepEqual([...store.take('models.list').content.keys()], []);
    assert.deepEqual([...store.take('batches.retrieve').content.keys()], ['clockSkew']);
    assert.deepEqual([...store.take('batches.results').content.keys()], ['missingResults', 'clockSkew']);
    assert.deepEqual([...store.take('batches.results').content.keys()], ['clockSkew']);
  });

  it('refuses what is no scenario and names the field', () => {
    const store = new ScenarioStore();
    assert.throws(() => store.change({ batchDuration: -1 }), /batchDuration/);
    assert.throws(() => store.change({ faults: [{ name: 'unheardOf' }] }), /faults\.0\.name/);
    assert.throws(() => store.change({ speed: 1 }), /scenario|speed/);
    assert.throws(() => store.change('x'), /scenario/);
    assert.throws(() => store.change({ erroredPercent: 60, expiredPercent: 60 }), /more than 100/);
    assert.deepEqual(store.current, defaultScenario);
  });

  it('lets a fault meet every route below a beginning', () => {
    const store = new ScenarioStore({ faults: [{ name: 'notFound', route: 'sessions.events' }] });
    assert.equal(store.take('sessions.events.list').transport?.name, 'notFound');
    assert.equal(store.take('sessions.events.stream').transport?.name, 'notFound');
    assert.equal(store.take('sessions.list').transport, undefined);
    assert.equal(store.take('batches.list').transport, undefined);
  });

  it('keeps faults of streams for the streams', () => {
    const store = new ScenarioStore({ faults: [{ name: 'cutStream', times: 1 }, { name: 'duplicateEvents' }] });
    assert.equal(store.take('sessions.retrieve').transport, undefined);
    const { transport, content } = store.take('sessions.threads.stream');
    assert.deepEqual([transport?.name, [...content.keys()]], ['cutStream', ['duplicateEvents']]);
    assert.equal(store.take('sessions.events.stream').transport, undefined);
  });
});
