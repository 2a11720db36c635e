import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SessionActionContext } from '../../../../src/features/sessions/sessionActionContext';
import { SessionActions } from '../../../../src/features/sessions/sessionActions';

const target = { connection: 'Lab', sessionId: 'sesn_1' };

describe('features/sessions/sessionActions in a workspace that is not trusted', () => {
  let asked = 0;
  // Other members are missing, so using them fails the test.
  const context = {
    connections: {
      whenKnown: Promise.resolve(),
      find: () => {
        asked++;
        return undefined;
      },
    },
    store: { find: () => undefined },
    panels: { active: undefined, upToDate: [], refresh: () => undefined },
    refresh: async () => {
      asked++;
    },
  } as unknown as SessionActionContext;

  beforeEach(() => {
    asked = 0;
    Object.assign(vscode.workspace, { isTrusted: false });
  });

  afterEach(() => {
    Object.assign(vscode.workspace, { isTrusted: true });
  });

  it("don't change a session from a row of the view", async () => {
    const actions = new SessionActions(context);
    try {
      for (const act of [
        () => actions.commands()['managedAgents.session.send'](target),
        () => actions.commands()['managedAgents.session.interrupt'](target),
        () => actions.kindHandlers().rename(target),
        () => actions.kindHandlers().archive(target),
        () => actions.kindHandlers().delete(target),
      ]) {
        await assert.rejects(async () => act(), /until you trust this workspace/);
      }
      assert.equal(asked, 0);
    } finally {
      actions.dispose();
    }
  });

  it('lists no sessions, and a refresh explains why', async () => {
    const actions = new SessionActions(context);
    try {
      await assert.rejects(async () => actions.kindHandlers().refresh(), /read the sessions\. .*until you trust this workspace/);
      assert.equal(asked, 0);
    } finally {
      actions.dispose();
    }
  });
});
