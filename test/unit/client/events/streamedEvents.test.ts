import assert from 'node:assert/strict';
import type { SessionEvent, SessionEventStream } from '../../../../src/client/events/eventLog';
import { collect, failureOf, Loopback } from '../loopback';

describe('client/events/streamedEvents', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  async function open(text: string, type = 'text/event-stream', status = 200): Promise<SessionEventStream> {
    const origin = await loopback.http((_, response) => response.writeHead(status, { 'content-type': type }).end(text));
    return loopback.client(origin).sessions.events('s').stream();
  }

  it('takes the type from the data, and from the event line only if the data has none', async () => {
    const stream = await open(
      'event: message\ndata: {"type":"agent.message","id":"1","later":[1]}\n\n' +
        'data: {"type":"agent.thinking"}\n\nevent: custom\ndata: {"a":1}\n\ndata: {}\n\n',
    );
    assert.deepEqual(await collect(stream), [
      { type: 'agent.message', id: '1', later: [1] },
      { type: 'agent.thinking' },
      { type: 'custom', a: 1 },
      { type: '' },
    ]);
    assert.ok(stream.receivedBytes > 100);
  });

  it('keeps non-objects, and leaves out only fields of a wrong type', async () => {
    const deep = `{"type":"x","a":${'['.repeat(600)}${']'.repeat(600)}}`;
    const stream = await open(
      `data: not json\n\ndata: [1]\n\ndata: null\n\ndata: {"type":"x","id":5,"processed_at":false,"y":1}\n\ndata: ${deep}\n\n`,
    );
    assert.deepEqual(await collect(stream), [
      { type: 'unreadable', text: 'not json' },
      { type: 'unreadable', text: '[1]' },
      { type: 'unreadable', text: 'null' },
      { type: 'x', y: 1 },
      { type: 'unreadable', text: deep },
    ]);
  });

  it('throws a stream error after the preceding events, and keeps a stored error', async () => {
    for (const frame of [
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Busy"}}',
      'data: {"type":"error","error":{"type":"overloaded_error","message":"Busy"}}',
      'event: error\ndata: {"error":{"type":"overloaded_error","message":"Busy"}}',
    ]) {
      const stream = await open(`data: {"type":"a"}\n\ndata: {"type":"error","id":"sevt_1"}\n\n${frame}\n\ndata: {"type":"b"}\n\n`);
      const seen: SessionEvent[] = [];
      const reading = (async () => {
        for await (const event of stream) {
          seen.push(event);
        }
      })();
      const error = await failureOf(reading);
      assert.deepEqual([error.kind, error.serviceMessage], ['overloaded', 'Busy']);
      assert.deepEqual(seen, [{ type: 'a' }, { type: 'error', id: 'sevt_1' }]);
    }
    assert.equal((await failureOf(collect(await open('event: error\ndata: plain words\n\n')))).kind, 'stream_error');
  });

  it('yields the events of one chunk together, with frame IDs', async () => {
    const stream = await open('id: 7\nretry: 1000\ndata: {"type":"a"}\n\ndata: {"type":"b"}\n\nid: 8\ndata: {"type":"c","id":"x"}\n\n');
    const events = stream[Symbol.asyncIterator]();
    const first = await events.next();
    const all = [...(first.done === true ? [] : [first.value]), ...(stream.takeArrived?.() ?? [])];
    assert.deepEqual(
      all.map(event => [event.type, stream.frameIdOf?.(event)]),
      [
        ['a', '7'],
        ['b', undefined],
        ['c', undefined],
      ],
    );
    assert.deepEqual([stream.lastEventId, stream.retry], ['8', 1000]);
    assert.deepEqual(await events.next(), { done: true, value: undefined });
  });

  it("reports that the service doesn't stream, or has nothing to stream", async () => {
    assert.equal((await failureOf(open('{"data":[]}', 'application/json'))).kind, 'mismatch');
    assert.equal((await failureOf(open('hello', 'text/plain'))).kind, 'not_json');
    const nothing = await loopback.http((_, response) => response.writeHead(204).end());
    assert.equal((await loopback.client(nothing).sessions.events('s').stream()).status, 204);
  });
});
