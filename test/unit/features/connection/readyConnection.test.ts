import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Connection, Connections } from '../../../../src/features/connection/connection';
import { readyConnection } from '../../../../src/features/connection/readyConnection';

describe('features/connection/readyConnection', () => {
  const { showQuickPick } = vscode.window;
  afterEach(() => Object.assign(vscode.window, { showQuickPick }));

  it('uses a connection that becomes ready while the user is asked for one', async () => {
    const changed = new vscode.EventEmitter<void>();
    const current = { name: 'Emulator' } as Connection;
    const connections = {
      whenKnown: Promise.resolve(),
      state: 'none' as Connections['state'],
      reason: undefined,
      all: () => [],
      onDidChange: changed.event,
      current,
    };
    Object.assign(vscode.window, {
      showQuickPick: async (_choices: unknown, _options: unknown, token: vscode.CancellationToken) => {
        const closed = new Promise<undefined>(resolve => token.onCancellationRequested(() => resolve(undefined)));
        connections.state = 'ready';
        changed.fire();
        return await closed;
      },
    });
    assert.equal(await readyConnection(connections as unknown as Connections), current);
  });
});
