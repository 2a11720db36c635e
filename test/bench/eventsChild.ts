// One run of one subject of the row `events` in its own process: eventsChild ours|watch|parser|sdk session|message EVENT-BYTES COUNT
// CHUNK-BYTES. Prints one line of JSON. The bytes are in memory. A body yields them in chunks, like the network.
import { ReadableStream } from 'node:stream/web';
import { Stream } from '@anthropic-ai/sdk/core/streaming';
import { createParser } from 'eventsource-parser';
import type { SessionEvent } from '../../src/client/events/eventLog';
import { watchEvents } from '../../src/client/events/eventStream';
import { readMessageEvents, readSessionEvents } from '../../src/client/events/streamedEvents';
import { CallFailures } from '../../src/client/transport/callFailures';

const [subject = '', kind = '', ...sizes] = process.argv.slice(2);
const [eventBytes = 0, count = 0, chunkBytes = 0] = sizes.map(Number);

/** Counts of what a reader has read. Equal counts prove that all readers did the same work. */
class Tally {
  events = 0;
  characters = 0;

  add(text: string | undefined): void {
    this.events++;
    this.characters += text?.length ?? 0;
  }
}

/** Length of all texts. */
let characters = 0;

const words = 'tokens of an answer as they come, "quoted", naïve, 価格, 😀 and\nso on '.split(/(?<= )/);
let word = 0;

/** Returns a text whose JSON fills an event of `bytes` bytes. */
function textOf(bytes: number): string {
  const frame = encode(toEvent('', 0)).length;
  let text = '';
  let length = frame;
  while (length < bytes) {
    const next = words[word++ % words.length] ?? '';
    text += next;
    length += Buffer.byteLength(JSON.stringify(next)) - 2;
  }
  characters += text.length;
  return text;
}

const isMessage = kind === 'message';

/** Returns an event of a session, or of a streamed message. */
function toEvent(text: string, index: number): { readonly type: string } {
  if (isMessage) {
    return { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } } as { readonly type: string };
  }
  const id = `sevt_${String(index).padStart(12, '0')}`;
  return { type: 'agent.message', id, content: [{ type: 'text', text }] } as { readonly type: string };
}

function textIn(event: unknown): string | undefined {
  const { delta, content } = event as {
    readonly delta?: { readonly text: string };
    readonly content?: readonly { readonly text: string }[];
  };
  return isMessage ? delta?.text : content?.[0]?.text;
}

function encode(data: { readonly type: string }): Buffer {
  return Buffer.from(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
}

function createChunks(): readonly Uint8Array[] {
  const pieces = Array.from({ length: count - 1 }, (_, index) => encode(toEvent(textOf(eventBytes), index)));
  const bytes = new Uint8Array(Buffer.concat([...pieces, encode({ type: isMessage ? 'message_stop' : 'session.status_idle' })]));
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    chunks.push(bytes.slice(at, at + chunkBytes));
  }
  return chunks;
}

const chunks = createChunks();

/** Returns the bytes as an async iterator. An async generator would take longer per chunk than the measured code. */
function body(): AsyncIterableIterator<Uint8Array, undefined> {
  let at = 0;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const value = chunks[at++];
      return value === undefined ? { done: true, value } : { done: false, value };
    },
  };
}

const timeouts = { connect: 0, firstByte: 0, bodySilence: 0, streamSilence: 0, call: 0 };
const failures = new CallFailures({ method: 'POST', host: '127.0.0.1', path: '/v1/messages', key: undefined }, timeouts);

const answerOf = () => ({
  status: 200,
  body: body(),
  contentLength: undefined,
  requestId: undefined,
  contentType: 'text/event-stream',
  failures,
  headers: {},
  cancel: () => {},
});

const subjects: Record<string, (tally: Tally) => unknown> = {
  // Reads all events of one chunk at once, as the watch does.
  ours: async tally => {
    if (isMessage) {
      for await (const event of await readMessageEvents(answerOf())) {
        tally.add(textIn(event));
      }
      return;
    }
    const stream = await readSessionEvents(answerOf());
    const events = stream[Symbol.asyncIterator]();
    for (let next = await events.next(); next.done !== true; next = await events.next()) {
      tally.add(textIn(next.value));
      for (const event of stream.takeArrived?.() ?? []) {
        tally.add(textIn(event));
      }
    }
  },
  // Includes all steps of the client: events are identified, compared, merged and delivered.
  watch: async tally => {
    const abort = new AbortController();
    const log = {
      list: async () => ({ items: [] as SessionEvent[], nextCursor: undefined, requestId: undefined }),
      stream: () => readSessionEvents(answerOf()),
    };
    for await (const update of watchEvents(log, { signal: abort.signal })) {
      if (update.type === 'events') {
        for (const event of update.events) {
          tally.add(textIn(event));
        }
        if (tally.events >= count) {
          break;
        }
      }
    }
  },
  // Takes the minimum time for these bytes, without iteration, await or checks.
  parser: tally => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const parser = createParser({ onEvent: ({ data }) => tally.add(textIn(JSON.parse(data))) });
    for (const chunk of chunks) {
      parser.feed(decoder.decode(chunk, { stream: true }));
    }
  },
  sdk: async tally => {
    const source = ReadableStream.from(body());
    const response = new Response(source as unknown as BodyInit);
    for await (const event of Stream.fromSSEResponse<unknown>(response, new AbortController())) {
      tally.add(textIn(event));
    }
  },
};

const read = subjects[subject];
if (read === undefined) {
  throw new Error(`There is no subject ${subject}.`);
}

async function readOnce(): Promise<void> {
  const tally = new Tally();
  await read?.(tally);
  if (tally.events !== count || tally.characters !== characters) {
    throw new Error(`${subject} read ${tally.events} of ${count} events and ${tally.characters} of ${characters} characters.`);
  }
}

/** Reads for at least `minMs`. Returns the elapsed and the processor time of one reading, in milliseconds. */
async function readFor(minMs: number) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  let ms = 0;
  let times = 0;
  while (ms < minMs) {
    await readOnce();
    times++;
    ms = performance.now() - start;
  }
  const { user, system } = process.cpuUsage(cpu);
  return { ms: ms / times, cpuMs: (user + system) / 1000 / times };
}

// Warms up the code.
await readFor(200);
console.log(JSON.stringify({ ...(await readFor(300)), megabytes: chunks.reduce((sum, chunk) => sum + chunk.length, 0) / 1e6 }));
