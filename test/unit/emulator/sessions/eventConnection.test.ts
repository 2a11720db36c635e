import assert from 'node:assert/strict';
import type { Fault } from '../../../../src/emulator/faults';
import { ScenarioStore } from '../../../../src/emulator/scenarios';
import { faultyFrames } from '../../../../src/emulator/sessions/eventConnection';

describe('emulator/sessions/eventConnection', () => {
  function framesWith(count: number, ...faults: Fault[]) {
    const store = new ScenarioStore({ faults });
    const found = store.take('sessions.events.stream');
    return Array.from({ length: count }, (_, n) => faultyFrames(found, `event ${n + 1}`, n + 1));
  }

  it('passes everything without faults', () => {
    assert.deepEqual(framesWith(2), [['event 1'], ['event 2']]);
  });

  it('repeats every nth event', () => {
    assert.deepEqual(framesWith(4, { name: 'duplicateEvents', count: 2 }), [
      ['event 1'],
      ['event 2', 'event 2'],
      ['event 3'],
      ['event 4', 'event 4'],
    ]);
  });

  it('cuts after a number of events, unless bytes or seconds are given', () => {
    assert.deepEqual(framesWith(2, { name: 'cutStream', count: 2 }), [['event 1'], ['event 2', undefined]]);
    assert.deepEqual(framesWith(3, { name: 'cutStream' })[2], ['event 3', undefined]);
    for (const fault of [{ bytes: 5 }, { seconds: 5 }]) {
      assert.ok(framesWith(5, { name: 'cutStream', ...fault }).every(frames => frames.length === 1));
    }
  });

  it('inserts unknown, broken and huge events', () => {
    const frames = framesWith(
      2,
      { name: 'unknownEvents' },
      { name: 'brokenEvents', count: 2 },
      { name: 'hugeEvent', count: 2, bytes: 1000 },
    );
    assert.deepEqual(
      frames.map(list => list.length),
      [2, 4],
    );
    const [, unknown, broken, huge] = frames[1]?.map(String) ?? [];
    assert.match(unknown ?? '', /^event: vendor\.never_heard_of\ndata: \{.*\}\n\n$/);
    assert.match(broken ?? '', /^event: agent\.message\ndata: \{[^\n]*[^}]\n\n$/);
    assert.ok((huge ?? '').length > 1000);
  });
});
