import assert from 'node:assert/strict';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import { noTurn, restOf, turnAfter } from '../../../../../src/shared/session/facts/turn';

const idle = (type?: string, more: object = {}) => ({
  ...{ type: 'session.status_idle', id: `idle ${type}` },
  ...(type === undefined ? {} : { stop_reason: { type, ...more } }),
});
const running = { type: 'session.status_running' };
const judged = (result: string) => ({ type: 'span.outcome_evaluation_end', result });
const message = { type: 'user.message' };
const says = (text: string, thread?: string) => ({
  ...{ type: 'agent.message', id: text, content: [{ type: 'text', text }] },
  ...(thread !== undefined && { session_thread_id: thread }),
});
const call = (id: string, more: object = {}) => ({ type: 'agent.tool_use', id, name: 'Read', ...more });
const result = (id: string) => ({ type: 'agent.tool_result', tool_use_id: id });
const failure = (message: string, retry: string, type = 'model_request_failed_error') => ({
  ...{ type: 'session.error', id: message },
  error: { type, message, retry_status: { type: retry } },
});
const turnOf = (events: readonly TranscriptEvent[], shownThread?: string) =>
  events.reduce((turn, event) => turnAfter(turn, event, shownThread), noTurn);
const restAfter = (...events: TranscriptEvent[]) => restOf(turnOf(events));

