import assert from 'node:assert/strict';
import { restAfter, restOfSession, restOfView } from '../../../../../src/features/sessions/list/sessionRest';

const idle = (type?: string) => ({ type: 'session.status_idle', ...(type === undefined ? {} : { stop_reason: { type } }) });
const judged = (result: string) => ({ type: 'span.outcome_evaluation_end', result });
const message = { type: 'user.message' };

describe('features/sessions/list/sessionRest', () => {
  it('tells apart what is done, failed, at its budget and judged', () => {
    assert.deepEqual(restAfter([message, idle('end_turn')]), { kind: 'done' });
    assert.deepEqual(restAfter([message, idle()]), { kind: 'done' });
    assert.deepEqual(restAfter([message, idle('retries_exhausted')]), { kind: 'failed' });
    assert.deepEqual(restAfter([message, idle('budget_reached')]), { kind: 'budget' });
    assert.deepEqual(restAfter([judged('satisfied'), idle('end_turn')]), { kind: 'judged', result: 'satisfied' });
    assert.deepEqual(restAfter([message, idle('refusal')]), { kind: 'other', reason: 'refusal' });
  });

  it('tells a turn that ended with a question from one that is done', () => {
    const says = (text: string, thread?: string) => ({
      type: 'agent.message',
      id: text,
      content: [{ type: 'text', text }],
      ...(thread !== undefined && { session_thread_id: thread }),
    });
    assert.deepEqual(restAfter([message, says('Which branch?'), idle('end_turn')]), { kind: 'asked', eventId: 'Which branch?' });
    assert.deepEqual(restAfter([message, says('Which branch?'), message, says('Done.'), idle('end_turn')]), { kind: 'done' });
    assert.deepEqual(restAfter([message, says('Which branch?'), message, idle('end_turn')]), { kind: 'done' });
    assert.deepEqual(restAfter([message, says('Done.'), says('Which branch?', 'thread_1'), idle('end_turn')]), { kind: 'done' });
    assert.deepEqual(restAfter([says('Good?'), judged('satisfied'), idle('end_turn')]), { kind: 'judged', result: 'satisfied' });
    assert.deepEqual(restOfView({ stopReason: 'end_turn', outcomes: [], asked: 'event_1' }), { kind: 'asked', eventId: 'event_1' });
    assert.deepEqual(restOfView({ stopReason: 'end_turn', outcomes: [] }), { kind: 'done' });
  });

  it('says nothing where something waits, or the events do not reach back to the end of a turn', () => {
    assert.equal(restAfter([message, idle('requires_action')]), undefined);
    assert.equal(restAfter([message]), undefined);
    assert.equal(restAfter([]), undefined);
  });

  it('goes by the last turn', () => {
    assert.deepEqual(restAfter([judged('failed'), idle('end_turn'), message, idle('end_turn')]), { kind: 'done' });
    assert.deepEqual(restAfter([judged('failed'), judged('satisfied'), idle('end_turn')]), { kind: 'judged', result: 'satisfied' });
    assert.deepEqual(restAfter([idle('retries_exhausted'), message, idle('end_turn')]), { kind: 'done' });
  });

  it('does not call an outcome judged that is still worked on', () => {
    assert.deepEqual(restAfter([judged('needs_revision'), idle('end_turn')]), { kind: 'done' });
    assert.equal(restOfSession({ id: 's', type: 'session', outcome_evaluations: [{ result: 'evaluating' }] }), undefined);
    assert.equal(restOfSession({ id: 's', type: 'session' }), undefined);
    const outcome_evaluations = [{ result: 'failed' }, { result: 'satisfied' }];
    assert.deepEqual(restOfSession({ id: 's', type: 'session', outcome_evaluations }), { kind: 'judged', result: 'satisfied' });
  });

  it('takes an open panel at its word', () => {
    assert.deepEqual(restOfView({ stopReason: 'retries_exhausted', outcomes: [] }), { kind: 'failed' });
    assert.equal(restOfView({ outcomes: [] }), undefined);
  });
});
