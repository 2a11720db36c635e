import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import type { ToolRow } from '../../../../../src/shared/session/rows/rows';
import { Transcript } from '../../../../../src/shared/session/transcript';
import { runs } from '../../../../helpers/runs';
import { eventLogs } from '../eventLogs';
import { recordedStream } from '../recordings';
import { assertStates } from '../rowStates';

let count = 0;
const at = (seconds: number): string => new Date(Date.UTC(2026, 10, 21, 9, 0, seconds, 1)).toISOString();
const event = (type: string, seconds: number, fields: object = {}): TranscriptEvent => ({
  type,
  id: `e${++count}`,
  processed_at: at(seconds),
  ...fields,
});
const child = { session_thread_id: 'child', agent_name: 'reviewer' };
const ask = (id: string, seconds: number, fields: object = {}) =>
  event('agent.tool_use', seconds, { id, name: 'bash', input: {}, evaluated_permission: 'ask', ...fields });
const allow = (id: string, seconds: number) => event('user.tool_confirmation', seconds, { tool_use_id: id, result: 'allow' });
const idle = (seconds: number, type: string, ids?: readonly string[]) =>
  event('session.status_idle', seconds, { stop_reason: { type, ...(ids === undefined ? {} : { event_ids: ids }) } });
const threadIdle = (seconds: number, type: string, ids?: readonly string[]) =>
  event('session.thread_status_idle', seconds, { ...child, stop_reason: { type, ...(ids === undefined ? {} : { event_ids: ids }) } });
const result = (id: string, seconds: number) => event('agent.tool_result', seconds, { tool_use_id: id, content: 'done' });

function transcriptOf(events: readonly TranscriptEvent[]): Transcript {
  const transcript = new Transcript();
  transcript.append(events);
  return transcript;
}

function toolsOf(events: readonly TranscriptEvent[]): readonly ToolRow[] {
  return transcriptOf(events).rows.filter(row => row.kind === 'tool');
}

function statesOf(...events: readonly TranscriptEvent[]): readonly string[] {
  return toolsOf(events).map(({ state }) => state);
}

