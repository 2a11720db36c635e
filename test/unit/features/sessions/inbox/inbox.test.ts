import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../../../src/common/emitter';
import { Inbox } from '../../../../../src/features/sessions/inbox/inbox';
import { extension, FakePanel } from '../../../common/panels/fakePanel';
import { settled } from '../panel/fakeService';

type Dependencies = ConstructorParameters<typeof Inbox>[0];

describe('features/sessions/inbox/inbox', () => {
  it('keeps no listener if the rules load after the panel was closed', async () => {
    let finish: () => void = () => undefined;
    const loading = new Promise<void>(resolve => {
      finish = resolve;
    });
    let listeners = 0;
    const onDidChange = () => {
      listeners++;
      return new vscode.Disposable(() => listeners--);
    };
    const never = { onDidChange: new Emitter<never>().event };
    const inbox = new Inbox({
      context: { globalStorageUri: vscode.Uri.file('/nowhere'), extensionUri: extension, globalState: { get: () => undefined } },
      log: { warn: () => undefined, error: () => undefined },
      connections: { ...never, whenKnown: Promise.resolve() },
      panels: { ...never, answering: () => undefined },
      waiting: { ...never, all: () => [], questions: () => [] },
      dismissed: { has: () => false, add: () => undefined },
      search: () => ({}),
      poll: () => undefined,
      rules: { current: undefined, get: () => loading.then(() => ({ decisions: { onDidChange }, suggest: async () => undefined })) },
    } as unknown as Dependencies);
    const panel = new FakePanel();
    await inbox.restore(panel.asPanel);
    panel.asPanel.dispose();
    finish();
    await settled();
    assert.equal(listeners, 0);
    inbox.dispose();
  });
});
