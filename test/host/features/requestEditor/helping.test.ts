import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually, eventuallyHolds } from '../../eventually';
import { useExtension } from '../../useExtension';
import { activeRequest, bare, editLine, isOurs, linesOf, ruleOf, whole } from './requestEditorUnderTest';

describe('help in the request editor', () => {
  const files = useExtension('requestEditor-helping');

  it('goes to the next request and back, over empty lines @ci', async () => {
    const source = await files.open('next.jsonl', linesOf([whole('a'), '', whole('b')]));
    await editLine(source, 0);
    await activeRequest(/next\.jsonl\/a\.request/);
    await vscode.commands.executeCommand('managedAgents.request.editNext');
    await activeRequest(/\/b\.request/);
    const isAtLast = () => {
      assert.equal(vscode.window.activeTextEditor?.viewColumn, vscode.ViewColumn.Two);
      const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
      assert.deepEqual(
        tabs.map(({ label, isActive }) => [label, isActive]),
        [
          ['next.jsonl', true],
          ['b.request.json', true],
        ],
      );
    };
    await eventuallyHolds(isAtLast);
    await vscode.commands.executeCommand('managedAgents.request.editNext');
    isAtLast();
    await vscode.commands.executeCommand('managedAgents.request.editPrevious');
    await activeRequest(/\/a\.request/);
  });

  it('completes by the schema and checks by the rules, without repetition', async () => {
    // VS Code itself reports the duplicate name, together with all its other problems.
    const source = await files.open(
      'schema.jsonl',
      linesOf([
        whole('u 1')
          .replace('"x":  1.0', '"thinking": {"type": "enabled", "budget_tokens": 2048}, "x": 1, "x": 2')
          .replace('"messages"', '"masseges"'),
      ]),
    );
    const lens = await editLine(source, 0);
    const at = lens.positionAt(lens.getText().indexOf('"params": {') + '"params": {'.length);
    await eventually(async () => {
      const found = await vscode.commands.executeCommand<vscode.CompletionList>('vscode.executeCompletionItemProvider', lens.uri, at);
      const labels = found.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
      const system = found.items.find(({ label }) => typeof label !== 'string' && label.label === 'system');
      assert.deepEqual([...labels].sort(), [...new Set(labels)].sort(), 'each field is offered once');
      // The completion inserts a whole member, and is sorted in the usual order of fields.
      assert.match(String((system?.insertText as vscode.SnippetString | undefined)?.value), /^"system": .*,$/);
      assert.ok(
        (system?.sortText ?? '') < (found.items.find(({ label }) => typeof label !== 'string' && label.label === 'tools')?.sortText ?? ''),
      );
      return labels.includes('stop_sequences');
    });
    const rules = await eventually(() => {
      const all = vscode.languages.getDiagnostics(lens.uri);
      assert.deepEqual([...new Set(all.filter(found => !isOurs(found)).map(({ range }) => lens.getText(range)))], ['"x"']);
      const ours = new Map(all.filter(isOurs).map(found => [ruleOf(found), found]));
      assert.deepEqual(
        ['text-pattern', 'missing-field', 'thinking-budget'].filter(rule => !ours.has(rule)),
        [],
      );
      return ours;
    });
    const pattern = rules.get('text-pattern');
    assert.equal(pattern && lens.getText(pattern.range), '"u 1"');
    assert.equal(pattern?.severity, vscode.DiagnosticSeverity.Error);
    assert.ok(typeof pattern.code === 'object' && 'target' in pattern.code);
  });

  it('explains fields by the schema @ci', async () => {
    const source = await files.open('hover.jsonl', linesOf([whole('a')]));
    const lens = await editLine(source, 0);
    const at = lens.positionAt(lens.getText().indexOf('max_tokens') + 2);
    await eventually(async () => {
      const found = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', lens.uri, at);
      return found.length > 0;
    });
  });

  it('completes and checks bare params by their own schema @ci', async () => {
    const source = await files.open('bareSchema.jsonl', linesOf([bare('One?').replace('64', '"64"')]));
    const lens = await editLine(source, 0);
    await eventually(() => vscode.languages.getDiagnostics(lens.uri).find(diagnostic => ruleOf(diagnostic) === 'wrong-type'));
    const at = lens.positionAt(1);
    await eventually(async () => {
      const found = await vscode.commands.executeCommand<vscode.CompletionList>('vscode.executeCompletionItemProvider', lens.uri, at);
      return found.items.find(({ label }) => (typeof label === 'string' ? label : label.label) === 'system');
    });
  });
});
