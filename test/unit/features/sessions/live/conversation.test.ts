import assert from 'node:assert/strict';
import { askFingerprint } from '../../../../../src/features/sessions/facts/askFingerprint';
import { Conversation } from '../../../../../src/features/sessions/live/conversation';
import type { MessageRow } from '../../../../../src/shared/session/rows/rows';
import { fillPlaceholders } from '../../requests/fillPlaceholders';
import { settled } from '../panel/fakeService';
import { createSessionUnderTest, failure, live } from '../panel/sessionUnderTest';

const ask = (id: string, more: object = {}) => ({
  type: 'agent.tool_use',
  id,
  name: 'bash',
  input: { command: 'rm -rf build' },
  evaluated_permission: 'ask',
  ...more,
});
const waiting = (...ids: readonly string[]) => ({
  type: 'session.status_idle',
  id: `idle ${ids.join()}`,
  stop_reason: { type: 'requires_action', event_ids: ids },
});

async function setUp() {
  const tested = createSessionUnderTest();
  const { session, access } = tested;
  const extension = new AbortController();
  const conversation = new Conversation({
    session,
    sessions: () => access.write(),
    t: fillPlaceholders,
    lifetime: extension.signal,
    warn: message => tested.warnings.push(message),
    pause: async () => {},
  });
  session.start();
  await tested.watch().push(live);
  const ownRows = () => (session.transcript('')?.rows ?? []).filter((row): row is MessageRow => row.kind === 'user');
  /** Returns the fingerprint of an ask's completely rendered card. */
  const shown = (eventId: string): string => {
    const asking = session.view.asks.find(candidate => candidate.eventId === eventId);
    return askFingerprint(asking?.tool ?? '', asking?.server, session.transcript('')?.partOf(eventId, 'ask')?.text ?? '');
  };
  return { ...tested, conversation, extension, ownRows, shown };
}

function problemOf(result: Awaited<ReturnType<Conversation['confirm']>>): string {
  return result.ok ? '' : (result.problem ?? '');
}

