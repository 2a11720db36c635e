import assert from 'node:assert/strict';
import { answer } from '../../../../src/emulator/messages/answers';
import { eventsOf } from '../../../../src/emulator/messages/messageRoutes';

describe('emulator/messages/answers', () => {
  it("opens, fills and closes every block in the service's order", () => {
    const params = {
      model: 'm',
      max_tokens: 1000,
      messages: [{ role: 'user', content: 'a😀'.repeat(20) }],
      thinking: { type: 'adaptive' },
    };
    const message = answer(params, undefined, { seed: 's', tier: 'standard', length: 0, cutShort: false, refuses: false });
    const events = eventsOf(message);
    const order = events.map(event => event.type).filter((type, at, all) => type !== all[at - 1]);
    assert.deepEqual(order, [
      'message_start',
      'content_block_start',
      'ping',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    const texts = events.map(event => (event.delta as { text?: string } | undefined)?.text ?? '').filter(text => text !== '');
    assert.ok(texts.length > 3 && texts.every(text => Buffer.from(text).toString() === text));
    assert.equal(texts.join(''), message.content[1]?.type === 'text' ? message.content[1].text : undefined);
    assert.deepEqual(events[0]?.message, { ...message, content: [], stop_reason: null, usage: { ...message.usage, output_tokens: 1 } });
  });
});
