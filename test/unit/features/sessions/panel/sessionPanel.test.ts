import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { followPanel } from '../../../../../src/features/sessions/panel/openSessionPanels';
import { SessionPanel } from '../../../../../src/features/sessions/panel/sessionPanel';
import { createSessionUnderTest, live, reference } from './sessionUnderTest';

describe('features/sessions/panel/sessionPanel', () => {
  it('reports on closing that its session is no longer up to date', async () => {
    const { session, watch, time } = createSessionUnderTest();
    session.start();
    await watch().push(live);
    await time.pass(2500);
    const closed: (() => void)[] = [];
    const nothing = { dispose: () => undefined };
    const panel = {
      ...{ title: '', visible: true, onDidChangeViewState: () => nothing, onDidDispose: (listener: () => void) => closed.push(listener) },
      webview: { asWebviewUri: (uri: object) => uri, cspSource: '', onDidReceiveMessage: () => nothing },
    } as unknown as vscode.WebviewPanel;
    const page = new SessionPanel({
      ...{ panel, title: '', source: session, handlers: {} as never, state: {}, extension: vscode.Uri.file('/extension') },
      ...{ log: {} as never, prices: () => ({ currency: 'USD', models: [] }), onUse: () => undefined, onVisibility: () => undefined },
      onDispose: () => follow.dispose(),
    });
    const reported: boolean[] = [];
    const follow = followPanel({ reference, page, session }, () => reported.push(session.isUpToDate));
    await watch().push({ type: 'state', state: { name: 'live' } });
    reported.length = 0;
    assert.equal(session.isUpToDate, true);
    for (const close of closed) {
      close();
    }
    assert.deepEqual(reported, [false]);
  });
});
