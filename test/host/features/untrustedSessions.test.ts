import assert from 'node:assert/strict';
import { archiveSession, deleteSession, interruptSession } from '../../../src/features/sessions/endSession';
import { renameSession } from '../../../src/features/sessions/renameSession';
import { sendMessage } from '../../../src/features/sessions/sendMessage';
import type { SessionActionContext } from '../../../src/features/sessions/sessionActionContext';
import { SessionActions } from '../../../src/features/sessions/sessionActions';

const target = { connection: 'Lab', sessionId: 'sesn_1' };

describe('sessions in a workspace that is not trusted', () => {
  let asked = 0;
  // Whatever else it were asked for would be too much.
  const context = {
    isTrusted: () => false,
    connections: {
      whenKnown: Promise.resolve(),
      find: () => {
        asked++;
        return undefined;
      },
    },
    store: { find: () => undefined },
    panels: { active: undefined, seen: [], refresh: () => undefined },
    refresh: async () => {
      asked++;
    },
  } as unknown as SessionActionContext;

  beforeEach(() => {
    asked = 0;
  });

  for (const [name, act] of Object.entries({
    interruptSession: () => interruptSession(context, target),
    archiveSession: () => archiveSession(context, target),
    deleteSession: () => deleteSession(context, target),
    renameSession: () => renameSession(context, target),
    sendMessage: () => sendMessage(context, new Map(), target),
  })) {
    it(`are not changed by ${name}, which says why`, async () => {
      await assert.rejects(act, /^Error: Until you trust this workspace, a service is asked only for what you open, fetch or test\.$/);
      assert.equal(asked, 0);
    });
  }

  it('are not changed from a row of the view', async () => {
    const actions = new SessionActions(context);
    try {
      for (const act of [
        () => actions.send(target),
        () => actions.interrupt(target),
        () => actions.rename(target),
        () => actions.archive(target),
        () => actions.delete(target),
      ]) {
        await assert.rejects(act, /Until you trust this workspace/);
      }
      assert.equal(asked, 0);
    } finally {
      actions.dispose();
    }
  });

  it('are not listed, and a refresh says why', async () => {
    const actions = new SessionActions(context);
    try {
      await assert.rejects(() => actions.refresh(), /not read\. Until you trust this workspace/);
      assert.equal(asked, 0);
    } finally {
      actions.dispose();
    }
  });
});
