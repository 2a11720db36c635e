import assert from 'node:assert/strict';
import { nameOf } from '../../../../src/client/events/eventNames';

describe('client/events/eventNames', () => {
  it('names an event by what it has: an id, the id of its message, a number, or its body', () => {
    const type = 'agent.message';
    assert.equal(nameOf({ type, id: 'e1', seq: 3 }), 'id agent.message e1');
    assert.equal(nameOf({ type, message_id: 'm1', seq: 3 }), 'message m1');
    assert.equal(nameOf({ type, seq: 3 }, '4'), 'seq agent.message 3');
    assert.equal(nameOf({ type }, '4'), 'seq agent.message 4');
    const named = nameOf({ type, text: 'a', more: [1] });
    assert.match(named, /^body agent\.message \d+ \d+$/);
    assert.equal(nameOf({ more: [1], text: 'a', type }), named);
    assert.notEqual(nameOf({ type, text: 'b', more: [1] }), named);
  });
});
