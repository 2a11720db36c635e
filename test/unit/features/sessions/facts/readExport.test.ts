import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exportJsonl, filterEvents } from '../../../../../src/features/sessions/facts/sessionJsonl';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import { Transcript } from '../../../../../src/shared/session/transcript';
import { anyCharacter } from '../../../../helpers/anyCharacter';
import { eventLogs } from '../../../shared/session/eventLogs';
import { recordedObject } from '../../../shared/session/recordings';
import { readExport } from './readWholeExport';

const header = { exportedAt: '2026-11-21T10:00:00Z', source: 'Local (127.0.0.1)' };

const read = (text: string) => readExport(new TextEncoder().encode(text));
const line = (event: object) => `${JSON.stringify(event)}\n`;

const anyEvent: fc.Arbitrary<TranscriptEvent> = fc
  .tuple(
    fc.oneof(fc.string(), fc.constantFrom('export.header', 'export.thread', 'export.event', 'export.gap', 'user.message')),
    fc.dictionary(fc.string(), fc.jsonValue({ stringUnit: anyCharacter })),
  )
  .filter(([type]) => type !== '')
  .map(([type, fields]) => JSON.parse(JSON.stringify({ ...fields, type })) as TranscriptEvent);

describe('features/sessions/facts/sessionJsonl', () => {
  it('restores every event unchanged', () => {
    fc.assert(
      fc.property(fc.array(anyEvent), fc.array(anyEvent), (events, others) => {
        const lines = [
          ...exportJsonl(header, [
            { thread: '', events },
            { thread: 'child', events: others },
          ]),
        ];
        assert.ok(lines.every(text => text.indexOf('\n') === text.length - 1));
        const result = read(lines.join(''));
        assert.deepEqual(result.problems, []);
        assert.deepEqual(result.events, events);
        assert.deepEqual(result.threads.get('child') ?? [], others);
      }),
    );
  });

  it('identifies itself in its first line', () => {
    const session = recordedObject('142-session-get-outcome.http');
    const threads = [{ id: 'child' }];
    const filtered = { shown: 'errors', query: 'x' } as const;
    const [first = ''] = exportJsonl({ ...header, session, threads, filtered }, []);
    assert.deepEqual(JSON.parse(first), {
      type: 'export.header',
      format: 'managed-agents-session',
      version: 1,
      exported_at: header.exportedAt,
      source: header.source,
      session,
      threads,
      filtered,
    });
    assert.deepEqual(read(first).header, { ...header, session, threads, filtered });
    assert.equal(JSON.parse([...exportJsonl(header, [])][0] ?? '').filtered, null);
  });

  it('writes line by line', () => {
    let taken = 0;
    function* events(): Generator<TranscriptEvent> {
      for (;;) {
        taken++;
        yield { type: 'user.message' };
      }
    }
    const lines = exportJsonl(header, [{ thread: '', events: events() }]);
    for (let count = 0; count < 5; count++) {
      lines.next();
    }
    assert.equal(taken, 4);
  });

  it('leaves out filtered rows, and keeps every event of the others', () => {
    const transcript = new Transcript();
    transcript.append([
      { type: 'user.message', id: 'm', content: 'look for the needle' },
      { type: 'session.status_running', id: 's' },
      { type: 'agent.tool_use', id: 'c', name: 'bash', input: {} },
      { type: 'agent.message', id: 'a', content: 'found' },
      { type: 'agent.tool_result', id: 'r', tool_use_id: 'c', content: `${'x'.repeat(9000)} needle`, is_error: true },
    ]);
    const idsOf = (filter: Parameters<typeof filterEvents>[1]) => filterEvents(transcript, filter).map(({ id }) => id);
    assert.deepEqual(idsOf({ shown: 'conversation' }), ['m', 'c', 'a', 'r']);
    assert.deepEqual(idsOf({ shown: 'conversation', query: 'NEEDLE' }), ['m', 'c', 'r']);
    assert.deepEqual(idsOf({ shown: 'errors', query: 'needle' }), ['c', 'r']);
    assert.deepEqual(idsOf({ shown: 'everything' }), ['m', 's', 'c', 'a', 'r']);
  });

  it('marks where events may be missing, with or without a filter, and reads the marks', () => {
    const transcript = new Transcript();
    transcript.append([{ type: 'user.message', id: 'a', content: 'one' }]);
    transcript.gap('g', 'no history');
    transcript.append([{ type: 'agent.message', id: 'b', content: 'two' }]);
    transcript.gap('h', 'none either');
    const kindsOf = (events: Iterable<TranscriptEvent>) => {
      const again = new Transcript();
      again.append(read([...exportJsonl(header, [{ thread: '', events }])].join('')).events);
      return again.rows.map(({ kind, type, summary }) => [kind, type, summary]);
    };
    const gaps = [
      ['gap', '', 'no history'],
      ['gap', '', 'none either'],
    ];
    assert.deepEqual(kindsOf(transcript.events), [['user', 'user.message', 'one'], gaps[0], ['agent', 'agent.message', 'two'], gaps[1]]);
    assert.deepEqual(kindsOf(filterEvents(transcript, { shown: 'errors' })), gaps);
  });

  it('keeps every event of every log without a filter', () => {
    fc.assert(
      fc.property(eventLogs, events => {
        const transcript = new Transcript();
        transcript.append(events);
        assert.deepEqual(filterEvents(transcript, { shown: 'everything' }), events);
      }),
    );
  });
});