describe('shared/session/rows/callLinks', () => {
  it("says that a sub-agent's allowed call has its result in its thread, and that another was interrupted", () => {
    const asked = [ask('a', 1, child), threadIdle(2, 'requires_action', ['a']), idle(2, 'requires_action', ['a'])];
    const went = [...asked, allow('a', 5), event('session.thread_status_running', 5, child), event('session.status_running', 5)];
    assert.deepEqual(statesOf(...went), ['running']);
    assert.deepEqual(statesOf(...went, threadIdle(8, 'end_turn'), idle(9, 'end_turn')), ['elsewhere']);
    assert.deepEqual(statesOf(...went, idle(9, 'end_turn')), ['elsewhere']);
    assert.deepEqual(statesOf(...went, event('user.interrupt', 7), threadIdle(8, 'end_turn')), ['interrupted']);
    assert.deepEqual(statesOf(...went, event('user.interrupt', 7, child), threadIdle(8, 'end_turn')), ['interrupted']);
    assert.deepEqual(statesOf(...went, event('session.status_terminated', 8)), ['interrupted']);
    assert.deepEqual(statesOf(...asked, threadIdle(8, 'end_turn')), ['interrupted'], 'nobody answered');
  });

  it('knows that a sub-agent continued from its call when it asks about the next one', () => {
    const first = [ask('a', 1, child), threadIdle(2, 'requires_action', ['a']), allow('a', 5)];
    const second = [ask('b', 8, child), threadIdle(8, 'requires_action', ['b'])];
    assert.deepEqual(statesOf(...first, event('session.thread_status_running', 5, child), ...second), ['elsewhere', 'waiting']);
    assert.deepEqual(statesOf(...first, ...second), ['held', 'waiting']);
  });

  it("says that an allowed call doesn't run before the others are answered", () => {
    const asked = [ask('a', 1), ask('b', 1), idle(2, 'requires_action', ['a', 'b'])];
    assert.deepEqual(statesOf(...asked, allow('a', 10)), ['held', 'waiting']);
    assert.deepEqual(statesOf(...asked, allow('a', 10), idle(10, 'requires_action', ['b'])), ['held', 'waiting']);
    const both = [...asked, allow('a', 10), allow('b', 60)];
    assert.deepEqual(statesOf(...both), ['running', 'running']);
    const done = [...both, event('session.status_running', 60), result('a', 62), result('b', 65)];
    const times = toolsOf(done).map(({ state, durationMs, waitMs }) => [state, durationMs, waitMs]);
    assert.deepEqual(times, [
      ['done', 2000, 59_000],
      ['done', 5000, 59_000],
    ]);
  });

  it('says the same of a call that its policy allows, beside one that asks', () => {
    const calls = [event('agent.tool_use', 1, { id: 'a', name: 'read', input: {}, evaluated_permission: 'allow' }), ask('b', 1)];
    assert.deepEqual(statesOf(...calls), ['running', 'waiting']);
    const rests = [...calls, idle(2, 'requires_action', ['b'])];
    assert.deepEqual(statesOf(...rests), ['held', 'waiting']);
    const [read] = toolsOf([...rests, allow('b', 30), result('a', 31)]);
    assert.deepEqual([read?.state, read?.durationMs, read?.waitMs], ['done', 1000, 28_000]);
  });

  it("counts the user's time apart from the tool's", () => {
    const custom = event('agent.custom_tool_use', 1, { id: 'c', name: 'weather', input: {} });
    const [row] = toolsOf([custom, event('user.custom_tool_result', 90, { custom_tool_use_id: 'c', content: [] })]);
    assert.deepEqual([row?.state, row?.durationMs, row?.waitMs], ['done', undefined, 89_000]);
    const denied = event('user.tool_confirmation', 31, { tool_use_id: 'a', result: 'deny' });
    const [other] = toolsOf([ask('a', 1), denied, result('a', 32)]);
    assert.deepEqual([other?.state, other?.durationMs, other?.waitMs], ['denied', undefined, 30_000]);
  });

  it('blocks another thread only while it waits itself, and none when nothing waits', () => {
    const calls = [
      event('agent.tool_use', 1, { id: 'm', name: 'delegate', input: {}, evaluated_permission: 'allow' }),
      ask('a', 1, child),
      ask('b', 1, { session_thread_id: 'other' }),
      idle(2, 'requires_action', ['a', 'b']),
    ];
    assert.deepEqual(statesOf(...calls), ['held', 'waiting', 'waiting']);
    assert.deepEqual(statesOf(...calls, allow('a', 3)), ['held', 'running', 'waiting']);
    assert.deepEqual(statesOf(...calls, allow('a', 3), event('session.status_running', 3)), ['running', 'running', 'waiting']);
    assert.deepEqual(statesOf(...calls, allow('a', 3), allow('b', 4)), ['running', 'running', 'running']);
  });

  it('lets nothing wait or run in an archived or deleted session, and continues after a mistaken error', () => {
    const asked = [ask('a', 1), event('agent.tool_use', 1, { id: 'm', name: 'read', input: {} }), idle(2, 'requires_action', ['a'])];
    const transcript = transcriptOf([event('span.model_request_start', 0), ...asked]);
    const before = JSON.stringify(transcript.rows);
    transcript.setClosed(true);
    assert.deepEqual(
      transcript.rows.map(row => (row.kind === 'tool' ? row.state : row.kind === 'model' ? row.end !== undefined : undefined)),
      [true, 'interrupted', 'interrupted', undefined],
    );
    assert.deepEqual(transcript.state().asks, []);
    transcript.append([ask('late', 5)]);
    transcript.preview([{ type: 'event_start', event: { type: 'agent.message', id: 'm1' } }]);
    assert.deepEqual(transcript.state().asks, []);
    assert.equal(transcript.rows.length, 5);
    transcript.setClosed(false);
    assert.equal(JSON.stringify(transcript.rows.slice(0, 4)), before);
  });

  it('uses the latest state of the threads', () => {
    const events = [
      event('agent.tool_use', 1, { id: 'a', name: 'read', input: {} }),
      event('session.thread_status_idle', 2, { session_thread_id: 'main', stop_reason: { type: 'end_turn' } }),
    ];
    const late = transcriptOf(events);
    assert.equal(toolsOf(events)[0]?.state, 'running');
    late.setShownThread('main');
    const early = new Transcript('main');
    early.append(events);
    assert.deepEqual(late.rows, early.rows);
    assert.ok(late.rows[0]?.kind === 'tool' && late.rows[0].state === 'interrupted');
  });

  it('lets nothing stream after the turn has ended without its text', () => {
    const transcript = new Transcript();
    const begin = (id: string) => transcript.preview([{ type: 'event_start', event: { type: 'agent.message', id } }]);
    const isWritten = () => transcript.rows.some(row => 'preview' in row && row.preview === true);
    begin('m1');
    transcript.append([event('session.thread_status_idle', 1, { ...child, stop_reason: { type: 'end_turn' } })]);
    assert.ok(isWritten(), 'another thread rests');
    transcript.append([event('span.model_request_end', 1, child)]);
    assert.ok(isWritten(), 'a request of another thread has ended');
    transcript.append([event('user.interrupt', 2), idle(2, 'end_turn')]);
    assert.ok(!isWritten());
    transcript.append([event('session.status_terminated', 3)]);
    begin('m2');
    assert.ok(!isWritten());
  });

  it('never shows ended work as running, at any moment of any log', () => {
    fc.assert(
      fc.property(eventLogs, fc.boolean(), (events, isNamed) => {
        const transcript = new Transcript(isNamed ? 'child' : undefined);
        for (const one of events) {
          transcript.append([one]);
          assertStates(transcript);
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  for (const name of ['110-stream-basic-deltas.sse', '125-stream-tool-confirm.sse', '434-stream.sse']) {
    it(`never shows ended work as running: ${name}`, () => {
      const transcript = new Transcript();
      for (const one of recordedStream(name)) {
        transcript.append([one]);
        transcript.preview([one]);
        assertStates(transcript);
      }
    });
  }
});

describe('shared/session/rows/spanLinks', () => {
  const request = (id: string, seconds: number) => event('span.model_request_start', seconds, { id });
  const requestEnd = (id: string, seconds: number, input: number) =>
    event('span.model_request_end', seconds, { model_request_start_id: id, model_usage: { input_tokens: input, output_tokens: 1 } });
  const call = (id: string, seconds: number) => event('agent.tool_use', seconds, { id, name: 'bash', input: { id } });
  const usedBy = (rows: readonly ToolRow[]) => rows.map(row => row.request?.tokens?.input);

  it("gives the first call of a model request the request's usage, whether its end came before or after the call", () => {
    const first = [request('a', 1), call('one', 2), call('two', 2), requestEnd('a', 3, 100)];
    const second = [request('b', 4), requestEnd('b', 5, 200), call('three', 5)];
    assert.deepEqual(usedBy(toolsOf([...first, ...second])), [100, undefined, 200]);
    assert.deepEqual(usedBy(toolsOf(first.slice(0, 3))), [undefined, undefined]);
    assert.deepEqual(usedBy(toolsOf([call('none', 1)])), [undefined]);
  });
});
