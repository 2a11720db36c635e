import assert from 'node:assert/strict';
import { eventuallyHolds } from '../eventually';
import { picker } from '../quickInputs.mjs';
import { useWorkbench } from './workbench';

const request =
  '{"custom_id": "a", "params": {"model": "vendor-opus-4-8", "max_tokens": 64, "unknwon": 1, "temperature": 0.5, "messages": [{"role": "user", "content": "Hi"}]}}';
const asked = (placeholder: string) => `${picker} input[placeholder=${JSON.stringify(placeholder)}]`;
const listed = (text: string) => `${picker} .monaco-list-row:has-text(${JSON.stringify(text)})`;

describe('rules of request files in the workbench', () => {
  const workbench = useWorkbench({
    files: { 'rules.jsonl': `${request}\n`, '.vscode/settings.json': '{"managedAgents.rules": {"sampling-rejected": "information"}}\n' },
  });

  it('shows problems with the severities that the settings give them', async () => {
    await workbench().openFile('rules.jsonl');
    await workbench().command('workbench.actions.view.problems');
    const row = (index: number, text: string) => `.markers-panel .monaco-list-row[data-index="${index}"]:has-text("${text}")`;
    await workbench().waitFor(row(1, 'unknown-field'));
    await workbench().waitFor(row(2, 'sampling-rejected'));
    await workbench().waitFor('.squiggly-error');
    await workbench().pictures('rules-problems');
  });

  it('explains a rule on a page', async () => {
    await workbench().openFile('rules.jsonl');
    await workbench().codeLenses('problem');
    await workbench().runCommand('Managed Agents: Explain Rule...', asked('Choose the rule to explain'));
    await workbench().fillInput('sampling-rejected');
    await workbench().quickPick('sampling-rejected', '.tab.active[aria-label*="sampling-rejected"]');
    const page = await workbench().webview('body:has(code:has-text("sampling-rejected")):has-text("Severity: information")');
    await eventuallyHolds(async () =>
      assert.match(await page.locator('body').innerText(), /Severity: information, by your settings\. By itself: warning/),
    );
    await workbench().pictures('rules-page');
  });

  it('writes another severity where the setting stands, and the problems follow at once', async () => {
    await workbench().openFile('rules.jsonl');
    await workbench().waitFor('.squiggly-error');
    assert.equal(await workbench().count('.squiggly-warning'), 0);
    await workbench().runCommand('Managed Agents: Change Severity of Rule...', asked('Choose the rule to change'));
    await workbench().fillInput('unknown-field');
    await workbench().quickPick('unknown-field', listed("The rule's own: error"));
    await workbench().screenshot('rules-severity');
    await workbench().quickPick('warning', '.squiggly-warning');
    await workbench().waitForNone('.squiggly-error');
    assert.deepEqual(JSON.parse(workbench().fileText('.vscode/settings.json')), {
      'managedAgents.rules': { 'sampling-rejected': 'information', 'unknown-field': 'warning' },
    });
  });
});