describe('features/sessions/facts/readExport', () => {
  it('reads a list of events without a header', () => {
    const { header: none, events, problems } = read(`${line({ type: 'a' })}${JSON.stringify({ type: 'b' })}`);
    assert.equal(none, undefined);
    assert.deepEqual(events, [{ type: 'a' }, { type: 'b' }]);
    assert.deepEqual(problems, []);
  });

  it('accepts a byte order mark, CR and blank lines, and splits lines at LF only', () => {
    const { events, problems } = read(`\ufeff\r\n${JSON.stringify({ type: 'a', text: 'x\u2028y' })}\r\n\n  \n${line({ type: 'b' })}`);
    assert.deepEqual(events, [{ type: 'a', text: 'x\u2028y' }, { type: 'b' }]);
    assert.deepEqual(problems, []);
  });

  it('names unreadable lines, and reads the others', () => {
    const deep = `{"type":"deep","a":${'['.repeat(600)}${']'.repeat(600)}}`;
    const text = [JSON.stringify({ type: 'a' }), '{"type":"cut', '[1]', '{"id":"no type"}', '7', deep, JSON.stringify({ type: 'b' })].join(
      '\n',
    );
    const { events, problems } = read(text);
    assert.deepEqual(events, [{ type: 'a' }, { type: 'b' }]);
    assert.deepEqual(problems, [
      { line: 2, problem: 'notJson' },
      { line: 3, problem: 'notAnEvent' },
      { line: 4, problem: 'notAnEvent' },
      { line: 5, problem: 'notAnEvent' },
      { line: 6, problem: 'tooDeep' },
    ]);
    const bytes = new Uint8Array([
      ...new TextEncoder().encode('{"type":"'),
      0xff,
      ...new TextEncoder().encode(`"}\n${line({ type: 'b' })}`),
    ]);
    assert.deepEqual(readExport(bytes).problems, [{ line: 1, problem: 'notUtf8' }]);
    assert.deepEqual(readExport(bytes).events, [{ type: 'b' }]);
  });

  it('rejects a line over 32 MiB', () => {
    const bytes = new Uint8Array(33 * 1024 * 1024).fill(0x78);
    const end = new TextEncoder().encode(`\n${line({ type: 'b' })}`);
    const { events, problems } = readExport(Buffer.concat([new TextEncoder().encode(line({ type: 'a' })), bytes, end]));
    assert.deepEqual(events, [{ type: 'a' }, { type: 'b' }]);
    assert.deepEqual(problems, [{ line: 2, problem: 'tooLong' }]);
  });

  it('reads an empty file, and rejects another kind of file', () => {
    assert.deepEqual(read('').events, []);
    assert.deepEqual(read('').problems, []);
    assert.deepEqual(read('<html>\n</html>').problems, [
      { line: 1, problem: 'notJson' },
      { line: 2, problem: 'notJson' },
    ]);
  });

  it('reports a newer version, and reads it anyway', () => {
    const text = `${line({ type: 'export.header', version: 2, session: { id: 's', title: 'T' } })}${line({ type: 'a' })}`;
    const { header, newerVersion, events } = read(text);
    assert.equal(newerVersion, 2);
    assert.equal(header?.session?.id, 's');
    assert.equal(events.length, 1);
  });

  it('accepts bytes of any kind', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        readExport(bytes);
      }),
    );
  });
});
