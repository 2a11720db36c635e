import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';

const params = { model: 'vendor-opus-4-8', max_tokens: 64, messages: [{ role: 'user', content: 'x' }] };
const setting = 'managedAgents.rules';

async function open(name: string, lines: readonly object[]): Promise<vscode.TextDocument> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no workspace');
  const file = path.join(folder, name);
  writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  const document = await vscode.workspace.openTextDocument(file);
  await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  return document;
}

/** Settles with what `look` finds as soon as it finds something, looking again at every event. */
function eventually<T>(event: vscode.Event<unknown>, look: () => T | undefined): Promise<T> {
  return new Promise(resolve => {
    const subscription = event(() => check());
    const check = () => {
      const found = look();
      if (found !== undefined) {
        subscription.dispose();
        resolve(found);
      }
    };
    check();
  });
}

/** The problem of a rule, once it is as `matches` wants it. */
function problemOf(uri: vscode.Uri, rule: string, matches: (found: vscode.Diagnostic) => boolean = () => true): Promise<vscode.Diagnostic> {
  return eventually(vscode.languages.onDidChangeDiagnostics, () =>
    vscode.languages.getDiagnostics(uri).find(found => ruleOf(found) === rule && matches(found)),
  );
}

function ruleOf({ code }: vscode.Diagnostic): unknown {
  return typeof code === 'object' ? code.value : code;
}

async function setRules(values: object | undefined): Promise<void> {
  await vscode.workspace.getConfiguration().update(setting, values, vscode.ConfigurationTarget.Global);
}

describe('rules of request files', () => {
  afterEach(async () => {
    await setRules(undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('strike out what is deprecated and lead to the row of the rule in the README', async () => {
    const { uri } = await open('rules-link.jsonl', [{ custom_id: 'a', params: { ...params, temperature: 0.5 } }]);
    const found = await problemOf(uri, 'deprecated-field', ({ code }) => typeof code === 'object');
    assert.deepEqual(found.tags, [vscode.DiagnosticTag.Deprecated]);
    assert.equal(found.severity, vscode.DiagnosticSeverity.Hint);
    const { target } = found.code as { readonly target: vscode.Uri };
    const readme = await vscode.workspace.openTextDocument(target.with({ fragment: '' }));
    const line = Number(/^L(\d+)$/.exec(target.fragment)?.[1]) - 1;
    assert.match(readme.lineAt(line).text, /^\| `deprecated-field` \| hint \|/);
    await problemOf(uri, 'sampling-rejected', ({ severity }) => severity === vscode.DiagnosticSeverity.Warning);
  });

  it('take another severity from the settings at once, and are silent when they are off', async () => {
    const { uri } = await open('rules-severity.jsonl', [{ custom_id: 'a', params: { ...params, temperature: 0.5, unknwon: 1 } }]);
    await problemOf(uri, 'unknown-field', ({ severity }) => severity === vscode.DiagnosticSeverity.Error);
    await setRules({ 'deprecated-field': 'error', 'unknown-field': 'off', 'no-such-rule': 'error', 'sampling-rejected': 7 });
    await problemOf(uri, 'deprecated-field', ({ severity }) => severity === vscode.DiagnosticSeverity.Error);
    const rules = vscode.languages.getDiagnostics(uri).map(ruleOf);
    assert.equal(rules.includes('unknown-field'), false);
    assert.equal(rules.includes('sampling-rejected'), true);
    await setRules(undefined);
    await problemOf(uri, 'unknown-field');
    await problemOf(uri, 'deprecated-field', ({ severity }) => severity === vscode.DiagnosticSeverity.Hint);
  });

  it('are explained on a page that knows their present severity', async () => {
    const page = vscode.Uri.from({ scheme: 'managed-agents-rule', path: '/thinking-budget.md' });
    const text = async () => (await vscode.workspace.openTextDocument(page)).getText();
    assert.match(await text(), /^# Thinking budget beyond max_tokens\n\n`thinking-budget` · Severity: error\n/);
    const changed = eventually(vscode.workspace.onDidChangeTextDocument, () => {
      const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === page.toString());
      return document?.getText().includes('Severity: hint, by your settings. By itself: error') === true ? document : undefined;
    });
    await setRules({ 'thinking-budget': 'hint' });
    await changed;
    const shown = eventually(vscode.window.tabGroups.onDidChangeTabs, () =>
      vscode.window.tabGroups.all.flatMap(group => group.tabs).find(({ input }) => input instanceof vscode.TabInputWebview),
    );
    await vscode.commands.executeCommand('managedAgents.rule.explain', 'thinking-budget');
    assert.match((await shown).label, /thinking-budget/);
  });
});
