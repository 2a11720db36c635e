import assert from 'node:assert/strict';
import { exportJsonl } from '../../../../src/features/sessions/facts/sessionJsonl';
import type { ServiceObject } from '../../../../src/features/sessions/facts/sessionSource';
import { createSessionView } from '../../../../src/features/sessions/live/createSessionView';
import type { TranscriptEvent } from '../../../../src/shared/session/event';
import type { Row } from '../../../../src/shared/session/rows/rows';
import { Transcript } from '../../../../src/shared/session/transcript';
import { readExport } from '../../features/sessions/facts/readWholeExport';
import { recordedObject, recordedPage, recordedStream, withoutPreviews } from './recordings';

function transcriptOf(events: readonly TranscriptEvent[]): Transcript {
  const transcript = new Transcript();
  transcript.append(events);
  return transcript;
}

function typesOf(rows: readonly Row[]): readonly string[] {
  return rows.map(({ type }) => type);
}

const threads = recordedPage('144-threads-list.http') as unknown as readonly ServiceObject[];
const primary = 'sthr_TnKRi0r0jiZsRg6eznyCF6lx';
const child = 'sthr_1db8f231d5a10e2e24331729744222d7';
const ask = 'sevt_6383d8a14231bf1df97d4e11189bbc4f';

describe('shared/session: recorded sessions of a real server', () => {
  it('110: shows a message while it streams, then the stored one in its place', () => {
    const transcript = new Transcript();
    const previews: string[] = [];
    for (const event of recordedStream('110-stream-basic-deltas.sse')) {
      if (event.type === 'event_start' || event.type === 'event_delta') {
        transcript.preview([event]);
        const row = transcript.rows.at(-1);
        assert.ok(row?.kind === 'agent' && row.preview === true);
        previews.push(row.parts.map(part => (part.type === 'text' ? part.text : '')).join(''));
      } else {
        transcript.append([event]);
      }
    }
    assert.deepEqual(previews.slice(0, 4), ['', 'Stub ', 'Stub agent ', 'Stub agent reply ']);
    const final = transcript.rows.find(({ kind }) => kind === 'agent');
    assert.ok(final?.kind === 'agent' && final.preview === undefined);
    assert.equal(final.summary, previews.at(-1)?.trim());
    assert.equal(final.key, 'sevt_2782a4b3a72f4434a516acd477d43c84');
    assert.deepEqual(typesOf(transcript.rows), [
      'user.message',
      'session.status_running',
      'agent.thinking',
      'agent.message',
      'span.model_request_start',
      'session.status_idle',
    ]);
    const thinking = transcript.rows[2];
    assert.ok(thinking?.kind === 'thinking');
    assert.deepEqual(thinking.parts, [{ type: 'text', text: 'hidden' }]);
  });

  it('110: counts the tokens of a span that ends after the turn, by model ID', () => {
    const model = transcriptOf(recordedStream('110-stream-basic-deltas.sse')).rows.find(({ kind }) => kind === 'model');
    assert.ok(model?.kind === 'model');
    assert.deepEqual(model.tokens, { input: 12, output: 34, cacheRead: 0, cacheWrite: 0 });
    assert.ok(model.end !== undefined && !model.isError && model.durationMs !== undefined && model.durationMs > 0);
  });

  it('113 and 158: reversed, a list with the newest first equals the log', () => {
    const listed = transcriptOf(recordedPage('113-events-list.http').toReversed());
    const stream = transcriptOf(withoutPreviews(recordedStream('110-stream-basic-deltas.sse')));
    assert.deepEqual(new Set(listed.rows.map(({ key }) => key)), new Set(stream.rows.map(({ key }) => key)));
    assert.equal(listed.rows[0]?.type, 'user.message');
    const all = transcriptOf(recordedPage('158-events-list-all.http').toReversed());
    assert.equal(all.events.length, 67);
    assert.equal(all.rows[0]?.key, stream.rows[0]?.key);
    assert.equal(all.rows.at(-1)?.type, 'system.message');
  });

  it('114 to 119: joined pages equal the list, in either order', () => {
    const list = recordedPage('113-events-list.http');
    const pages = [...recordedPage('115-events-list-limit2.http'), ...recordedPage('116-events-list-limit2-p2.http')];
    assert.deepEqual(pages, list.slice(0, 4));
    assert.deepEqual(recordedPage('117-events-list-page-otherorder.http'), list.slice(2, 4));
    assert.deepEqual(recordedPage('114-events-list-desc.http'), list.slice(0, 3));
    const transcript = transcriptOf(list.toReversed());
    const before = transcript.rows;
    for (const page of ['115-events-list-limit2.http', '118-events-list-types.http', '119-events-list-since.http']) {
      transcript.append(recordedPage(page).filter(({ id }) => list.some(event => event.id === id)));
    }
    assert.deepEqual(transcript.rows, before);
  });

  it('125: shows one row per call although it is sent twice, answered with the ID that the service listed', () => {
    const { rows } = transcriptOf(recordedStream('125-stream-tool-confirm.sse'));
    const tools = rows.filter(row => row.kind === 'tool');
    assert.deepEqual(
      tools.map(({ name, state, askId, alsoKeys, confirmation }) => ({ name, state, askId, alsoKeys, answer: confirmation?.result })),
      [
        { name: 'Bash', state: 'done', askId: ask, alsoKeys: [ask], answer: 'allow' },
        {
          name: 'Bash',
          state: 'denied',
          askId: 'sevt_bbeb8488346359acd4fa2c7cc53540da',
          alsoKeys: ['sevt_bbeb8488346359acd4fa2c7cc53540da'],
          answer: 'deny',
        },
        { name: 'get_weather', state: 'done', askId: 'sevt_customf09363c6d8a6', alsoKeys: undefined, answer: undefined },
      ],
    );
    const [allowed, denied] = tools;
    assert.deepEqual(allowed?.result?.parts, [{ type: 'text', text: 'hi\n' }]);
    assert.equal(denied?.confirmation?.denyMessage, 'No deleting');
    assert.equal(denied?.result?.isError, true);
  });

  it('125: keeps the order of arrival despite times in whole seconds, and derives no duration from them', () => {
    const { rows } = transcriptOf(recordedStream('125-stream-tool-confirm.sse'));
    assert.deepEqual(
      rows.map(({ seq }) => seq),
      rows.map(({ seq }) => seq).toSorted((a, b) => a - b),
    );
    const times = rows.map(({ at = 0 }) => at);
    assert.notDeepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    const durations = rows.filter(row => row.kind === 'tool').map(({ durationMs }) => durationMs);
    assert.deepEqual(durations, [undefined, undefined, undefined]);
    assert.deepEqual(
      rows.filter(row => row.kind === 'model').map(({ durationMs }) => durationMs),
      [644, 685, 616, 577, 2531],
    );
  });

  it('125: shows a confirmation of an unknown call as its own event', () => {
    const stray = transcriptOf(recordedStream('125-stream-tool-confirm.sse')).rows.find(({ type }) => type === 'user.tool_confirmation');
    assert.ok(stray?.kind === 'user');
    assert.equal(stray.summary, 'allow sevt_unknown');
  });

  it('125: shows the child thread, and marks nothing else as foreign although every event has a thread', () => {
    const transcript = transcriptOf(recordedStream('125-stream-tool-confirm.sse'));
    assert.equal(transcript.shownThread, primary);
    const foreign = transcript.rows.filter(({ thread }) => thread !== undefined);
    assert.deepEqual(typesOf(foreign), ['session.thread_status_running', 'session.thread_status_idle']);
    assert.ok(foreign.every(row => row.thread === child && row.kind === 'status' && row.agentName === 'reviewer'));
    const threadRows = transcript.rows.filter(row => row.kind === 'thread');
    assert.deepEqual(
      threadRows.map(({ step, otherThread, agentName, summary }) => [step, otherThread, agentName, summary]),
      [
        ['created', child, 'reviewer', 'Review this.'],
        ['sent', child, 'reviewer', 'Review this.'],
      ],
    );
  });

  it('125: has a row of every other kind in the recording, and none of unknown kind', () => {
    const { rows } = transcriptOf(recordedStream('125-stream-tool-confirm.sse'));
    const kinds = new Set(rows.map(({ kind }) => kind));
    assert.deepEqual([...kinds].sort(), [
      'agent',
      'error',
      'model',
      'note',
      'outcome',
      'status',
      'system',
      'thread',
      'tool',
      'update',
      'user',
    ]);
    const error = rows.find(row => row.kind === 'error');
    assert.deepEqual(
      [error?.errorType, error?.message, error?.retry],
      ['model_overloaded_error', 'Upstream overloaded (stub)', 'exhausted'],
    );
  });

  it('124: a stream resumed after an event is the same log', () => {
    const other = withoutPreviews(recordedStream('124-stream-last-event-id.sse'));
    const events = withoutPreviews(recordedStream('125-stream-tool-confirm.sse'));
    assert.deepEqual(transcriptOf(other).rows, transcriptOf(events.slice(0, other.length)).rows);
  });

  it('126 to 135: the response of a send equals the log, so that nothing is shown twice', () => {
    const events = withoutPreviews(recordedStream('125-stream-tool-confirm.sse'));
    const whole = transcriptOf(events);
    for (const name of [
      '126-events-send-tool',
      '131-events-send-confirm-allow',
      '133-events-send-confirm-deny',
      '135-events-send-custom-result',
    ]) {
      const stored = recordedPage(`${name}.http`);
      const sent = stored.map(({ id: _, created_at: _c, processed_at: _p, session_thread_id: _s, ...event }) => event as TranscriptEvent);
      for (const isAnswerFirst of [true, false]) {
        const transcript = new Transcript();
        transcript.own.add({ clientId: 'a', events: sent });
        if (isAnswerFirst) {
          transcript.own.store({ clientId: 'a', events: stored });
        }
        transcript.append(events);
        assert.deepEqual(transcript.rows, whole.rows, name);
        transcript.own.store({ clientId: 'a', events: stored });
        assert.deepEqual(transcript.rows, whole.rows, name);
      }
    }
  });

  it('127: waits for the user with the arguments, once, when the session is idle', () => {
    const transcript = transcriptOf(recordedStream('125-stream-tool-confirm.sse').slice(0, 6));
    const view = createSessionView({ session: recordedObject('127-session-get-requires-action.http') }, transcript.state());
    assert.equal(view.state, 'waiting');
    assert.equal(view.status, 'idle');
    assert.equal(view.rest, undefined);
    assert.deepEqual(
      view.asks.map(({ eventId, kind, tool, rowKey, input }) => ({ eventId, kind, tool, rowKey, input })),
      [
        {
          eventId: ask,
          kind: 'confirmation',
          tool: 'Bash',
          rowKey: 'sevt_5b21ded63f5cbe5bf23c43d3c22bfbd1',
          input: { type: 'json', text: '{\n  "command": "ls"\n}' },
        },
      ],
    );
    assert.equal(view.threads.find(({ isPrimary }) => isPrimary)?.waiting, 1);
  });

  it('138: runs, with its new title', () => {
    const events = recordedStream('125-stream-tool-confirm.sse').slice(0, 54);
    const view = createSessionView({ session: recordedObject('138-session-get-running.http') }, transcriptOf(events).state());
    assert.deepEqual([view.state, view.title, view.agent?.name, view.agent?.version], ['running', 'Renamed', 'Agent 0', 2]);
    assert.equal(view.agent?.model, 'claude-opus-4-8');
    assert.equal(view.canSend, true);
  });

  it('138: trusts events that arrived after the session was retrieved', () => {
    const events = recordedStream('125-stream-tool-confirm.sse').slice(0, 58);
    const view = createSessionView({ session: recordedObject('138-session-get-running.http') }, transcriptOf(events).state());
    assert.deepEqual([view.state, view.rest], ['idle', { kind: 'done' }]);
  });

  it('142: reads the outcome from both sides, and threads, tokens and times that the service leaves out', () => {
    const transcript = transcriptOf(recordedStream('125-stream-tool-confirm.sse'));
    const view = createSessionView({ session: recordedObject('142-session-get-outcome.http'), threads }, transcript.state());
    assert.deepEqual(view.outcomes, [
      { id: 'outc_UWa7DYrUVTeVDuwYrUbJMg2w', description: 'Write hi', result: 'pending', iteration: undefined, explanation: '' },
    ]);
    assert.deepEqual(
      view.threads.map(({ id, name, status }) => [id, name, status]),
      [
        [primary, 'Main', 'idle'],
        [child, 'reviewer', 'idle'],
      ],
    );
    assert.deepEqual(view.tokens, { input: 60, output: 170, cacheRead: 0, cacheWrite: 0 });
    assert.equal(view.cost, undefined);
    assert.equal(view.budget, undefined);
    assert.deepEqual(
      view.resources.map(({ type, mountPath }) => [type, mountPath]),
      [
        ['github_repository', '/workspace/repo'],
        ['file', '/uploads/data.txt'],
      ],
    );
  });

  it('146 and 149: a child thread with an empty log is valid', () => {
    const transcript = new Transcript(child);
    transcript.append(recordedPage('146-thread-events-0.http'));
    transcript.append(recordedStream('149-thread-stream-child.sse'));
    assert.deepEqual(transcript.rows, []);
    assert.deepEqual(transcript.events, []);
  });

  it('148: the log of the main thread marks none of its own rows as foreign', () => {
    const transcript = new Transcript(primary);
    transcript.append(recordedPage('148-thread-events-1.http').toReversed());
    assert.deepEqual(
      transcript.rows.map(({ kind, thread }) => [kind, thread]),
      [
        ['model', undefined],
        ['outcome', undefined],
        ['system', undefined],
      ],
    );
  });

  it('170 and 174: an archived session stays idle for the service and is archived for the user', () => {
    const transcript = transcriptOf(recordedStream('125-stream-tool-confirm.sse'));
    const { length } = transcript.rows;
    transcript.append(recordedStream('170-stream-during-archive.sse'));
    assert.equal(transcript.rows.length, length);
    const view = createSessionView({ session: recordedObject('174-session-get-archived.http') }, transcript.state());
    assert.deepEqual([view.state, view.status, view.canSend], ['archived', 'idle', false]);
    assert.match(view.whyNot ?? '', /archived/);
    assert.deepEqual(view.asks, []);
  });

  it('434: a session that was deleted while it was open keeps its rows', () => {
    const events = recordedStream('434-stream.sse');
    const transcript = transcriptOf(events);
    const view = createSessionView({}, transcript.state());
    assert.equal(events.at(-1)?.type, 'session.deleted');
    assert.deepEqual([view.state, view.canSend], ['deleted', false]);
    assert.equal(transcript.rows.at(-1)?.summary, 'deleted');
    assert.ok(transcript.rows.some(({ summary }) => summary === 'Stub agent reply to: Hello hook'));
  });

  for (const name of ['110-stream-basic-deltas.sse', '124-stream-last-event-id.sse', '125-stream-tool-confirm.sse', '434-stream.sse']) {
    it(`${name.slice(0, 3)}: survives an export and import unchanged`, () => {
      const events = withoutPreviews(recordedStream(name));
      const lines = exportJsonl({ exportedAt: '2026-11-21T10:00:00Z', source: 'recorded' }, [{ thread: '', events }]);
      const read = readExport(Buffer.from([...lines].join('')));
      assert.deepEqual(read.events, events);
      assert.deepEqual(read.problems, []);
      assert.deepEqual(transcriptOf(read.events).rows, transcriptOf(events).rows);
    });
  }
});