describe('shared/session/facts/turn', () => {
  it('distinguishes done, failed, out of budget, evaluated and refused', () => {
    assert.deepEqual(restAfter(message, says('Done.'), idle('end_turn')), { kind: 'done' });
    assert.deepEqual(restAfter(message, says('Done.'), idle()), { kind: 'done' });
    assert.deepEqual(restAfter(message, idle('retries_exhausted')), { kind: 'failed' });
    assert.deepEqual(restAfter(message, idle('budget_reached')), { kind: 'budget' });
    assert.deepEqual(restAfter(message, judged('satisfied'), idle('end_turn')), { kind: 'judged', result: 'satisfied' });
    assert.deepEqual(restAfter(message, idle('of_tomorrow')), { kind: 'other', reason: 'of_tomorrow' });
    const stop_details = { category: 'cyber', explanation: 'Declined.' };
    const refused = { kind: 'refused', ...stop_details };
    assert.deepEqual(restAfter(message, idle('refusal', { stop_details })), refused);
    const request = { type: 'span.model_request_end', stop_reason: 'refusal', stop_details };
    assert.deepEqual(restAfter(message, request, idle('end_turn')), refused);
    assert.deepEqual(restAfter(message, request, says('Another model answered.'), { type: request.type }, idle('end_turn')), {
      kind: 'done',
    });
    assert.deepEqual(restAfter(message, idle('refusal', { stop_details }), { type: request.type }), refused);
    assert.deepEqual(restAfter(message, idle('refusal')), { kind: 'refused' });
  });

  it('calls a turn without words and calls empty if all of it was read', () => {
    assert.deepEqual(restAfter(message, running, idle('end_turn')), { kind: 'empty' });
    assert.deepEqual(restAfter(message, says(' \n'), idle('end_turn')), { kind: 'empty' });
    assert.deepEqual(restAfter(message, says('Done.'), idle('end_turn'), message, running, idle('end_turn')), { kind: 'empty' });
    assert.deepEqual(restAfter(running, idle('end_turn')), { kind: 'done' });
    assert.deepEqual(restAfter(message, running, { type: 'user.interrupt' }, idle('end_turn')), { kind: 'done' });
    assert.deepEqual(restAfter(message, call('c'), result('c'), idle('end_turn')), { kind: 'done' });
    assert.deepEqual(restAfter(message, { type: 'agent.message', content: [{ type: 'image' }] }, idle('end_turn')), { kind: 'done' });
    assert.deepEqual(restAfter(message, says('Elsewhere.', 'kid'), idle('end_turn')), { kind: 'empty' });
    const own = [message, says('Here.', 'own'), idle('end_turn')];
    assert.deepEqual(restOf(turnOf(own, 'own')), { kind: 'done' });
  });

  it("doesn't treat a queued message as the start of the running turn", () => {
    assert.deepEqual(restAfter(message, running, says('Done.'), message, idle('end_turn')), { kind: 'done' });
    assert.deepEqual(restAfter(message, running, says('Done.'), message, idle('end_turn'), running, idle('end_turn')), { kind: 'empty' });
    assert.deepEqual(restAfter(message, running, judged('failed'), message, idle('end_turn')), { kind: 'judged', result: 'failed' });
  });

  it('distinguishes a turn that ended with a question from a finished one', () => {
    const asked = { kind: 'asked', eventId: 'Which branch?' };
    assert.deepEqual(restAfter(message, says('Which branch?'), idle('end_turn')), asked);
    assert.deepEqual(restOf(turnOf([message, says('Which branch?', 'own'), idle('end_turn')], 'own')), asked);
    assert.deepEqual(restAfter(message, says('Which branch?'), message, says('Done.'), idle('end_turn')), { kind: 'done' });
    assert.deepEqual(restAfter(message, says('Which branch?'), message, idle('end_turn')), { kind: 'done' });
    assert.deepEqual(restAfter(message, says('Done.'), says('Which branch?', 'kid'), idle('end_turn')), { kind: 'done' });
    assert.deepEqual(restAfter(message, says('Good?'), judged('satisfied'), idle('end_turn')), { kind: 'judged', result: 'satisfied' });
  });

  it("returns nothing while something waits, or if the events don't reach back to the end of a turn", () => {
    assert.equal(restAfter(message, idle('requires_action')), undefined);
    assert.equal(restAfter(message), undefined);
    assert.equal(restAfter(message, idle('end_turn'), message), undefined);
    assert.equal(restAfter(message, idle('end_turn'), running), undefined);
    assert.equal(restAfter(), undefined);
  });

  it('uses the last turn', () => {
    const second = [message, says('Done.'), idle('end_turn')];
    assert.deepEqual(restAfter(message, judged('failed'), idle('end_turn'), ...second), { kind: 'done' });
    assert.deepEqual(restAfter(message, judged('failed'), judged('satisfied'), idle('end_turn')), { kind: 'judged', result: 'satisfied' });
    assert.deepEqual(restAfter(message, failure('Too long', 'exhausted'), idle('retries_exhausted'), ...second), { kind: 'done' });
    assert.deepEqual(restAfter(message, says('Done.'), judged('needs_revision'), idle('end_turn')), { kind: 'done' });
  });

  it('waits for the results of all calls of the turn', () => {
    for (const reason of [undefined, 'end_turn']) {
      const begun = [message, running, call('c'), idle(reason)];
      assert.equal(restAfter(...begun), undefined);
      assert.deepEqual(restAfter(...begun, result('c'), says('Done.'), idle('end_turn')), { kind: 'done' });
      assert.deepEqual(restAfter(...begun, { type: 'user.interrupt' }, idle('end_turn')), { kind: 'done' });
      assert.deepEqual(restAfter(...begun, message, running, says('Done.'), idle('end_turn')), { kind: 'done' });
    }
    const again = call('c2', { tool_use_id: 'toolu', evaluated_permission: 'ask' });
    assert.deepEqual(restAfter(message, call('c1', { tool_use_id: 'toolu' }), again, result('c2'), idle('end_turn')), { kind: 'done' });
    assert.deepEqual(restAfter(message, call('c1', { tool_use_id: 'toolu' }), again, result('toolu'), idle('end_turn')), { kind: 'done' });
    const deny = { type: 'user.tool_confirmation', tool_use_id: 'c', result: 'deny' };
    assert.deepEqual(restAfter(message, call('c', { evaluated_permission: 'ask' }), deny, idle('end_turn')), { kind: 'done' });
    assert.deepEqual(restAfter(message, call('c', { evaluated_permission: 'deny' }), idle('end_turn')), { kind: 'done' });
    assert.deepEqual(restAfter(message, says('Done.'), call('c', { session_thread_id: 'kid' }), idle('end_turn')), { kind: 'done' });
  });

  it("fails with the service's message, at once if nothing more can come", () => {
    const failed = { kind: 'failed', message: 'Too long' };
    const terminal = failure('Too long', 'terminal');
    assert.deepEqual(restAfter(message, running, terminal), failed);
    assert.deepEqual(restAfter(message, running, terminal, { type: 'session.status_terminated' }), failed);
    assert.deepEqual(restAfter(message, running, terminal, idle('end_turn')), failed);
    assert.deepEqual(restAfter(message, failure('Too long', 'exhausted'), idle('retries_exhausted')), failed);
    assert.deepEqual(restAfter(message, failure('Too long', 'retrying'), idle('retries_exhausted')), failed);
    assert.equal(restAfter(message, running, failure('Too long', 'retrying')), undefined);
    assert.equal(restAfter(message, running, terminal, running), undefined);
    assert.equal(restAfter(message, running, failure('No server', 'terminal', 'mcp_connection_failed_error')), undefined);
    assert.deepEqual(restAfter(message, running, terminal, says('After all.'), idle('end_turn')), { kind: 'done' });
    assert.equal(restAfter(message, { ...terminal, session_thread_id: 'kid' }), undefined);
  });

  it('stops at its budget until the budget is changed', () => {
    const updated = { type: 'session.updated', budget: null };
    assert.equal(restAfter(message, idle('budget_reached'), updated), undefined);
    assert.deepEqual(restAfter(message, updated, idle('budget_reached')), { kind: 'budget' });
  });

  it('gives one end of a turn one ID, however often it is reported', () => {
    const endOf = (...events: TranscriptEvent[]) => turnOf(events).endId;
    const first = [message, says('Done.'), { ...idle('end_turn'), id: 'i1' }];
    assert.equal(endOf(...first), 'i1');
    assert.equal(endOf(...first, { ...idle('end_turn'), id: 'i2' }), 'i1');
    assert.equal(endOf(...first, message), undefined);
    assert.equal(endOf(...first, running, says('More.'), { ...idle('end_turn'), id: 'i2' }), 'i2');
    assert.equal(endOf(message, call('c'), idle(), result('c'), { ...idle('end_turn'), id: 'i2' }), 'i2');
    const failed = [message, running, failure('Too long', 'terminal')];
    assert.equal(endOf(...failed, idle('retries_exhausted')), 'Too long');
    assert.equal(endOf(...failed, { type: 'session.status_terminated', id: 't' }), 'Too long');
    assert.equal(endOf(...failed, says('After all.'), { ...idle('end_turn'), id: 'i2' }), 'i2');
    assert.equal(endOf(...first, failure('Too long', 'terminal')), 'Too long');
  });
});

