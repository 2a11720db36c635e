import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { showFailure, showInformation, showWarning } from '../../../../src/common/asking/notifications';

const short = 'No request is running.';
const long = 'This request has no id of its own, and questions.jsonl was changed since it was sent. It stood on line 4,711.';

describe('common/asking/notifications', () => {
  const { showInformationMessage, showWarningMessage, showErrorMessage } = vscode.window;
  const shown: (readonly unknown[])[] = [];
  let answer: string | undefined;

  before('look at what is shown', () => {
    const look = (async (...given: readonly unknown[]) => {
      shown.push(given);
      return answer;
    }) as typeof showInformationMessage;
    Object.assign(vscode.window, { showInformationMessage: look, showWarningMessage: look, showErrorMessage: look });
  });
  beforeEach(() => {
    shown.length = 0;
    answer = undefined;
  });
  after('show things again', () => {
    Object.assign(vscode.window, { showInformationMessage, showWarningMessage, showErrorMessage });
  });

  it('get a button if VS Code would cut them to one line without', async () => {
    answer = 'OK';
    assert.equal(await showInformation(long), undefined);
    assert.equal(await showWarning(long), undefined);
    answer = undefined;
    await showFailure(long);
    assert.deepEqual(shown, [
      [long, 'OK'],
      [long, 'OK'],
      [long, 'Show Log'],
    ]);
  });

  it('keep their buttons, and have none when they are short', async () => {
    answer = 'Open';
    assert.equal(await showInformation(long, 'Open'), 'Open');
    await showWarning(short);
    await showFailure(short);
    assert.deepEqual(shown, [[long, 'Open'], [short], [short]]);
  });
});