describe('features/sessions/live/conversation', () => {
  it('sends attachments with their message, and nothing if one fails', async () => {
    const { conversation, service } = await setUp();
    const order: string[] = [];
    const first = conversation.sendMessage('c1', 'First', async () => {
      order.push('files of the first');
      return [{ type: 'text', text: 'File a:' }];
    });
    const second = conversation.sendMessage('c2', 'Second', async () => {
      order.push('files of the second');
      throw new Error('It is gone.');
    });
    const third = conversation.sendMessage('c3', 'Third');
    assert.equal((await first).ok, true);
    await assert.rejects(second, /It is gone/);
    assert.equal((await third).ok, true);
    assert.deepEqual(order, ['files of the first', 'files of the second']);
    assert.deepEqual(
      service.sent.flat().map(event => (event as { content?: unknown }).content),
      [
        [
          { type: 'text', text: 'First' },
          { type: 'text', text: 'File a:' },
        ],
        [{ type: 'text', text: 'Third' }],
      ],
    );
  });

  it('shows a message at once, sends it, and recognizes it in the log', async () => {
    const { conversation, service, ownRows, watch, session } = await setUp();
    service.release = () => undefined;
    const sending = conversation.sendMessage('c1', 'Hello');
    await settled();
    assert.deepEqual(
      ownRows().map(row => row.delivery),
      ['sending'],
    );
    service.release();
    assert.deepEqual(await sending, { ok: true });
    assert.deepEqual(service.sent, [[{ type: 'user.message', content: [{ type: 'text', text: 'Hello' }] }]]);
    assert.deepEqual(
      ownRows().map(row => row.delivery),
      ['queued'],
    );
    const stored = {
      type: 'user.message',
      id: 'stored_1',
      content: [{ type: 'text', text: 'Hello' }],
      processed_at: '2026-11-21T12:00:00Z',
    };
    await watch().push({ type: 'events', events: [stored], live: true });
    assert.deepEqual(
      ownRows().map(({ key, delivery }) => [key, delivery]),
      [['stored_1', 'delivered']],
    );
    session.dispose();
  });

  it('sends a double click once', async () => {
    const { conversation, service, session } = await setUp();
    const both = await Promise.all([conversation.sendMessage('c1', 'Hello'), conversation.sendMessage('c1', 'Hello')]);
    assert.deepEqual(both, [{ ok: true }, { ok: true }]);
    assert.equal(service.sent.length, 1);
    session.dispose();
  });

  it('sends messages in the order in which they were written', async () => {
    const { conversation, service, session } = await setUp();
    service.release = () => undefined;
    const first = conversation.sendMessage('c1', 'first');
    const second = conversation.sendMessage('c2', 'second');
    await settled();
    assert.equal(service.sent.length, 1);
    const { release } = service;
    service.release = undefined;
    release?.();
    await Promise.all([first, second]);
    assert.match(JSON.stringify(service.sent), /first.*second/);
    session.dispose();
  });

  it('still sends accepted messages when the panel closes, in order', async () => {
    const { conversation, service, session, warnings } = await setUp();
    service.release = () => undefined;
    const sending = [conversation.sendMessage('c1', 'first'), conversation.sendMessage('c2', 'second')];
    await settled();
    conversation.close();
    session.dispose();
    const { release } = service;
    service.release = undefined;
    release?.();
    assert.deepEqual(await Promise.all(sending), [{ ok: true }, { ok: true }]);
    assert.match(JSON.stringify(service.sent), /first.*second/);
    assert.deepEqual(warnings, []);
  });

  it("doesn't read the log after the panel was closed, and logs unsent messages without their words", async () => {
    const { conversation, service, session, warnings, access } = await setUp();
    service.release = () => undefined;
    service.sendError = failure('connection_lost', 'unknown', undefined, 'cable');
    const sending = conversation.sendMessage('c1', 'Hello there');
    await settled();
    conversation.close();
    session.dispose();
    access.read = () => assert.fail('the log is asked');
    service.release();
    assert.equal((await sending).ok, false);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /sesn_1.*connection_lost.*may have arrived/);
    assert.doesNotMatch(warnings[0] ?? '', /Hello/);
  });

  it('sends nothing more when the extension is deactivated', async () => {
    const { conversation, extension, service, session } = await setUp();
    service.release = () => undefined;
    const sending = [conversation.sendMessage('c1', 'first'), conversation.sendMessage('c2', 'second')];
    await settled();
    conversation.close();
    session.dispose();
    extension.abort();
    const { release } = service;
    service.release = undefined;
    service.sendError = new Error('aborted');
    release?.();
    assert.deepEqual(
      (await Promise.all(sending)).map(({ ok }) => ok),
      [false, false],
    );
    assert.equal(service.sent.length, 1);
    assert.equal(service.signals[0]?.aborted, true);
  });

  it('keeps an unsent message with the reason, until it is sent again', async () => {
    const { conversation, service, ownRows, session } = await setUp();
    service.sendError = failure('invalid_request', 'refused', 400, 'the budget is used up');
    const result = await conversation.sendMessage('c1', 'Hello');
    assert.match(result.ok ? '' : (result.problem ?? ''), /the budget is used up/);
    assert.deepEqual(
      ownRows().map(({ delivery }) => delivery),
      ['failed'],
    );
    service.sendError = undefined;
    assert.deepEqual(await conversation.sendMessage('c2', 'Hello'), { ok: true });
    assert.deepEqual(
      ownRows().map(({ delivery }) => delivery),
      ['queued'],
    );
    assert.equal(service.sent.length, 2);
    session.dispose();
  });

  it('treats a message as sent if the log shows it although the response was lost', async () => {
    const { conversation, service, watch, ownRows, session } = await setUp();
    service.sendError = failure('connection_lost', 'unknown');
    service.release = () => undefined;
    const sending = conversation.sendMessage('c1', 'Hello');
    await settled();
    await watch().push({
      type: 'events',
      events: [{ type: 'user.message', id: 'e1', content: [{ type: 'text', text: 'Hello' }] }],
      live: true,
    });
    service.release();
    assert.deepEqual(await sending, { ok: true });
    assert.equal(service.sent.length, 1);
    assert.equal(ownRows().length, 1);
    session.dispose();
  });

  it('sends nothing from an untrusted workspace', async () => {
    const { conversation, service, surroundings, session } = await setUp();
    surroundings.isTrusted = false;
    const result = await conversation.sendMessage('c1', 'Hello');
    assert.match(result.ok ? '' : (result.problem ?? ''), /until you trust this workspace/);
    assert.equal(service.sent.length, 0);
    session.dispose();
  });

  it("answers with exactly the waiting event's ID, once", async () => {
    const { conversation, service, watch, session, shown } = await setUp();
    await watch().push({
      type: 'events',
      // Some services report the same call twice. The second report counts.
      events: [
        ask('e1', { evaluated_permission: undefined, tool_use_id: 'toolu_1' }),
        ask('e2', { tool_use_id: 'toolu_1' }),
        waiting('e2'),
      ],
      live: true,
    });
    assert.deepEqual(
      session.view.asks.map(({ eventId }) => eventId),
      ['e2'],
    );
    const results = await Promise.all([
      conversation.confirm('c1', 'e2', 'allow', 'not sent with allow', shown('e2')),
      conversation.confirm('c2', 'e2', 'allow', undefined, shown('e2')),
      conversation.confirm('c3', 'e1', 'allow', undefined, shown('e1')),
    ]);
    assert.deepEqual(
      results.map(({ ok }) => ok),
      [true, true, false],
    );
    assert.deepEqual(service.sent, [[{ type: 'user.tool_confirmation', tool_use_id: 'e2', result: 'allow' }]]);
    session.dispose();
  });

  it('sends the reason with a denial', async () => {
    const { conversation, service, watch, session } = await setUp();
    await watch().push({ type: 'events', events: [ask('e1'), waiting('e1')], live: true });
    await conversation.confirm('c1', 'e1', 'deny', 'Keep the build.', undefined);
    assert.deepEqual(service.sent, [
      [{ type: 'user.tool_confirmation', tool_use_id: 'e1', result: 'deny', deny_message: 'Keep the build.' }],
    ]);
    session.dispose();
  });

  it('names the asking thread unless it is the main one', async () => {
    const { conversation, service, watch, session, time, shown } = await setUp();
    service.threads.push({ id: 'thr_a', type: 'session_thread', parent_thread_id: 'thr_main' });
    await time.pass(5000);
    await watch().push({
      type: 'events',
      events: [ask('e1', { session_thread_id: 'thr_a' }), ask('e2', { session_thread_id: 'thr_main' }), waiting('e1', 'e2')],
      live: true,
    });
    await conversation.confirm('c1', 'e1', 'allow', undefined, shown('e1'));
    await conversation.confirm('c2', 'e2', 'allow', undefined, shown('e2'));
    assert.deepEqual(service.sent, [
      [{ type: 'user.tool_confirmation', tool_use_id: 'e1', result: 'allow', session_thread_id: 'thr_a' }],
      [{ type: 'user.tool_confirmation', tool_use_id: 'e2', result: 'allow' }],
    ]);
    session.dispose();
  });

  it("denies, but doesn't allow, a call whose arguments weren't shown completely", async () => {
    const { conversation, service, watch, session, shown } = await setUp();
    const long = ask('e1', { input: { content: 'x'.repeat(20_000) } });
    await watch().push({ type: 'events', events: [long, waiting('e1')], live: true });
    const refused = await conversation.confirm('c1', 'e1', 'allow', undefined, shown('e1'));
    assert.match(refused.ok ? '' : (refused.problem ?? ''), /Load all arguments/);
    assert.equal(service.sent.length, 0);
    conversation.argumentsShown('e1', session.transcript('')?.partOf('e1', 'ask')?.text ?? '');
    assert.deepEqual(await conversation.confirm('c2', 'e1', 'allow', undefined, shown('e1')), { ok: true });
    session.dispose();
  });

  it('allows no arguments that have changed since they were shown, not even at their end', async () => {
    const { conversation, service, watch, session, shown } = await setUp();
    const long = (end: string) => ask('e1', { input: { content: `${'x'.repeat(20_000)}${end}` } });
    await watch().push({ type: 'events', events: [long('a'), waiting('e1')], live: true });
    const whole = () => session.transcript('')?.partOf('e1', 'ask')?.text ?? '';
    conversation.argumentsShown('e1', whole());
    const before = shown('e1');
    assert.equal(conversation.hasChanged('e1', before), false);
    await watch().push({ type: 'changed', events: [long('b')] });
    assert.equal(conversation.hasChanged('e1', before), true);
    const refused = await conversation.confirm('c1', 'e1', 'allow', undefined, before);
    assert.match(refused.ok ? '' : (refused.problem ?? ''), /has changed/);
    assert.equal(service.sent.length, 0);
    conversation.argumentsShown('e1', whole());
    assert.deepEqual(await conversation.confirm('c2', 'e1', 'allow', undefined, shown('e1')), { ok: true });
    session.dispose();
  });

  it('allows no ask that changed under the same ID: other arguments, another tool, or none', async () => {
    for (const change of [{ input: { command: 'rm -rf /' } }, { name: 'Bash' }, { input: undefined }]) {
      const { conversation, service, watch, session, shown } = await setUp();
      await watch().push({ type: 'events', events: [ask('e1'), waiting('e1')], live: true });
      const seen = shown('e1');
      await watch().push({ type: 'changed', events: [ask('e1', change)] });
      assert.match(problemOf(await conversation.confirm('c1', 'e1', 'allow', undefined, seen)), /has changed/, JSON.stringify(change));
      assert.match(problemOf(await conversation.confirm('c2', 'e1', 'allow', undefined, undefined)), /Load all arguments/);
      assert.deepEqual(service.sent, []);
      assert.deepEqual(await conversation.confirm('c3', 'e1', 'deny', undefined, seen), { ok: true });
      session.dispose();
    }
  });

  it('can answer again after a rejected answer', async () => {
    const { conversation, service, watch, session, shown } = await setUp();
    await watch().push({ type: 'events', events: [ask('e1'), waiting('e1')], live: true });
    service.sendError = failure('api', 'refused', 503, 'busy');
    assert.equal((await conversation.confirm('c1', 'e1', 'allow', undefined, shown('e1'))).ok, false);
    service.sendError = undefined;
    assert.deepEqual(await conversation.confirm('c2', 'e1', 'deny', undefined, undefined), { ok: true });
    assert.equal(service.sent.length, 2);
    session.dispose();
  });

  it('sends the result of a custom tool', async () => {
    const { conversation, service, watch, session } = await setUp();
    await watch().push({
      type: 'events',
      events: [{ type: 'agent.custom_tool_use', id: 'e1', name: 'get_price', input: { item: 'tea' } }],
      live: true,
    });
    assert.deepEqual(await conversation.customResult('c1', 'e1', [{ type: 'text', text: '3.20' }], false), { ok: true });
    assert.deepEqual(service.sent, [
      [{ type: 'user.custom_tool_result', custom_tool_use_id: 'e1', content: [{ type: 'text', text: '3.20' }], is_error: false }],
    ]);
    session.dispose();
  });

  it('interrupts a thread once at a time', async () => {
    const { conversation, extension, service, session } = await setUp();
    service.release = () => undefined;
    const all = [conversation.interrupt(undefined), conversation.interrupt(''), conversation.interrupt('thr_a')];
    await settled();
    assert.deepEqual(service.sent, [[{ type: 'user.interrupt' }], [{ type: 'user.interrupt', session_thread_id: 'thr_a' }]]);
    service.release = undefined;
    extension.abort();
    session.dispose();
    void all;
  });

  it('defines an outcome', async () => {
    const { conversation, service, session } = await setUp();
    await conversation.defineOutcome('c1', { description: 'Tests pass', rubric: 'All of them.', maxIterations: 4 });
    assert.deepEqual(service.sent, [
      [
        {
          type: 'user.define_outcome',
          description: 'Tests pass',
          rubric: { type: 'text', content: 'All of them.' },
          max_iterations: 4,
        },
      ],
    ]);
    session.dispose();
  });
});
