import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { askChoice } from '../../../../src/common/asking/askSteps';
import { NothingToDoError } from '../../../../src/common/asking/nothingToDo';
import { type ListedQuestion, pickListed } from '../../../../src/common/asking/pickListed';
import { createShowError } from '../../../../src/common/asking/showError';
import type { Log } from '../../../../src/common/log';

const question = { title: 'Credentials', placeholder: 'Which credential?' };
const listed = { isListed: true, hasMore: false, problem: undefined, moreProblem: undefined };

/** Returns choices for these ids. */
const among = (...ids: readonly string[]) => ids.map(id => ({ label: id, value: id }));

function pick(
  ids: readonly string[],
  list: ListedQuestion<string>['list'] = listed,
  read = async () => {},
  mayBeUnlisted = false,
): Promise<string> {
  return pickListed({
    ...question,
    none: () => 'None yet',
    choices: () => among(...ids),
    list,
    read,
    mayBeUnlisted,
    byId: id => id,
  });
}

describe('common/asking/nothingToDo', () => {
  const { window } = vscode;
  const { createQuickPick, showInformationMessage } = window;

  afterEach(() => Object.assign(window, { createQuickPick, showInformationMessage }));

  it('opens no picker for an empty list or a list with one item', async () => {
    const none = 'None yet';
    await assert.rejects(() => askChoice({ ...question, none, choices: [{ label: 'A heading' }] }), new NothingToDoError(none));
    assert.equal(await askChoice({ ...question, none, choices: among('one') }), 'one');
    await assert.rejects(() => askChoice({ ...question, none, choices: among('one', 'two') }), /createQuickPick was called/);
    await assert.rejects(() => askChoice({ ...question, choices: among('an act') }), /createQuickPick was called/);
    await assert.rejects(() => pick([]), new NothingToDoError(none));
    assert.equal(await pick(['one']), 'one');
    await assert.rejects(() => pick(['one'], listed, undefined, true), /createQuickPick was called/);
    await assert.rejects(() => pick(['one', 'two']), /createQuickPick was called/);
    await assert.rejects(() => pick(['one'], { ...listed, hasMore: true }), /createQuickPick was called/);
  });

  it('closes the picker of a list that turns out to be empty, or to have one item', async () => {
    const noEvent = () => ({ dispose: () => undefined });
    let closed = 0;
    const opened = {
      ...{ value: '', items: [], activeItems: [], selectedItems: [], busy: false },
      ...{ onDidHide: noEvent, onDidChangeValue: noEvent, onDidAccept: noEvent, onDidTriggerButton: noEvent },
      ...{ show: () => undefined, dispose: () => closed++ },
    };
    Object.assign(window, { createQuickPick: () => opened });
    for (const ids of [[], ['one']]) {
      const list = { ...listed, isListed: false };
      const chosen = pick(ids, list, async () => {
        list.isListed = true;
      });
      await (ids.length === 0 ? assert.rejects(chosen, new NothingToDoError('None yet')) : chosen);
    }
    assert.equal(closed, 2);
  });

  it('is information without a button for the log', async () => {
    const shown: unknown[] = [];
    Object.assign(window, { showInformationMessage: async (...told: unknown[]) => void shown.push(told) });
    await createShowError({ error: () => assert.fail('logged as an error') } as unknown as Log)(
      new NothingToDoError('There are no drafts.'),
    );
    assert.deepEqual(shown, [['There are no drafts.']]);
  });
});
