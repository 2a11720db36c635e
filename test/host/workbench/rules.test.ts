import assert from 'node:assert/strict';
import { useWorkbench } from './workbench';

const request =
  '{"custom_id": "a", "params": {"model": "vendor-opus-4-8", "max_tokens": 64, "unknwon": 1, "temperature": 0.5, "messages": [{"role": "user", "content": "Hi"}]}}';

describe('rules of request files in the workbench', () => {
  const workbench = useWorkbench({
    files: { 'rules.jsonl': `${request}\n`, '.vscode/settings.json': '{"managedAgents.rules": {"sampling-rejected": "information"}}\n' },
  });

  afterEach('close everything', () => workbench().tidy());

  it('shows problems with the severities that the settings give them', async () => {
    await workbench().openFile('rules.jsonl');
    assert.match((await workbench().problems()).join('|'), /unknown-field.*sampling-rejected/s);
    await workbench().waitFor('.squiggly-error');
    await workbench().pictures('rules-problems');
  });

  it('explains a rule on a page', async () => {
    await workbench().openFile('rules.jsonl');
    await workbench().codeLenses('problem');
    await workbench().runCommand('Managed Agents: Explain Rule...');
    await workbench().fillInput('sampling-rejected');
    await workbench().quickPick('sampling-rejected');
    const page = await workbench().webview('code:has-text("sampling-rejected")');
    assert.match(await page.locator('body').innerText(), /Severity: information, by your settings\. By itself: warning/);
    await workbench().pictures('rules-page');
  });

  it('writes another severity where the setting stands, and the problems follow at once', async () => {
    await workbench().openFile('rules.jsonl');
    await workbench().waitFor('.squiggly-error');
    await workbench().runCommand('Managed Agents: Change Severity of Rule...');
    await workbench().fillInput('unknown-field');
    await workbench().quickPick('unknown-field');
    await workbench().waitFor('.quick-input-list .monaco-list-row:has-text("The rule\'s own: error")');
    await workbench().screenshot('rules-severity');
    await workbench().quickPick('warning');
    await workbench().waitForNone('.squiggly-error');
    await workbench().waitFor('.squiggly-warning');
    assert.deepEqual(JSON.parse(workbench().fileText('.vscode/settings.json')), {
      'managedAgents.rules': { 'sampling-rejected': 'information', 'unknown-field': 'warning' },
    });
  });
});
