import assert from 'node:assert/strict';
import { picker } from '../page/quickInputs';
import { connectedTo, useEmulator } from './emulator';
import { useWorkbench } from './workbench';

const request = (id: string, change: object = {}) =>
  JSON.stringify({
    custom_id: id,
    params: { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: 'Say hello.' }], ...change },
  });

describe('an untrusted workspace', () => {
  const emulator = useEmulator();
  const workbench = useWorkbench(() => ({
    trusted: false,
    files: {
      'questions.jsonl': `${request('a')}\n${request('too-hot', { model: 'vendor-haiku-4-5', temperature: 3 })}\n`,
      'requests.jsonl': `${request('a')}\n${request('b')}\n`,
    },
    settings: connectedTo(emulator()),
  }));

  it('checks its request files, and sends nothing, even with a key, with an explanation @floor @smoke', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().codeLenses('1 error');
    await workbench().runCommand('Managed Agents: Run This Request', workbench().toast('Not sent.'));
    assert.match(await workbench().notification('Not sent.'), /until you trust this workspace/);
    assert.equal(await workbench().count('.tab[data-resource-name^="Answer to"]'), 0);
    await workbench().clearNotifications();
    await workbench().openFile('requests.jsonl');
    await workbench().codeLenses('Create Batch');
    await workbench().runCommand('Managed Agents: Create and Send Batch...', workbench().toast('No batch was created. Restricted Mode'));
    await workbench().screenshot('submit-untrusted');
    assert.equal(emulator().requests.length, 0);

    await workbench().setKey(emulator().key);
    const before = emulator().requests.length;
    await workbench().openViewContainer('Managed Agents');
    await workbench().page.getByText('Restricted Mode: sending is off until you trust this workspace.').nth(1).waitFor();
    await workbench().screenshot('views-untrusted');
    const refusal = workbench().toast('until you trust this workspace').filter({ hasText: 'Manage Workspace Trust' });
    await workbench().clearNotifications();
    await workbench().runCommand('Managed Agents: Refresh', refusal);
    await workbench().clearNotifications();
    await workbench().showOnlyView('Agents');
    await workbench().untilSeen(refusal, async timeout => {
      await workbench().runCommandOnce('Managed Agents: Publish...', timeout);
      await workbench().acceptRow(workbench().page.locator(`${picker} .monaco-list-row`, { hasText: 'Agents' }), timeout);
    });
    assert.equal(emulator().requests.length, before);
  });
});
