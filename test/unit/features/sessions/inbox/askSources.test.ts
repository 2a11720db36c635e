import assert from 'node:assert/strict';
import { settled } from '../panel/fakeService';
import { asking, createInboxUnderTest } from './inboxUnderTest';

describe('features/sessions/inbox/askSources', () => {
  const names = Array.from({ length: 12 }, (_, index) => `sesn_${index}`);

  /** Creates an inbox of waiting sessions. The first `hanging` sessions never respond. */
  function inboxOf(hanging: number) {
    const inbox = createInboxUnderTest(...names);
    for (const [index, name] of names.entries()) {
      inbox.service(name).log = asking(`call_${index}`, `make ${index}`);
      inbox.service(name).hangs = index < hanging;
    }
    return inbox;
  }
  const asked = (inbox: ReturnType<typeof inboxOf>) => names.filter(name => inbox.service(name).retrieved > 0);

  it("reads a new waiting session although another one doesn't respond", async () => {
    const inbox = inboxOf(1);
    inbox.setWaiting('sesn_0', 'sesn_1');
    await settled();
    assert.deepEqual(inbox.commands(), ['make 1']);
    inbox.setWaiting('sesn_0', 'sesn_1', 'sesn_2');
    await settled();
    assert.deepEqual(inbox.commands(), ['make 1', 'make 2']);
    inbox.end();
  });

  it("reads the shown session although as many as are read at once don't respond", async () => {
    const inbox = inboxOf(12);
    inbox.setWaiting(...names);
    await settled();
    assert.deepEqual(asked(inbox), ['sesn_0', 'sesn_1', 'sesn_2', 'sesn_3']);
    inbox.service('sesn_9').hangs = false;
    inbox.sources.setShown({ connection: 'Lab', sessionId: 'sesn_9' });
    await settled();
    assert.deepEqual(inbox.commands(), ['make 9']);
    inbox.end();
  });

  it('reads the next session as soon as one has responded or failed', async () => {
    const inbox = inboxOf(12);
    inbox.setWaiting(...names);
    await settled();
    inbox.service('sesn_0').goOn();
    await settled();
    assert.deepEqual(asked(inbox), names.slice(0, 5));
    inbox.service('sesn_1').retrieveError = new Error('busy');
    inbox.service('sesn_1').goOn();
    await settled();
    assert.deepEqual(asked(inbox), names.slice(0, 6));
    inbox.end();
  });

  it('reads each session again after a while, and none twice at the same time', async () => {
    const inbox = inboxOf(1);
    inbox.setWaiting(...names);
    await settled();
    assert.deepEqual(asked(inbox), names);
    await inbox.time.pass(130_000);
    assert.deepEqual(
      names.map(name => inbox.service(name).retrieved),
      names.map((_, index) => (index === 0 ? 1 : 3)),
    );
    inbox.end();
  });

  it("reports a session whose events can't be shown as unreadable, and retries", async () => {
    const inbox = inboxOf(0);
    const odd = Object.defineProperty({ type: 'agent.message', id: 'odd' }, 'content', {
      get: () => {
        throw new Error('odd contents');
      },
    });
    inbox.service('sesn_0').log = [...asking('call_0', 'make 0'), odd];
    inbox.setWaiting('sesn_0');
    await settled();
    assert.match(inbox.sources.unread.join(), /odd contents/);
    inbox.service('sesn_0').log = asking('call_0', 'make 0');
    await inbox.time.pass(20_000);
    assert.deepEqual([inbox.sources.unread, inbox.commands()], [[], ['make 0']]);
    inbox.end();
  });
});