const saying = (content: unknown, id = 'event_1') => ({ type: 'agent.message', id, content });
const text = (...texts: string[]) => texts.map(text => ({ type: 'text', text }));
const earlier = saying('Which one?', 'event_0');

describe('shared/session/facts/turn asked', () => {
  it('depends on the end of the last words to the user', () => {
    for (const asking of [
      'Which branch?',
      'Soll ich das löschen?\n',
      '继续吗？',
      'Is it **this one?**',
      'He asked: "Which one?" ',
      'a? b? (c?)',
    ]) {
      assert.equal(turnOf([saying(text(asking))]).asked, 'event_1', asking);
    }
    for (const message of ['Done.', 'Which branch? I took main.', '', '```ts\nreturn a;\n```', 'What? '.padEnd(10) + '!'.repeat(300)]) {
      assert.equal(turnOf([earlier, saying(text(message))]).asked, undefined, message);
    }
  });

  it('reads the last of several texts, and content of other shapes', () => {
    assert.equal(turnOf([saying(text('Done.', 'Which branch?'))]).asked, 'event_1');
    assert.equal(turnOf([earlier, saying(text('Which branch?', 'Done.'))]).asked, undefined);
    assert.equal(turnOf([saying([...text('Which branch?'), { type: 'image' }, null, 5])]).asked, 'event_1');
    assert.equal(turnOf([saying('Which branch?')]).asked, 'event_1');
    for (const odd of [undefined, null, 5, {}, [null], [{ type: 'text', text: 5 }]]) {
      assert.equal(turnOf([earlier, saying(odd)]).asked, undefined);
    }
  });

  it('is answered only by a message of the user', () => {
    assert.equal(turnOf([earlier, { type: 'user.message' }]).asked, undefined);
    assert.equal(turnOf([earlier, { type: 'session.status_idle' }]).asked, 'event_0');
  });
});
