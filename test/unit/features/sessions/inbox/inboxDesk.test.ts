import assert from 'node:assert/strict';
import type { InboxEntry } from '../../../../../src/shared/inbox/inboxProtocol';
import { settled } from '../panel/fakeService';
import { failure } from '../panel/sessionUnderTest';
import { answered, asking, createInboxUnderTest } from './inboxUnderTest';

describe('features/sessions/inbox/inboxDesk', () => {
  /** Creates an inbox with two waiting sessions, the older session last. */
  async function two(newer = 'make', older = 'rm -rf build') {
    const inbox = createInboxUnderTest('sesn_new', 'sesn_old');
    inbox.service('sesn_new').log = asking('call_new', newer, '2026-01-05T10:00:00Z');
    inbox.service('sesn_old').log = asking('call_old', older);
    for (const [name, title] of [
      ['sesn_new', 'Newer'],
      ['sesn_old', 'Older'],
    ] as const) {
      inbox.service(name).session = {
        id: name,
        type: 'session',
        status: 'idle',
        title,
        agent: { id: 'agent_1', name: 'Operator' },
      } as never;
    }
    inbox.setWaiting('sesn_new', 'sesn_old');
    await settled();
    return inbox;
  }
  const at = (inbox: Awaited<ReturnType<typeof two>>, place: number): InboxEntry => {
    const entry = inbox.desk.view.entries[place];
    assert.ok(entry);
    return entry;
  };
  const allow = (entry: InboxEntry, clientId = 'c1') =>
    ({ type: 'confirm', clientId, eventId: entry.ask.eventId, result: 'allow', shown: entry.fingerprint }) as const;

  it("shows every session's asks completely, oldest first, with agent and session", async () => {
    const inbox = await two();
    assert.deepEqual(inbox.commands(), ['rm -rf build', 'make']);
    assert.deepEqual(
      inbox.desk.view.entries.map(({ agent, title, connection }) => [agent, title, connection]),
      [
        ['Operator', 'Older', 'Lab'],
        ['Operator', 'Newer', 'Lab'],
      ],
    );
    inbox.end();
  });

  it("counts the remaining calls, and doesn't claim to be complete while it searches", async () => {
    const inbox = await two();
    assert.equal(inbox.asked(), 4);
    assert.equal(inbox.desk.view.isRead, true);
    inbox.setFindingOut(true);
    assert.equal(inbox.desk.view.isRead, false);
    inbox.end();
  });

  it("explains why it couldn't read asks, until it did", async () => {
    const inbox = createInboxUnderTest('sesn_1');
    inbox.service('sesn_1').retrieveError = failure('overloaded', 'refused', 529, 'busy');
    inbox.setWaiting('sesn_1');
    await settled();
    assert.match(inbox.desk.view.unread.join('\n'), /busy/);
    inbox.service('sesn_1').retrieveError = undefined;
    inbox.service('sesn_1').log = asking('call_1', 'make');
    await inbox.time.pass(20_000);
    assert.deepEqual([inbox.desk.view.unread, inbox.commands()], [[], ['make']]);
    inbox.end();
  });

  it('sends an answer once, to the asking session, and removes the ask silently', async () => {
    const inbox = await two();
    const entry = at(inbox, 0);
    const results = await Promise.all([
      inbox.desk.answer(allow(entry)),
      inbox.desk.answer(allow(entry)),
      inbox.desk.answer(allow(entry, 'c2')),
    ]);
    assert.deepEqual(
      results.map(({ ok }) => ok),
      [true, true, true],
    );
    assert.deepEqual(inbox.service('sesn_old').sent, [[{ type: 'user.tool_confirmation', tool_use_id: 'call_old', result: 'allow' }]]);
    assert.deepEqual(inbox.service('sesn_new').sent, []);
    assert.deepEqual(inbox.commands(), ['make']);
    assert.deepEqual(inbox.desk.view.left, []);
    inbox.end();
  });

  it('reads a session at once after an answer, so that the list is updated', async () => {
    const inbox = await two();
    inbox.service('sesn_old').log = [...answered('call_old'), ...inbox.service('sesn_old').log];
    const { retrieved } = inbox.service('sesn_old');
    await inbox.desk.answer(allow(at(inbox, 0)));
    await settled();
    assert.equal(inbox.service('sesn_old').retrieved, retrieved + 1);
    inbox.end();
  });

  it('restores an ask that the service still lists some time after the answer, with a message', async () => {
    const inbox = await two();
    await inbox.desk.answer(allow(at(inbox, 0)));
    await inbox.time.pass(5_000);
    assert.deepEqual(inbox.commands(), ['make']);
    await inbox.time.pass(120_000);
    assert.deepEqual(inbox.commands(), ['rm -rf build', 'make']);
    assert.match(at(inbox, 0).problem ?? '', /still waiting/);
    inbox.end();
  });

  it("explains why an answer wasn't sent, and keeps the ask", async () => {
    const inbox = await two();
    inbox.service('sesn_old').sendError = failure('overloaded', 'refused' as never, 529, 'busy');
    const result = await inbox.desk.answer(allow(at(inbox, 0)));
    assert.equal(result.ok, false);
    assert.match(result.ok ? '' : (result.problem ?? ''), /529/);
    assert.deepEqual(inbox.commands(), ['rm -rf build', 'make']);
    inbox.end();
  });

  it('allows only what was shown', async () => {
    const inbox = await two();
    const shown = at(inbox, 0);
    inbox.service('sesn_old').log = asking('call_old', 'rm -rf /');
    inbox.setWaiting('sesn_old');
    await settled();
    assert.deepEqual(inbox.commands(), ['rm -rf /', 'make']);
    const result = await inbox.desk.answer(allow(shown));
    assert.match(result.ok ? '' : (result.problem ?? ''), /has changed/);
    assert.deepEqual(inbox.service('sesn_old').sent, []);
    inbox.end();
  });

  it('shows that a rule answered', async () => {
    const inbox = await two();
    const { ask } = at(inbox, 0);
    inbox.desk.setShown(ask.eventId);
    await settled();
    inbox.rules.set('call_old', { ruleName: 'Clean up', result: 'allow' });
    const service = inbox.service('sesn_old');
    service.log = [...answered('call_old'), ...service.log] as never;
    await inbox.time.pass(30_000);
    assert.deepEqual(inbox.desk.view.left, [{ id: ask.eventId, words: 'The rule "Clean up" allowed it.' }]);
    inbox.end();
  });

  const leavings = [
    ['It was answered elsewhere.', (log: ReturnType<typeof asking>) => ({ log: [...answered('call_old'), ...log] })],
    ['This session is archived.', () => ({ session: { archived_at: '2026-01-05T10:00:00Z', updated_at: '2026-01-05T10:00:00Z' } })],
    ['The session has ended.', (log: ReturnType<typeof asking>) => ({ log: [{ type: 'session.status_terminated', id: 'end' }, ...log] })],
    ['The session was deleted.', () => ({ error: failure('not_found', 'refused' as never, 404) })],
  ] as const;
  for (const [words, change] of leavings) {
    it(`shows a message: ${words}`, async () => {
      const inbox = await two();
      const { ask } = at(inbox, 0);
      inbox.desk.setShown(ask.eventId);
      await settled();
      const service = inbox.service('sesn_old');
      const changes: { log?: never; session?: object; error?: unknown } = change(service.log) as never;
      service.log = changes.log ?? service.log;
      service.session = { ...service.session, ...changes.session };
      service.retrieveError = changes.error;
      await inbox.time.pass(30_000);
      assert.deepEqual(inbox.commands(), ['make']);
      assert.deepEqual(inbox.desk.view.left, [{ id: ask.eventId, words }]);
      const result = await inbox.desk.answer(allow({ ...at(inbox, 0), ask }));
      assert.deepEqual(result, { ok: false, problem: words });
      assert.deepEqual(service.sent, []);
      inbox.end();
    });
  }

  it('keeps the suggested rule when another one is confirmed', async () => {
    const inbox = await two();
    const rule = { id: 'rule_1' } as never;
    inbox.desk.suggest({ rule, scope: 'Always allow read', tool: 'read', allowed: 19, total: 20 });
    const offered = { id: 'rule_1', scope: 'Always allow read', trial: 'You allowed 19 of 20 read calls.' };
    assert.equal(inbox.desk.takeSuggestion('rule_0'), undefined);
    assert.deepEqual(inbox.desk.view.suggestion, offered);
    assert.equal(inbox.desk.takeSuggestion('rule_1'), rule);
    assert.equal(inbox.desk.view.suggestion, undefined);
    inbox.desk.suggest({ rule, scope: 'Always allow read', tool: 'read', allowed: 19, total: 20 });
    assert.equal(inbox.desk.takeSuggestion(), rule);
    inbox.end();
  });

  it('moves a deferred ask to the end', async () => {
    const inbox = await two();
    inbox.desk.postpone(at(inbox, 0).ask.eventId);
    assert.deepEqual(inbox.commands(), ['make', 'rm -rf build']);
    assert.equal(at(inbox, 1).isPostponed, true);
    inbox.desk.postpone(at(inbox, 0).ask.eventId);
    assert.deepEqual(inbox.commands(), ['rm -rf build', 'make']);
    inbox.end();
  });

  const asked = (...entries: readonly InboxEntry[]) => entries.map(({ ask, fingerprint }) => ({ id: ask.eventId, shown: fingerprint }));
  const allowEqual = (inbox: Awaited<ReturnType<typeof two>>, ...entries: readonly InboxEntry[]) =>
    inbox.desk.allowEqual({ type: 'allowEqual', clientId: 'c1', asks: asked(...entries) });

  it("allows asks with equal arguments together, each once, and shows an unsent one's error on its card", async () => {
    const inbox = await two('make', 'make');
    const [old, fresh] = [at(inbox, 0), at(inbox, 1)];
    assert.ok(old.equalKey);
    assert.equal(old.equalKey, fresh.equalKey);
    inbox.service('sesn_new').sendError = failure('overloaded', 'refused' as never, 529, 'busy');
    const result = await allowEqual(inbox, old, fresh);
    assert.match(result.ok ? '' : (result.problem ?? ''), /^1 of 2 were not allowed.*529/);
    assert.equal(inbox.service('sesn_old').sent.length, 1);
    assert.deepEqual(inbox.commands(), ['make']);
    assert.match(at(inbox, 0).problem ?? '', /529/);
    inbox.end();
  });

  it("doesn't group asks whose arguments only have the same shape", async () => {
    const inbox = await two('git push origin main --force', 'npm install lodash');
    assert.notEqual(at(inbox, 0).equalKey, at(inbox, 1).equalKey);
    assert.equal((await allowEqual(inbox, at(inbox, 0), at(inbox, 1))).ok, false);
    assert.deepEqual([...inbox.service('sesn_old').sent, ...inbox.service('sesn_new').sent], []);
    inbox.end();
  });

  it('allows none of several if one differs from what was shown', async () => {
    const inbox = await two('make', 'make');
    const shown = [at(inbox, 0), at(inbox, 1)];
    inbox.service('sesn_new').log = asking('call_new', 'make install');
    inbox.setWaiting('sesn_old', 'sesn_new');
    await settled();
    assert.equal((await allowEqual(inbox, ...shown)).ok, false);
    assert.deepEqual([...inbox.service('sesn_old').sent, ...inbox.service('sesn_new').sent], []);
    inbox.end();
  });
});
