import assert from 'node:assert/strict';
import { EventReader, type ServerSentEvent } from '../../../../src/client/events/sse';
import { collect } from '../loopback';

describe('client/events/sse', () => {
  const tooLarge = () => new RangeError('too large');
  const plain = { toItem: (event: ServerSentEvent) => event, tooLarge };
  async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) {
      yield bytes.subarray(at, at + size);
    }
  }
  const text =
    '\ufeff: hello\nid: 1\nevent: a\ndata: {"x":"ü😀"}\n\ndata:two\r\ndata: lines\r\n\r\nid\ndata:\ufeffbom\r\rretry: 7\n\ndata: unfinished';
  const expected: readonly ServerSentEvent[] = [
    { event: 'a', id: '1', data: '{"x":"ü😀"}' },
    { event: undefined, id: '1', data: 'two\nlines' },
    { event: undefined, id: '', data: '\ufeffbom' },
  ];

  it('finds the same events wherever the bytes are cut', async () => {
    const bytes = Buffer.from(text);
    for (let size = 1; size <= bytes.length; size++) {
      assert.deepEqual(await collect(new EventReader(pieces(bytes, size), plain)), expected, `pieces of ${size}`);
    }
  });

  it('yields what precedes an invalid event, then fails and closes the body', async () => {
    let left = false;
    async function* body(): AsyncGenerator<Uint8Array> {
      try {
        yield Buffer.from('data: 1\n\ndata: bad\n\ndata: 2\n\n');
        yield Buffer.from('data: 3\n\n');
      } finally {
        left = true;
      }
    }
    const toItem = ({ data }: ServerSentEvent) => JSON.parse(data) as number;
    const seen: number[] = [];
    const reading = (async () => {
      for await (const item of new EventReader(body(), { toItem, tooLarge })) {
        seen.push(item);
      }
    })();
    await assert.rejects(reading, SyntaxError);
    assert.deepEqual([seen, left], [[1], true]);
  });

  it('stays ended', async () => {
    const reader = new EventReader(pieces(Buffer.from('data: 1\n\n'), 3), plain);
    assert.equal((await collect(reader)).length, 1);
    assert.deepEqual(await reader.next(), { done: true, value: undefined });
  });

  it('keeps the last ID and the requested retry delay', async () => {
    const reader = new EventReader(pieces(Buffer.from('id: 5\n\nretry: 250\n\n'), 3), plain);
    await collect(reader);
    assert.deepEqual([reader.lastEventId, reader.retry], ['5', 250]);
  });

  it('rejects an event over the limit, in one line or in many', async () => {
    const read = (lines: string) => collect(new EventReader(pieces(Buffer.from(lines), 700), { ...plain, maxEvent: 1000 }));
    for (const line of [`data: ${'x'.repeat(2000)}`, `data: ${'x'.repeat(100)}\n`.repeat(20)]) {
      await assert.rejects(read(line), RangeError);
    }
    assert.equal((await read(`data: ${'x'.repeat(100)}\n\n`.repeat(50))).length, 50);
  });

  it('closes the body when its reader leaves', async () => {
    let left = false;
    async function* body(): AsyncGenerator<Uint8Array> {
      try {
        while (true) {
          yield Buffer.from('data: 1\n\n');
        }
      } finally {
        left = true;
      }
    }
    for await (const _ of new EventReader(body(), plain)) {
      break;
    }
    assert.equal(left, true);
  });
});
