import assert from 'node:assert/strict';
import { ReadMarks } from '../../../../../src/features/sessions/list/readMarks';
import { MemoryMemento } from '../memoryMemento';

const reference = { connection: 'A', sessionId: 's' };
const at = (seconds: number) => new Date(Date.parse('2026-11-21T12:00:00Z') + seconds * 1000).toISOString();

describe('features/sessions/list/readMarks', () => {
  it('knows what happened since the user looked, over a reload, and calls nothing unread that was never looked at', () => {
    const memento = new MemoryMemento();
    const marks = new ReadMarks(memento);
    assert.equal(marks.isUnread(reference, at(0)), false);
    assert.equal(marks.mark(reference, at(0)), true);
    assert.deepEqual([marks.isUnread(reference, at(1)), marks.isUnread(reference, at(60))], [false, true]);
    marks.dispose();
    const after = new ReadMarks(memento);
    assert.deepEqual([after.isUnread(reference, at(60)), after.isUnread({ ...reference, connection: 'B' }, at(60))], [true, false]);
    assert.equal(after.mark(reference, at(60)), true);
    assert.equal(after.isUnread(reference, at(60)), false);
    assert.deepEqual([after.mark(reference, at(30)), after.mark(reference, undefined)], [false, false]);
    after.dispose();
  });

  it('writes once for many looks, is bounded, and takes nothing for a mark that is none', async () => {
    const memento = new MemoryMemento();
    await memento.update('managedAgents.sessionsRead', ['x', ['y', 'z'], ['A\ns', Date.parse(at(0))]]);
    const calls: (() => void)[] = [];
    const marks = new ReadMarks(memento, { set: call => calls.push(call), clear: () => undefined });
    for (let number = 0; number < 600; number++) {
      marks.mark({ connection: 'A', sessionId: `s${number}` }, at(number));
    }
    assert.equal(calls.length, 1);
    calls[0]?.();
    assert.equal(memento.get<unknown[]>('managedAgents.sessionsRead')?.length, 500);
    assert.equal(marks.isUnread(reference, at(60)), false);
  });
});
