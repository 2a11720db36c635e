import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { askChoices, runQuestions } from '../../../src/common/asking/askSteps';

describe('common/asking/askChoices in VS Code', () => {
  const createQuickPick = Object.getOwnPropertyDescriptor(vscode.window, 'createQuickPick');
  let opened: vscode.QuickPick<vscode.QuickPickItem>[];
  /** Actions of the user in each picker that opens, in order. */
  let acts: ((accept: () => void, back: () => void, pick: vscode.QuickPick<vscode.QuickPickItem>) => void)[];

  beforeEach(() => {
    opened = [];
    Object.defineProperty(vscode.window, 'createQuickPick', {
      configurable: true,
      writable: true,
      value: () => {
        const accepted = new vscode.EventEmitter<void>();
        const pressed = new vscode.EventEmitter<vscode.QuickInputButton>();
        const pick = {
          ...{ items: [], selectedItems: [], buttons: [], onDidAccept: accepted.event, onDidTriggerButton: pressed.event },
          onDidHide: () => ({ dispose: () => undefined }),
          show: () =>
            acts.shift()?.(
              () => accepted.fire(),
              () => pressed.fire(vscode.QuickInputButtons.Back),
              pick,
            ),
          dispose: () => undefined,
        } as unknown as vscode.QuickPick<vscode.QuickPickItem>;
        opened.push(pick);
        return pick;
      },
    });
  });

  afterEach(() => {
    if (createQuickPick !== undefined) {
      Object.defineProperty(vscode.window, 'createQuickPick', createQuickPick);
    }
  });

  const question = (ticked: readonly string[], canGoBack = false) => ({
    ...{ title: 'Events', placeholder: 'Which?', canGoBack, ticked },
    choices: ['a', 'b'].map(value => ({ label: value, value })),
    validate: (chosen: readonly string[]) => (chosen.length === 0 ? 'Tick one.' : undefined),
  });

  it('stays open while nothing is selected, and says why', async () => {
    acts = [
      (accept, _, pick) => {
        pick.selectedItems = [];
        accept();
        assert.equal(pick.title, 'Events: Tick one.');
        pick.selectedItems = pick.items.slice(1);
        accept();
      },
    ];
    assert.deepEqual(await askChoices(question(['a'])), ['b']);
    assert.equal(opened.length, 1);
  });

  it('goes back, and restores the selection', async () => {
    let ticked: readonly string[] = ['b'];
    acts = [accept => accept(), (_, back) => back(), accept => accept(), accept => accept()];
    const ask = async (canGoBack: boolean) => {
      ticked = await askChoices(question(ticked, canGoBack));
    };
    await runQuestions(() => [ask, ask]);
    assert.deepEqual(ticked, ['b']);
    assert.equal(opened.length, 4);
  });
});
