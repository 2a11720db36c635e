import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TranscriptEvent } from '../../../../src/shared/session/event';
import { knownEventTypes } from '../../../../src/shared/session/rows/eventRows';
import { Transcript } from '../../../../src/shared/session/transcript';
import { eventLogs } from './eventLogs';
import { recordedStream } from './recordings';
import { message, rowsOf, toolsOf } from './transcriptUnderTest';

/** Returns the previews of the messages in some events. */
function previewsOf(events: readonly TranscriptEvent[]): readonly TranscriptEvent[] {
  return events
    .filter(({ type }) => type === 'agent.message')
    .flatMap(({ id, type }) => [
      { type: 'event_start', event: { type, id } },
      { type: 'event_delta', event_id: id, delta: { type: 'content_delta', content: { type: 'text', text: 'wor' } } },
      { type: 'event_delta', event_id: id, delta: { type: 'content_delta', index: 1, content: { type: 'text', text: 'ds' } } },
      { type: 'event_delta', event_id: 'never begun', delta: { type: 'content_delta', content: { type: 'text', text: '?' } } },
    ]);
}

describe('shared/session/transcript', () => {
  it('shows one row per call of a recorded stream that sends calls twice', () => {
    const tools = toolsOf(rowsOf(recordedStream('125-stream-tool-confirm.sse')));
    assert.deepEqual(
      tools.map(({ name, state, askId, confirmation }) => ({ name, state, askId, answer: confirmation?.result })),
      [
        { name: 'Bash', state: 'done', askId: 'sevt_6383d8a14231bf1df97d4e11189bbc4f', answer: 'allow' },
        { name: 'Bash', state: 'denied', askId: 'sevt_bbeb8488346359acd4fa2c7cc53540da', answer: 'deny' },
        { name: 'get_weather', state: 'done', askId: 'sevt_customf09363c6d8a6', answer: undefined },
      ],
    );
  });

  it('returns the same rows for any batching of a log and any previews in between', () => {
    fc.assert(
      fc.property(eventLogs, fc.array(fc.record({ size: fc.nat(7), noise: fc.nat(5) })), (events, batches) => {
        const transcript = new Transcript();
        let start = 0;
        for (const { size, noise } of [...batches, { size: events.length, noise: 0 }]) {
          transcript.preview(previewsOf(events.slice(start, start + noise)));
          transcript.append(events.slice(start, start + size));
          start += size;
        }
        transcript.dropPreviews();
        assert.deepEqual(transcript.rows, rowsOf(events));
      }),
    );
  });

  it('returns the same rows for a log whose gap was filled later', () => {
    fc.assert(
      fc.property(eventLogs, fc.nat(60), fc.nat(60), (events, one, other) => {
        const [from = 0, to = 0] = [one, other].map(place => place % (events.length + 1)).sort((a, b) => a - b);
        const transcript = new Transcript();
        transcript.append(events.slice(0, from));
        transcript.gap('g', 'no history');
        transcript.append(events.slice(to));
        assert.equal(transcript.rows.filter(({ kind }) => kind === 'gap').length, 1);
        transcript.correct(events.slice(Math.max(0, from - 2)));
        assert.deepEqual(transcript.rows, rowsOf(events));
        assert.deepEqual(transcript.events, events);
        const whole = new Transcript();
        whole.append(events);
        assert.deepEqual(transcript.state(), whole.state());
      }),
    );
  });

  it('returns the same rows for a log in which events changed later', () => {
    fc.assert(
      fc.property(eventLogs, fc.nat(), fc.nat(), (events, one, other) => {
        const before = events[one % Math.max(1, events.length)];
        const alike = events.filter(({ type }) => type === before?.type);
        const after = { ...before, ...alike[other % Math.max(1, alike.length)], id: before?.id ?? '', type: before?.type ?? '' };
        const changed = events.map(event => (event === before ? after : event));
        const transcript = new Transcript('main');
        transcript.append(events);
        transcript.change(before === undefined ? [] : [after]);
        const whole = new Transcript('main');
        whole.append(changed);
        assert.deepEqual(transcript.rows, whole.rows);
        assert.deepEqual(transcript.state(), whole.state());
      }),
    );
  });

  it('measures a thought from the message before it, also if the time of the message comes later', () => {
    const thought = { type: 'agent.thinking', id: 'e1', processed_at: '2026-11-21T09:00:05.500Z' };
    const transcript = new Transcript('main');
    transcript.append([{ type: 'user.message', id: 'e0', content: 'go', processed_at: null }, thought]);
    transcript.change([{ type: 'user.message', id: 'e0', content: 'go', processed_at: '2026-11-21T09:00:01.500Z' }]);
    assert.deepEqual(
      transcript.rows.map(row => row.kind === 'thinking' && row.durationMs),
      [false, 4000],
    );
  });

  it('gives an interrupted call the time of the interrupt', () => {
    const at = (ms: number) => new Date(Date.UTC(2026, 10, 21) + ms).toISOString();
    const call = { type: 'agent.tool_use', id: 'e0', name: 'bash', input: {}, tool_use_id: 'toolu_0', evaluated_permission: 'ask' };
    const events = [
      { ...call, processed_at: at(0) },
      { type: 'user.interrupt', id: 'e1', processed_at: at(0) },
    ];
    const changed = { type: 'user.interrupt', id: 'e1', processed_at: at(1) };
    const transcript = new Transcript('main');
    transcript.append(events);
    transcript.change([changed]);
    const whole = new Transcript('main');
    whole.append([events[0] ?? assert.fail(), changed]);
    assert.deepEqual(transcript.rows, whole.rows);
  });

  it('knows when a queued message was processed', () => {
    const message = (id: string, ms: number | undefined): TranscriptEvent => ({
      type: 'user.message',
      id,
      content: [{ type: 'text', text: 'words' }],
      processed_at: ms === undefined ? null : new Date(ms).toISOString(),
    });
    const transcript = new Transcript('main');
    transcript.append([message('e0', 1000), message('e1', undefined)]);
    transcript.change([message('e1', 61_000)]);
    const { facts } = transcript.state();
    assert.equal(facts.lastAt?.ms, 61_000);
    assert.equal(facts.progress.lastAt, 61_000);
  });

  it('changes many events in one pass over the log', () => {
    let reads = 0;
    const counted = (event: TranscriptEvent): TranscriptEvent =>
      Object.defineProperty({ ...event }, 'type', {
        enumerable: true,
        get: () => {
          reads++;
          return event.type;
        },
      });
    const readsFor = (count: number) => {
      const messages = Array.from({ length: count }, (_, index) => message(`e${index}`, 'go', { processed_at: null }));
      const transcript = new Transcript('main');
      transcript.append(messages.map(counted));
      reads = 0;
      transcript.change(messages.map(({ id }) => counted(message(String(id), 'go'))));
      return reads;
    };
    const once = readsFor(500);
    assert.ok(once > 0);
    assert.ok(readsFor(1000) < 2.2 * once);
  });

  it('ends with the last content of an event that changed twice at once', () => {
    const transcript = new Transcript('main');
    transcript.append([message('e0', 'one')]);
    transcript.change([message('e0', 'two'), message('e0', 'one')]);
    assert.deepEqual(transcript.events, [message('e0', 'one')]);
  });

  it('starts with the current words of its first message', () => {
    const message = (text: string): TranscriptEvent => ({ type: 'user.message', id: 'u1', content: [{ type: 'text', text }] });
    const transcript = new Transcript('main');
    transcript.append([message('before')]);
    transcript.change([message('now')]);
    assert.equal(transcript.state().facts.firstWords, 'now');
  });

  it('keeps its result while the log grows', () => {
    const transcript = new Transcript('main');
    transcript.append([{ type: 'session.thread_created', id: 'a', session_thread_id: 't1', agent_name: 'one' }]);
    const { facts } = transcript.state();
    transcript.append([{ type: 'session.thread_created', id: 'b', session_thread_id: 't2', agent_name: 'two' }]);
    assert.deepEqual([...facts.threads.keys()], ['t1']);
    assert.deepEqual([...transcript.state().facts.threads.keys()], ['t1', 't2']);
  });

  it('returns the same object for a row until it changes', () => {
    const transcript = new Transcript('main');
    transcript.append([message('e1', 'one'), { type: 'agent.tool_use', id: 'c', name: 'bash', input: {} }]);
    const [one, call] = transcript.rows;
    transcript.append([{ type: 'agent.tool_result', id: 'r', tool_use_id: 'c', content: [] }, message('e2', 'two')]);
    assert.equal(transcript.rows[0], one);
    assert.notEqual(transcript.rows[1], call);
  });

  it('treats a repeated event as a change', () => {
    const transcript = new Transcript();
    transcript.append([message('e1', 'one'), { type: 'session.updated', id: 'u', title: 'old' }]);
    transcript.append([message('e1', 'uno'), { type: 'session.updated', id: 'u', title: 'new' }, message('e2', 'two')]);
    assert.deepEqual(
      transcript.rows.map(({ summary }) => summary),
      ['uno', 'new', 'two'],
    );
    assert.equal(transcript.state().facts.title?.value, 'new');
    assert.equal(transcript.events.length, 3);
  });

  it('keeps several gaps apart, each with its latest problem', () => {
    const transcript = new Transcript();
    transcript.gap('a', 'first');
    transcript.append([message('e1', 'one')]);
    transcript.gap('b', 'second');
    transcript.gap('a', 'still');
    transcript.append([message('e3', 'three')]);
    const summaries = () => transcript.rows.map(({ summary }) => summary);
    assert.deepEqual(summaries(), ['still', 'one', 'second', 'three']);
    transcript.correct([message('e0', 'zero'), message('e1', 'one'), message('e2', 'two'), message('e3', 'three')]);
    assert.deepEqual(summaries(), ['zero', 'one', 'two', 'three']);
  });

  it('orders events despite gaps, with what it knows of them', () => {
    const transcript = new Transcript();
    const rows = () => transcript.rows.map(({ key, summary }) => [key, summary]);
    transcript.append([message('e1', 'one'), message('e3', 'three')]);
    transcript.gap('g', 'no');
    transcript.append([message('e6', 'six'), message('e5', 'five'), message('e9', 'nine')]);
    transcript.correct([message('e3', 'an older copy'), message('e4', 'four'), message('e5', 'five'), message('e6', 'six')]);
    assert.deepEqual(rows(), [
      ['e1', 'one'],
      ['e3', 'three'],
      ['e4', 'four'],
      ['e5', 'five'],
      ['e6', 'six'],
      ['e9', 'nine'],
    ]);
  });

  it('orders events without an ID like the log', () => {
    const transcript = new Transcript();
    const plain = (text: string) => ({ type: 'agent.message', content: [{ type: 'text', text }] });
    transcript.gap('g', 'no');
    transcript.append([plain('two')]);
    transcript.correct([plain('one'), plain('two')]);
    assert.deepEqual(
      transcript.rows.map(({ summary }) => summary),
      ['one', 'two'],
    );
  });

  it('marks rows of other threads, but not of the shown one on a server that stamps all events', () => {
    const transcript = new Transcript();
    transcript.append([
      { type: 'agent.tool_use', id: 'a', name: 'bash', session_thread_id: 'main' },
      { type: 'session.status_idle', id: 'b', session_thread_id: 'main' },
      { type: 'agent.tool_use', id: 'c', name: 'bash', session_thread_id: 'child' },
    ]);
    assert.deepEqual(
      transcript.rows.map(({ thread }) => thread),
      [undefined, undefined, 'child'],
    );
    assert.equal(transcript.shownThread, 'main');
    const other = new Transcript();
    other.append([{ type: 'agent.tool_use', id: 'a', name: 'bash', session_thread_id: 'main' }]);
    assert.equal(other.rows[0]?.thread, 'main');
    other.setShownThread('main');
    assert.equal(other.rows[0]?.thread, undefined);
  });

  it('cuts long content between characters, and returns all of it on request', () => {
    const text = `${'x'.repeat(3999)}😀 and the needle at the end`;
    const input = { command: 'y'.repeat(5000) };
    const transcript = new Transcript();
    transcript.append([
      message('m', text),
      { type: 'agent.tool_use', id: 'call', name: 'bash', input, evaluated_permission: 'ask' },
      {
        type: 'agent.tool_result',
        id: 'r',
        tool_use_id: 'call',
        content: [
          { type: 'text', text: 'short' },
          { type: 'text', text },
        ],
      },
    ]);
    const [user, tool] = transcript.rows;
    assert.ok(user?.kind === 'user' && tool?.kind === 'tool');
    assert.deepEqual(user.parts, [{ type: 'text', text: 'x'.repeat(3999), cut: text.length }]);
    assert.deepEqual(transcript.partOf('m', 'parts.0'), { type: 'text', text });
    assert.deepEqual(transcript.partOf('call', 'input'), { type: 'json', text: JSON.stringify(input, null, 2) });
    assert.deepEqual(transcript.partOf('call', 'ask'), { type: 'json', text: JSON.stringify(input, null, 2) });
    assert.deepEqual(transcript.partOf('call', 'result.1'), { type: 'text', text });
    assert.deepEqual(transcript.partOf('r', 'result.0'), { type: 'text', text: 'short' });
    for (const [key, path] of [
      ['m', 'parts.1'],
      ['m', 'rubric'],
      ['nobody', 'parts.0'],
      ['m', 'constructor'],
    ] as const) {
      assert.equal(transcript.partOf(key, path), undefined);
    }
    assert.deepEqual(transcript.search('NEEDLE'), ['m', 'call']);
    assert.deepEqual(transcript.search('needle', { keysOnlyCut: true }), ['m', 'call']);
    assert.deepEqual(transcript.search('a.*z('), []);
    assert.deepEqual(transcript.search('-/[]{}()^$|\\?*+.,&#~`'), []);
    assert.deepEqual(transcript.search(''), []);
    assert.deepEqual(
      transcript.eventsOf('call').map(({ id }) => id),
      ['call', 'r'],
    );
  });

  it('never puts inlined data into a row, and returns it on request', () => {
    const transcript = new Transcript();
    const data = Buffer.from('an image').toString('base64');
    transcript.append([
      {
        type: 'user.message',
        id: 'm',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
          { type: 'image', source: { type: 'url', url: 'https://example.com/\u202ea.png' } },
          { type: 'image', source: { type: 'file', file_id: 'file_1' } },
          { type: 'document', title: 'notes', source: { type: 'base64', media_type: 'application/pdf', data } },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain words' } },
          { type: 'redacted' },
          { type: 'hologram', depth: 3 },
        ],
      },
    ]);
    const [row] = transcript.rows;
    assert.ok(row?.kind === 'user');
    assert.ok(!JSON.stringify(row).includes(data));
    assert.deepEqual(row.parts, [
      { type: 'image', source: 'base64', mediaType: 'image/png', bytes: 8, name: 'image/png' },
      { type: 'image', source: 'url', name: 'https://example.com/\\u{202e}a.png' },
      { type: 'image', source: 'file', name: 'file_1' },
      { type: 'document', title: 'notes', source: 'application/pdf', bytes: 8 },
      { type: 'document', title: 'text/plain', source: 'text/plain', text: 'plain words' },
      { type: 'redacted' },
      { type: 'json', text: '{\n  "type": "hologram",\n  "depth": 3\n}' },
    ]);
    assert.deepEqual(transcript.partOf('m', 'parts.0'), { type: 'image', text: '', mediaType: 'image/png', data });
    assert.deepEqual(transcript.partOf('m', 'parts.1'), { type: 'image', text: 'https://example.com/\u202ea.png' });
    assert.deepEqual(transcript.partOf('m', 'parts.3'), { type: 'document', text: '', mediaType: 'application/pdf', data });
    assert.deepEqual(transcript.partOf('m', 'parts.4'), { type: 'document', text: 'plain words' });
  });

  it('keeps hostile characters in content and out of summaries', () => {
    const text = 'a\u202eb\u001b[31m\u0000c\n  d';
    const [row] = rowsOf([message('m', text)]);
    assert.ok(row?.kind === 'user');
    assert.deepEqual(row.parts, [{ type: 'text', text }]);
    assert.equal(row.summary, 'a\\u{202e}b\\u{1b}[31m\\u{0}c d');
  });

  it('accepts events of any shape', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...oddTypes), fc.dictionary(fc.constantFrom(...oddFields), fc.jsonValue()))), list => {
        const transcript = new Transcript();
        transcript.append(list.map(([type, fields]) => ({ ...fields, type }) as TranscriptEvent));
        assert.equal(new Set(transcript.rows.map(({ key }) => key)).size, transcript.rows.length);
        for (const { key } of transcript.rows) {
          assert.ok(transcript.eventOf(key) !== undefined);
        }
        transcript.state();
        transcript.search('x');
      }),
    );
  });
});

const oddTypes = [...knownEventTypes, '', 'constructor', '__proto__', 'workflow_run.created'];
const oddFields = [
  'id',
  'message_id',
  'content',
  'message',
  'input',
  'name',
  'tool_use_id',
  'custom_tool_use_id',
  'result',
  'error',
  'usage',
  'model_usage',
  'stop_reason',
  'requires_action_details',
  'session_thread_id',
  'processed_at',
  'created_at',
  'outcome_id',
  'rubric',
  'agent',
  'budget',
];
