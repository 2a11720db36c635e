import assert from 'node:assert/strict';
import { settled } from '../panel/fakeService';
import { failure } from '../panel/sessionUnderTest';
import { asking, createInboxUnderTest, questioning } from './inboxUnderTest';

describe('features/sessions/inbox/deskQuestions', () => {
  /** Creates an inbox with a waiting session and two sessions with questions. The card shows the first question. */
  async function three() {
    const inbox = createInboxUnderTest('sesn_waits', 'sesn_asks', 'sesn_other');
    inbox.service('sesn_waits').log = asking('call_1', 'make');
    inbox.service('sesn_asks').log = questioning('msg_1', 'I looked.\n\nWhich branch?');
    inbox.service('sesn_other').log = questioning('msg_2', 'May I?');
    for (const name of ['sesn_waits', 'sesn_asks', 'sesn_other']) {
      inbox.service(name).session = { id: name, type: 'session', status: 'idle' } as never;
    }
    inbox.setWaiting('sesn_waits');
    inbox.setQuestions(['sesn_asks', 'msg_1'], ['sesn_other', 'msg_2']);
    await settled();
    const [first, second] = inbox.desk.view.questions;
    assert.ok(first && second);
    inbox.desk.setShown(first.id);
    await settled();
    return { ...inbox, first: first.id, second: second.id };
  }
  const reply = (id: string, text = 'main', clientId = 'c1') => ({ type: 'reply', clientId, id, text }) as const;
  const shown = (inbox: Awaited<ReturnType<typeof three>>) => inbox.desk.view.questions.map(({ id }) => id);

  it('lists questions apart from asks, and reads only the shown one', async () => {
    const inbox = await three();
    const { entries, questions, isRead } = inbox.desk.view;
    assert.deepEqual([entries.length, isRead], [1, true]);
    assert.deepEqual(
      questions.map(({ title, agent, text }) => [title, agent, text]),
      [
        ['Name of sesn_asks', 'Researcher', 'I looked.\n\nWhich branch?'],
        ['Name of sesn_other', 'Researcher', undefined],
      ],
    );
    assert.equal(inbox.service('sesn_other').retrieved, 0);
    inbox.end();
  });

  it('answers a question with one message, and removes it silently', async () => {
    const inbox = await three();
    const { retrieved } = inbox.service('sesn_asks');
    const results = await Promise.all([inbox.desk.reply(reply(inbox.first)), inbox.desk.reply(reply(inbox.first))]);
    assert.deepEqual(results, [{ ok: true }, { ok: true }]);
    await settled();
    assert.ok(inbox.service('sesn_asks').retrieved > retrieved, 'the list would not know of it');
    assert.deepEqual(inbox.service('sesn_asks').sent, [[{ type: 'user.message', content: [{ type: 'text', text: 'main' }] }]]);
    assert.deepEqual([shown(inbox), inbox.desk.view.left], [[inbox.second], []]);
    inbox.end();
  });

  it("stay when the answer wasn't sent, with the reason", async () => {
    const inbox = await three();
    inbox.service('sesn_asks').sendError = failure('overloaded', 'refused', 529, 'busy');
    const result = await inbox.desk.reply(reply(inbox.first));
    assert.equal(result.ok, false);
    assert.deepEqual(shown(inbox), [inbox.first, inbox.second]);
    inbox.end();
  });

  it('removes a question that was answered elsewhere, even if only its log shows that', async () => {
    const inbox = await three();
    inbox.service('sesn_asks').log = [
      { type: 'session.status_running', id: 'resumed' },
      { type: 'user.message', id: 'answer', content: [{ type: 'text', text: 'main' }] },
      ...questioning('msg_1', 'Which branch?'),
    ];
    inbox.setQuestions(['sesn_other', 'msg_2']);
    await settled();
    assert.deepEqual(shown(inbox), [inbox.second]);
    assert.deepEqual(inbox.desk.view.left, [{ id: inbox.first, words: 'It was answered elsewhere.' }]);
    assert.deepEqual(await inbox.desk.reply(reply(inbox.first)), { ok: false, problem: 'It was answered elsewhere.' });
    assert.deepEqual(inbox.service('sesn_asks').sent, []);
    inbox.end();
  });

  it('removes a dismissed question until the session asks another one', async () => {
    const inbox = await three();
    inbox.desk.postpone(inbox.first);
    assert.deepEqual([shown(inbox), inbox.desk.view.left], [[inbox.second], []]);
    inbox.setQuestions(['sesn_asks', 'msg_1'], ['sesn_other', 'msg_2']);
    assert.deepEqual(shown(inbox), [inbox.second]);
    inbox.setQuestions(['sesn_asks', 'msg_3'], ['sesn_other', 'msg_2']);
    assert.equal(shown(inbox).length, 2);
    inbox.end();
  });

  it('removes the question of an archived session', async () => {
    const inbox = await three();
    const session = { id: 'sesn_asks', type: 'session', status: 'idle', archived_at: '2026-01-05T12:00:00Z' };
    inbox.service('sesn_asks').session = session as never;
    inbox.setQuestions();
    await settled();
    const left = new Map(inbox.desk.view.left.map(({ id, words }) => [id, words]));
    assert.equal(left.get(inbox.first), 'This session is archived.');
    assert.equal(left.get(inbox.second), 'It no longer needs an answer.');
    inbox.end();
  });

  describe('of a session that seems stuck', () => {
    async function stuck() {
      const inbox = createInboxUnderTest('sesn_stuck');
      inbox.service('sesn_stuck').log = [
        { type: 'user.message', id: 'u', content: [] },
        { type: 'session.status_running', id: 'r' },
      ] as never;
      inbox.service('sesn_stuck').session = { id: 'sesn_stuck', type: 'session', status: 'running' } as never;
      inbox.setStuck('sesn_stuck');
      await settled();
      const [question] = inbox.desk.view.questions;
      assert.ok(question !== undefined);
      inbox.desk.setShown(question.id);
      await settled();
      return { ...inbox, id: question.id };
    }

    it('accepts a message or an interrupt, and disappears until the next episode', async () => {
      const inbox = await stuck();
      assert.equal(inbox.desk.view.questions[0]?.stuck?.kind, 'silent');
      assert.equal(inbox.desk.placeOf(inbox.id)?.eventId, 'e1');
      assert.deepEqual(await inbox.desk.reply(reply(inbox.id, 'Skip it')), { ok: true });
      assert.deepEqual(inbox.service('sesn_stuck').sent, [[{ type: 'user.message', content: [{ type: 'text', text: 'Skip it' }] }]]);
      inbox.setStuck('sesn_stuck');
      assert.deepEqual(inbox.desk.view.questions, []);
      inbox.end();
      const other = await stuck();
      await other.desk.interrupt(other.id);
      assert.deepEqual(other.service('sesn_stuck').sent, [[{ type: 'user.interrupt' }]]);
      assert.deepEqual([other.desk.view.questions, other.desk.view.left], [[], []]);
      other.end();
    });

    it('is withdrawn, also while it is shown, when the session continues', async () => {
      const inbox = await stuck();
      inbox.setStuck();
      await settled();
      assert.deepEqual(inbox.desk.view.questions, []);
      assert.deepEqual(inbox.desk.view.left, [{ id: inbox.id, words: 'The session continues.' }]);
      inbox.end();
    });
  });
});
