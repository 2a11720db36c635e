import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../../../src/client/events/eventLog';
import type { Sessions } from '../../../../../src/client/resources/sessions';
import { type RequestOutcome, ServiceError, type ServiceErrorKind } from '../../../../../src/client/transport/errors';
import { type OwnEvent, type SenderOptions, sendAnswer, sendOnce } from '../../../../../src/features/sessions/live/sessionSender';
import { fillPlaceholders } from '../../requests/fillPlaceholders';

const failure = (kind: ServiceErrorKind, outcome: RequestOutcome, serviceMessage = '', status?: number) =>
  new ServiceError(`POST failed: ${serviceMessage}`, { kind, outcome, method: 'POST', host: 'h', path: '/p', serviceMessage, status });

const hello: OwnEvent = { type: 'user.message', content: [{ type: 'text', text: 'Hello' }] };
const signal = new AbortController().signal;

/** Creates a service whose log is `log`, newest first, and that handles sent events with `send`. */
function service(send: (events: readonly object[]) => readonly SessionEvent[], log: () => readonly SessionEvent[] = () => []) {
  const sent: (readonly object[])[] = [];
  let reads = 0;
  const sessions: Pick<Sessions, 'send' | 'events'> = {
    send: async (_id, events) => {
      sent.push(events);
      return { data: send(events), requestId: undefined };
    },
    events: () => ({
      list: async options => {
        const items = log();
        reads += options?.order === 'desc' ? 1 : 0;
        return { items: options?.order === 'desc' ? items : items.toReversed(), nextCursor: undefined, requestId: undefined };
      },
      stream: async () => assert.fail(),
    }),
  };
  const options: SenderOptions = {
    sessionId: 's',
    sessions: async () => sessions,
    isOld: id => id.startsWith('old'),
    t: fillPlaceholders,
    pause: async () => {},
  };
  return { sent, options, reads: () => reads };
}

const fail = (error: Error) => () => {
  throw error;
};

describe('features/sessions/live/sessionSender', () => {
  it('sends an event once and returns the stored event', async () => {
    const { sent, options } = service(([event]) => [{ ...(event as SessionEvent), id: 'new1' }]);
    const outcome = await sendOnce(hello, options, signal);
    assert.deepEqual(outcome, { name: 'stored', stored: { ...hello, id: 'new1' } });
    assert.deepEqual(sent, [[hello]]);
  });

  it("returns the reason of a rejection, and doesn't search the log", async () => {
    const { sent, options, reads } = service(fail(failure('invalid_request', 'refused', 'the session is archived', 400)));
    const outcome = await sendOnce(hello, options, signal);
    assert.equal(outcome.name, 'refused');
    assert.match(outcome.name === 'refused' ? outcome.problem : '', /the session is archived/);
    assert.equal(sent.length, 1);
    assert.equal(reads(), 0);
  });

  it("finds a sent event in the log after a lost response, and doesn't resend it", async () => {
    const { sent, options } = service(fail(failure('connection_lost', 'unknown')), () => [
      { type: 'session.status_running', id: 'new2' },
      { type: 'user.message', id: 'new1', content: [{ type: 'text', text: 'Hello' }] },
      { type: 'user.message', id: 'old1', content: [{ type: 'text', text: 'Hello' }] },
    ]);
    const outcome = await sendOnce(hello, options, signal);
    assert.equal(outcome.name === 'stored' && outcome.stored?.id, 'new1');
    assert.equal(sent.length, 1);
  });

  it("doesn't mistake an earlier event for the sent one", async () => {
    const { sent, options, reads } = service(fail(failure('connection_lost', 'unknown')), () => [
      { type: 'user.message', id: 'new1', content: [{ type: 'text', text: 'Other words' }] },
      { type: 'user.message', id: 'old1', content: [{ type: 'text', text: 'Hello' }] },
    ]);
    const outcome = await sendOnce(hello, options, signal);
    assert.equal(outcome.name, 'unknown');
    assert.match(outcome.name === 'unknown' ? outcome.problem : '', /may have arrived/);
    assert.equal(reads(), 3);
    assert.equal(sent.length, 1);
  });

  it("reports an unknown outcome if the log can't be read either", async () => {
    const { options } = service(fail(failure('connection_lost', 'unknown')), fail(failure('dns', 'not_sent', 'no such host')));
    const outcome = await sendOnce(hello, options, signal);
    assert.match(outcome.name === 'unknown' ? outcome.problem : '', /may have arrived/);
  });

  it('names the thread in an answer, and resends without it if the service rejects the field', async () => {
    const answer = { type: 'user.tool_confirmation', tool_use_id: 'e1', result: 'allow' } as const;
    const { sent, options } = service(([event]) => {
      if ('session_thread_id' in (event as object)) {
        throw failure('invalid_request', 'refused', 'events.0.session_thread_id: extra inputs are not permitted', 400);
      }
      return [{ ...(event as SessionEvent), id: 'new1' }];
    });
    const outcome = await sendAnswer(answer, { id: 't1', isNamed: true }, options, signal);
    assert.equal(outcome.name, 'stored');
    assert.deepEqual(sent, [[{ ...answer, session_thread_id: 't1' }], [answer]]);
  });

  it("names the thread on request if the ask didn't", async () => {
    const answer = { type: 'user.custom_tool_result', custom_tool_use_id: 'e1', content: [], is_error: false } as const;
    const { sent, options } = service(([event]) => {
      if (!('session_thread_id' in (event as object))) {
        throw failure('invalid_request', 'refused', 'session_thread_id is required', 400);
      }
      return [];
    });
    assert.equal((await sendAnswer(answer, { id: 't1', isNamed: false }, options, signal)).name, 'stored');
    assert.deepEqual(sent, [[answer], [{ ...answer, session_thread_id: 't1' }]]);
  });

  it('sends an answer once if it is rejected for another reason', async () => {
    const answer = { type: 'user.tool_confirmation', tool_use_id: 'e1', result: 'deny' } as const;
    const { sent, options } = service(fail(failure('invalid_request', 'refused', 'tool_use_id: no such event', 400)));
    assert.equal((await sendAnswer(answer, { id: 't1', isNamed: true }, options, signal)).name, 'refused');
    assert.equal(sent.length, 1);
  });

  it('stops when it is aborted', async () => {
    const controller = new AbortController();
    const { options } = service(() => {
      controller.abort();
      throw failure('aborted', 'unknown');
    });
    await assert.rejects(sendOnce(hello, options, controller.signal), { name: 'AbortError' });
  });
});
