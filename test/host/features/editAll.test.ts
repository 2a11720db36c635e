import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { eventually } from '../eventually';
import { useExtension } from '../useExtension';

const request = (id: string, model = 'm', more = '') =>
  `{"custom_id": "${id}", "params": {"model": "${model}", "max_tokens": 6.4e1, "messages": [{"role": "user", "content": "Hi"}]${more}}}`;

describe('Edit All Requests', () => {
  const files = useExtension('edit-all');
  const previews: string[] = [];
  let listening: vscode.Disposable;
  before(() => {
    listening = vscode.workspace.onDidOpenTextDocument(document => {
      if (document.uri.scheme === 'managed-agents-edit') {
        previews.push(document.getText());
      }
    });
  });
  beforeEach(() => previews.splice(0));
  after(() => listening.dispose());

  it('previews changes, and changes an open document as one undo step, with any number of lines', async () => {
    const lines = [
      ...Array.from({ length: 1500 }, (_, index) => request(`r-${index}`, index % 2 === 0 ? 'm' : 'n')),
      '{"custom_id": "cut',
      '',
    ];
    const document = await files.open('edit-open.jsonl', lines.join('\n'));
    const running = vscode.commands.executeCommand('managedAgents.requests.editAll', document.uri);
    await acceptUntil(() => document.isDirty);
    await running;
    const [model] = /vendor-[\w-]+/.exec(document.lineAt(0).text) ?? assert.fail(document.lineAt(0).text);
    const edited = lines.map(line => line.replace(/"model": "\w"/, `"model": "${model}"`)).join('\n');
    assert.ok(document.getText() === edited, document.getText().slice(0, 300));
    assert.ok(
      previews.some(text => text.includes(`Line 2, r-1\n`) && text.includes(`"model": "${model}"`) && text.includes('and 1,400 more')),
      previews.join('\n'),
    );
    assert.ok(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).every(({ input }) => input instanceof vscode.TabInputText));
    await eventually(() => vscode.window.activeTextEditor?.document === document);
    await vscode.commands.executeCommand('undo');
    assert.ok(document.getText() === lines.join('\n'), document.getText().slice(0, 300));
  });

  it('rewrites a closed file, and restores the old one on request', async () => {
    const text = `\ufeff${request('a')}\r\n{"custom_id": "cut\r\n${request('b', 'n', ', "top_k": 1.0')}`;
    const file = files.write('edit-disk.jsonl', text);
    const running = vscode.commands.executeCommand('managedAgents.requests.editAll', file);
    await acceptUntil(() => existsSync(files.at('edit-disk.before.jsonl')));
    await running;
    const changed = files.read('edit-disk.jsonl');
    const [model] = /vendor-[\w-]+/.exec(changed) ?? assert.fail(changed);
    assert.equal(changed, text.replace('"m"', `"${model}"`).replace('"n"', `"${model}"`));
    assert.equal(files.read('edit-disk.before.jsonl'), text);
    await eventually(async () => {
      await vscode.commands.executeCommand('notification.acceptPrimaryAction');
      return files.read('edit-disk.jsonl') === text;
    });
    assert.ok(!existsSync(files.at('edit-disk.before.jsonl')));
  });
});

/** Accepts what each picker proposes until `isDone`. */
async function acceptUntil(isDone: () => boolean): Promise<void> {
  await eventually(async () => {
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    return isDone();
  });
}
