import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '../eventually';
import { picker } from '../page/quickInputs';
import { tabOf, useWorkbench } from './workbench';

const whole = (id: string, words: string, more: object = {}) =>
  JSON.stringify({
    custom_id: id,
    params: { model: 'vendor-haiku-4-5', max_tokens: 64, messages: [{ role: 'user', content: words }], ...more },
  });

const questions = [
  whole('capital-of-chile', 'What is the capital of Chile?'),
  whole('tides', 'Why are there two high tides a day?', { thinking: { type: 'enabled', budget_tokens: 2048 } }),
  whole('bones', 'How many bones has a hand?'),
];
const lines = `${questions.join('\n')}\n`;

const dialog = '.monaco-dialog-box';
const asked = (text: string) => `${picker}:has-text(${JSON.stringify(text)})`;
const listed = (text: string) => `${picker} .monaco-list-row:has-text(${JSON.stringify(text)})`;

/** Returns whether VS Code has a backup with this text. */
function isBackedUp(folder: string, text: string): boolean {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => /(^|[\\/])Backups[\\/]/.test(file))
    .map(file => path.join(folder, file))
    .some(file => statSync(file).isFile() && readFileSync(file, 'utf8').includes(text));
}

describe('the editor of one request in the workbench @ci', () => {
  const workbench = useWorkbench({
    files: {
      'edit.jsonl': lines,
      'conflict.jsonl': lines,
      'lost.jsonl': lines,
      'deleted.jsonl': lines,
      'notes.txt': 'Nothing to send.\n',
      'next.jsonl': lines,
      'reload.jsonl': lines,
    },
    settings: {
      'editor.autoClosingBrackets': 'never',
      'editor.autoClosingQuotes': 'never',
      'editor.formatOnSave': true,
      'files.trimFinalNewlines': true,
    },
  });

  /** Opens a file and, next to it, one of its requests by its 1-based line. */
  async function editLine(file: string, line: number, name: string): Promise<void> {
    const w = workbench();
    await w.openFile(file);
    await w.codeLenses('Create Batch');
    await w.goTo(line);
    await w.runCommand('Managed Agents: Edit Request', tabOf(name));
  }

  /** Puts the cursor of the active editor at a 1-based position, and types. */
  async function typeAt(line: number, column: number, text: string): Promise<void> {
    const w = workbench();
    await w.goTo(line, column);
    await w.type(text);
  }

  /** Switches to the file in the first group, or to its request in the second. */
  async function inFront(group: 'First' | 'Second', name: string): Promise<void> {
    await workbench().command(`workbench.action.focus${group}EditorGroup`);
    await workbench().waitFor(tabOf(name));
  }

  it('opens by its shortcut beside the file, and saves into its line', async () => {
    const w = workbench();
    await w.openFile('edit.jsonl');
    await w.codeLenses('Create Batch');
    await w.press('Shift+Alt+Enter', tabOf('capital-of-chile.request.json'));
    await w.waitFor('.editor-group-container.active .view-line:has-text("capital-of-chile")');
    await w.activeText(/^\{\n {2}"custom_id": "capital-of-chile",\n {2}"params": \{\n {4}"model"/);
    await typeAt(5, 21, '0');
    await w.waitFor('.editor-group-container .view-overlays .cdr, .editor-group-container .ced-1');
    await w.screenshot('request-editor');
    await w.press('Control+S', tabOf('capital-of-chile.request.json', ':not(.dirty)'));
    assert.equal(w.fileText('edit.jsonl'), lines.replace('"max_tokens":64', '"max_tokens":640'));
    assert.deepEqual(await w.notifications(), []);
    await w.runCommand('Managed Agents: Go to Source Line', tabOf('edit.jsonl', ':not(.dirty)'));
  });

  it('restores unsaved text when the window is reloaded', async () => {
    const w = workbench();
    await editLine('reload.jsonl', 3, 'bones.request.json');
    await typeAt(5, 21, '9');
    await w.waitFor(tabOf('bones.request.json', '.dirty'));
    // VS Code backs up unsaved text a moment later, without a sign on the page.
    await eventually(() => isBackedUp(path.join(w.globalStorage, '../../..'), '"max_tokens": 649'));
    await w.reloadWindow();
    // VS Code stores which editor was active less often than the unsaved text.
    const tab = w.page.locator('.tab.dirty[data-resource-name="bones.request.json"]').first();
    await w.untilThere(tabOf('bones.request.json', '.dirty'), timeout => tab.click({ timeout }));
    await w.page.locator('.editor-group-container.active .view-lines', { hasText: '"max_tokens": 649' }).waitFor();
    await w.press('Control+S', tabOf('bones.request.json', ':not(.dirty)'));
    assert.equal(w.fileText('reload.jsonl'), lines.replace(/(bones.*)64/, '$1649'));
  });

  it('leaves a conflict to the user, with both texts side by side @nightly', async () => {
    const w = workbench();
    await editLine('conflict.jsonl', 1, 'capital-of-chile.request.json');
    await typeAt(5, 21, '1');
    await inFront('First', 'conflict.jsonl');
    await typeAt(1, (questions[0] ?? '').indexOf('64') + 3, '2');
    await inFront('Second', 'capital-of-chile.request.json');
    await w.press('Control+S', w.toast('The content of the file is newer'));
    await w.screenshot('request-editor-conflict');
    await w.notificationButton('The content of the file is newer', 'Compare');
    await w.waitFor('.monaco-diff-editor .line-insert, .monaco-diff-editor .char-insert');
    await w.screenshot('request-editor-compare');
  });

  it('asks what to do with the text of a deleted line @nightly', async () => {
    const w = workbench();
    await editLine('lost.jsonl', 2, 'tides.request.json');
    await typeAt(5, 21, '1');
    await inFront('First', 'lost.jsonl');
    await w.goTo(2);
    await w.command('editor.action.deleteLines');
    assert.match(await w.notification('is no longer in lost.jsonl'), /Add as New Line/);
    await w.screenshot('request-editor-lost');
    await inFront('Second', 'tides.request.json');
    await w.press('Control+S', w.toast('Your text is kept'));
    await w.screenshot('request-editor-lost-saving');
    await w.notificationButton('is no longer in lost.jsonl', 'Add as New Line at the End');
    await w.waitFor('.tab[data-resource-name="tides.request.json"]:not(.dirty)');
    await inFront('First', 'lost.jsonl');
    await w.activeText(/"max_tokens":641/);
    await w.save();
    const [first, second, third] = questions;
    assert.equal(w.fileText('lost.jsonl'), `${first}\n${third}\n${second?.replace('64', '641')}\n`);
  });

  it('writes into a deleted file only after the user saved that file again @nightly', async () => {
    const w = workbench();
    await editLine('deleted.jsonl', 1, 'capital-of-chile.request.json');
    await typeAt(5, 21, '0');
    const file = path.join(w.folder, 'deleted.jsonl');
    rmSync(file);
    await w.press('Control+S', w.toast('deleted.jsonl was deleted. Save deleted.jsonl first.'));
    await w.screenshot('request-editor-deleted');
    await w.waitFor(tabOf('capital-of-chile.request.json', '.dirty'));
    assert.equal(existsSync(file), false);
    await inFront('First', 'deleted.jsonl');
    await w.save();
    await eventually(() => existsSync(file));
    await inFront('Second', 'capital-of-chile.request.json');
    await w.press('Control+S', tabOf('capital-of-chile.request.json', ':not(.dirty)'));
    assert.equal(w.fileText('deleted.jsonl'), lines.replace('"max_tokens":64', '"max_tokens":640'));
  });

  it('asks for the file and the request if another file is open @nightly', async () => {
    const w = workbench();
    await w.openFile('notes.txt');
    await w.beginCommand(listed('conflict.jsonl'), 'managedAgents.request.edit');
    await w.fillInput('next.jsonl');
    await w.quickPick('next.jsonl', asked('Line number or custom_id'));
    await w.inputBox('bones', tabOf('bones.request.json'));
  });

  it("steps through a file's requests in one tab, and asks before it leaves changes @nightly", async () => {
    const w = workbench();
    await editLine('next.jsonl', 1, 'capital-of-chile.request.json');
    await w.runCommand('Managed Agents: Edit Next Request', tabOf('tides.request.json'));
    await w.waitForNone('.tab[data-resource-name="capital-of-chile.request.json"]');
    await typeAt(5, 21, '1');
    await w.runCommand('Managed Agents: Edit Next Request', dialog);
    assert.match(await w.dialogText(), /Save the changes/);
    await w.dialogButton(/^Save$/);
    await w.waitFor(tabOf('bones.request.json'));
    assert.match(w.fileText('next.jsonl'), /"tides".*"max_tokens":641/);
  });
});
