import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually, eventuallyHolds } from '../eventually';
import { useExtension } from '../useExtension';

const params = { model: 'vendor-opus-4-8', max_tokens: 64, messages: [{ role: 'user', content: 'x' }] };
const setting = 'managedAgents.rules';

/** Returns the problem of a rule, once it satisfies `matches`. */
async function problemOf(
  uri: vscode.Uri,
  rule: string,
  matches: (found: vscode.Diagnostic) => boolean = () => true,
): Promise<vscode.Diagnostic> {
  return await eventually(() => vscode.languages.getDiagnostics(uri).find(found => ruleOf(found) === rule && matches(found)));
}

function ruleOf({ code }: vscode.Diagnostic): unknown {
  return typeof code === 'object' ? code.value : code;
}

async function setRules(values: object | undefined, target = vscode.ConfigurationTarget.Global): Promise<void> {
  await vscode.workspace.getConfiguration().update(setting, values, target);
}

describe('rules of request files', () => {
  const files = useExtension('rules');
  const open = async (name: string, line: object) => await files.open(name, `${JSON.stringify(line)}\n`);

  afterEach('set the rules back', () => setRules(undefined));

  it("strike out deprecated fields and link to the rule's page", async () => {
    const { uri } = await open('rules-link.jsonl', { custom_id: 'a', params: { ...params, temperature: 0.5 } });
    const found = await problemOf(uri, 'deprecated-field', ({ code }) => typeof code === 'object');
    assert.deepEqual(found.tags, [vscode.DiagnosticTag.Deprecated]);
    assert.equal(found.severity, vscode.DiagnosticSeverity.Hint);
    const { target } = found.code as { readonly target: vscode.Uri };
    assert.match((await vscode.workspace.openTextDocument(target)).getText(), /`deprecated-field` · Severity: hint/);
    await problemOf(uri, 'sampling-rejected', ({ severity }) => severity === vscode.DiagnosticSeverity.Error);
  });

  it('follow a severity in the settings at once, and report nothing when off', async () => {
    const { uri } = await open('rules-severity.jsonl', { custom_id: 'a', params: { ...params, temperature: 0.5, unknwon: 1 } });
    await problemOf(uri, 'unknown-field', ({ severity }) => severity === vscode.DiagnosticSeverity.Error);
    await setRules({ 'deprecated-field': 'error', 'unknown-field': 'off', 'no-such-rule': 'error', 'sampling-rejected': 7 });
    await problemOf(uri, 'deprecated-field', ({ severity }) => severity === vscode.DiagnosticSeverity.Error);
    await eventuallyHolds(() => {
      const rules = vscode.languages.getDiagnostics(uri).map(ruleOf);
      assert.equal(rules.includes('unknown-field'), false);
      assert.equal(rules.includes('sampling-rejected'), true);
    });
    await setRules(undefined);
    await problemOf(uri, 'unknown-field');
    await problemOf(uri, 'deprecated-field', ({ severity }) => severity === vscode.DiagnosticSeverity.Hint);
  });

  it('are raised by a folder and never lowered', async () => {
    const { uri } = await open('rules-change.jsonl', { custom_id: 'a', params: { ...params, temperature: 0.5, unknwon: 1 } });
    await problemOf(uri, 'unknown-field', ({ severity }) => severity === vscode.DiagnosticSeverity.Error);
    await setRules({ 'unknown-field': 'off', 'deprecated-field': 'error' }, vscode.ConfigurationTarget.Workspace);
    try {
      await problemOf(uri, 'deprecated-field', ({ severity }) => severity === vscode.DiagnosticSeverity.Error);
      await problemOf(uri, 'unknown-field', ({ severity }) => severity === vscode.DiagnosticSeverity.Error);
    } finally {
      await setRules(undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('are explained on a page with their current severity', async () => {
    const page = vscode.Uri.from({ scheme: 'managed-agents-rule', path: '/thinking-budget.md' });
    const text = async () => (await vscode.workspace.openTextDocument(page)).getText();
    assert.match(await text(), /^# Thinking budget beyond max_tokens\n\n`thinking-budget` · Severity: error\n/);
    await setRules({ 'thinking-budget': 'hint' });
    await eventuallyHolds(() => {
      const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === page.toString());
      assert.match(document?.getText() ?? '', /Severity: hint \(default: error\)/);
    });
    await vscode.commands.executeCommand('markdown.showPreviewToSide', page);
    await eventuallyHolds(() => {
      const shown = vscode.window.tabGroups.activeTabGroup.activeTab;
      assert.ok(shown?.input instanceof vscode.TabInputWebview);
      assert.match(shown.label, /thinking-budget/);
    });
  });
});
