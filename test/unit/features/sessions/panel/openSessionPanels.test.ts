import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../../../src/common/emitter';
import { OpenSessionPanels } from '../../../../../src/features/sessions/panel/openSessionPanels';
import { settled } from './fakeService';

type Dependencies = ConstructorParameters<typeof OpenSessionPanels>[0];

describe('features/sessions/panel/openSessionPanels', () => {
  const never = { onDidChange: () => new vscode.Disposable(() => undefined) };

  /** Opens panels whose rules come from `get`. Returns them with the warnings and the number of listeners to decisions. */
  function panelsOf(get: (rules: object) => Promise<object>) {
    const changed = new Emitter<void>();
    const warnings: string[] = [];
    const listeners = { count: 0 };
    const onDidChange = (listener: () => void) => {
      listeners.count++;
      const subscription = changed.event(listener);
      return {
        dispose: () => {
          listeners.count--;
          subscription.dispose();
        },
      };
    };
    const panels = new OpenSessionPanels({
      context: { globalStorageUri: vscode.Uri.file('/nowhere'), workspaceState: { get: () => undefined } },
      connections: { ...never, whenKnown: Promise.resolve() },
      emulator: never,
      documents: {},
      log: { warn: (message: string) => warnings.push(message) },
      rules: { get: () => get({ decisions: { onDidChange } }), current: undefined },
      onChange: () => undefined,
    } as unknown as Dependencies);
    return { panels, warnings, listeners };
  }

  /** Restores a panel without a session, which closes at once. */
  const restore = (panels: OpenSessionPanels) => panels.restore({ dispose: () => undefined } as vscode.WebviewPanel, {});

  it('loads the rules again with the next panel if they could not be loaded', async () => {
    let calls = 0;
    const { panels, warnings, listeners } = panelsOf(async rules => {
      if (++calls === 1) {
        throw new Error('disk');
      }
      return rules;
    });
    await settled();
    assert.deepEqual([warnings.length, listeners.count], [1, 0]);
    await restore(panels);
    await restore(panels);
    await settled();
    assert.deepEqual([warnings.length, listeners.count, calls], [1, 1, 2]);
    panels.dispose();
    assert.equal(listeners.count, 0);
  });

  it('keeps no listener if the rules load after deactivation', async () => {
    let finish: () => void = () => undefined;
    const { panels, listeners } = panelsOf(async rules => {
      await new Promise<void>(resolve => {
        finish = resolve;
      });
      return rules;
    });
    panels.dispose();
    finish();
    await settled();
    assert.equal(listeners.count, 0);
  });
});
