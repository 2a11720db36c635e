import assert from 'node:assert/strict';
import { openAsks } from '../../../../../src/features/sessions/facts/openAsks';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import { recordedBody } from '../recorded';

const ids = (events: readonly TranscriptEvent[]) => openAsks(events).map(({ eventId }) => eventId);
const idle = (...event_ids: string[]): TranscriptEvent => ({
  type: 'session.status_idle',
  id: `idle ${event_ids.join()}`,
  stop_reason: event_ids.length === 0 ? { type: 'end_turn' } : { type: 'requires_action', event_ids },
});
const asking = (id: string, more: object = {}): TranscriptEvent => ({
  type: 'agent.tool_use',
  id,
  name: 'bash',
  input: { command: 'ls' },
  evaluated_permission: 'ask',
  ...more,
});
const custom = (id: string, more: object = {}): TranscriptEvent => ({
  type: 'agent.custom_tool_use',
  id,
  name: 'get_price',
  input: { item: 'tea' },
  ...more,
});
const confirmed = (tool_use_id: string): TranscriptEvent => ({
  type: 'user.tool_confirmation',
  id: `c ${tool_use_id}`,
  tool_use_id,
  result: 'allow',
});
const running: TranscriptEvent = { type: 'session.status_running', id: 'r' };

describe('features/sessions/facts/openAsks', () => {
  it('follows a recorded session: two permissions and one result, each until it is answered', () => {
    const log = [...recordedBody('streams/158-events-list-all.http').data].reverse() as readonly TranscriptEvent[];
    const changes: string[] = [];
    let last = '';
    for (let count = 1; count <= log.length; count++) {
      const open = openAsks(log.slice(0, count))
        .map(({ kind, tool, input }) => `${kind} ${tool} ${JSON.stringify(input)}`)
        .join();
      if (open !== last) {
        changes.push(`${log[count - 1]?.type}: ${open}`);
        last = open;
      }
    }
    assert.deepEqual(changes, [
      'agent.tool_use: confirmation Bash {"command":"ls"}',
      'user.tool_confirmation: ',
      'agent.tool_use: confirmation Bash {"command":"rm -rf x"}',
      'user.tool_confirmation: ',
      'agent.custom_tool_use: customTool get_weather {"location":"Paris"}',
      'user.custom_tool_result: ',
    ]);
  });

  it("answers the recorded ask by the ID that the service listed, not by its call's ID", () => {
    const log = [...recordedBody('streams/158-events-list-all.http').data].reverse() as readonly TranscriptEvent[];
    const end = log.findIndex(event => event.type === 'session.status_idle' && JSON.stringify(event).includes('requires_action'));
    assert.deepEqual(ids(log.slice(0, end + 1)), ['sevt_6383d8a14231bf1df97d4e11189bbc4f']);
  });

  it('finds an ask whose call is older than the events that were read', () => {
    assert.deepEqual(openAsks([idle('old')]), [{ eventId: 'old', kind: 'confirmation' }]);
  });

  it('treats a custom tool call as open until its result, even while the session runs', () => {
    assert.deepEqual(ids([running, custom('x')]), ['x']);
    assert.deepEqual(ids([running, custom('x'), { type: 'user.custom_tool_result', custom_tool_use_id: 'x' }]), []);
  });

  it('keeps the other ask open when one of two is answered, with or without another idle event', () => {
    const two = [asking('a'), asking('b'), idle('a', 'b'), confirmed('a')];
    assert.deepEqual(ids(two), ['b']);
    assert.deepEqual(ids([...two, idle('b')]), ['b']);
    assert.deepEqual(ids([...two, idle('b'), confirmed('b'), running]), []);
  });

  it("doesn't reopen an ask that was answered before the idle event that lists it", () => {
    assert.deepEqual(ids([asking('a'), confirmed('a'), idle('a')]), []);
  });

  it('closes all asks after the turn or session ended or was interrupted', () => {
    for (const end of [idle(), { type: 'user.interrupt', id: 'i' }, { type: 'session.status_terminated' }, { type: 'session.deleted' }]) {
      assert.deepEqual(ids([asking('a'), custom('b'), end]), [], end.type);
    }
  });

  it('keeps a custom tool call open beside a permission that is listed alone', () => {
    assert.deepEqual(ids([custom('x'), asking('a'), idle('a')]), ['x', 'a']);
  });

  it("knows a sub-agent's ask, after the session itself became idle too", () => {
    const thread = (status: string, stop_reason: object): TranscriptEvent => ({
      type: `session.thread_status_${status}`,
      session_thread_id: 't',
      stop_reason,
    });
    const asks = [asking('a', { session_thread_id: 't' }), thread('idle', { type: 'requires_action', event_ids: ['a'] })];
    assert.deepEqual(ids([asking('a', { session_thread_id: 't' }), idle()]), ['a'], 'also before its thread lists it');
    assert.deepEqual(ids([...asks, { type: 'user.interrupt', id: 'i' }, idle()]), []);
    assert.deepEqual(ids([...asks, idle()]), ['a']);
    assert.deepEqual(ids([...asks, idle(), confirmed('a')]), []);
    assert.deepEqual(ids([...asks, thread('idle', { type: 'end_turn' })]), []);
    assert.deepEqual(ids([...asks, { type: 'user.interrupt', session_thread_id: 'another' }]), ['a']);
    assert.deepEqual(ids([...asks, { type: 'user.interrupt', session_thread_id: 't' }]), []);
  });

  it('accepts events of any shape', () => {
    const odd: readonly TranscriptEvent[] = [
      { type: 'agent.tool_use', evaluated_permission: 'ask' },
      { type: 'session.status_idle', stop_reason: 'requires_action' },
      { type: 'session.status_idle', stop_reason: { type: 'requires_action', event_ids: [null, 7, 'x'] } },
      { type: 'user.tool_confirmation', tool_use_id: { a: 1 } },
      { type: 'something.else', id: null },
    ];
    assert.deepEqual(ids(odd), ['x']);
  });
});
