import assert from 'node:assert/strict';
import { connectedTo, useEmulator } from './emulator';
import { useWorkbench } from './workbench';

const request = (id: string, change: object = {}) =>
  JSON.stringify({
    custom_id: id,
    params: { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: 'Say hello.' }], ...change },
  });

describe('a workspace that is not trusted', () => {
  const emulator = useEmulator();
  const workbench = useWorkbench(() => ({
    trusted: false,
    files: {
      'questions.jsonl': `${request('a')}\n${request('too-hot', { model: 'vendor-haiku-4-5', temperature: 3 })}\n`,
      'requests.jsonl': `${request('a')}\n${request('b')}\n`,
    },
    settings: connectedTo(emulator()),
  }));

  it('has its request files checked, and none of their requests sent', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().codeLenses('1 problem');
    await workbench().codeLens('Run This Request', workbench().toast('The request was not sent'));
    assert.match(await workbench().notification('The request was not sent'), /Until you trust this workspace/);
    assert.equal(await workbench().count('.tab[data-resource-name^="Answer to"]'), 0);
    await workbench().screenshot('jsonl-untrusted');
    assert.equal(emulator().requests.length, 0);
  });

  it('makes no batch, and says why', async () => {
    await workbench().openFile('requests.jsonl');
    await workbench().codeLenses('Create Batch');
    const refusal = workbench().toast('No batch was created. Until you trust this workspace');
    await workbench().runCommand('Managed Agents: Create Batch...', refusal);
    await workbench().screenshot('submit-untrusted');
    assert.equal(emulator().requests.length, 0);
  });

  it('asks for no sessions and agents by itself, and refuses to publish, also with a key', async () => {
    await workbench().setKey(emulator().key);
    const before = emulator().requests.length;
    await workbench().openViewContainer('Managed Agents');
    await workbench()
      .page.getByText('Until you trust this workspace, a service is asked only for what you open, fetch or test.')
      .nth(2)
      .waitFor();
    await workbench().screenshot('views-untrusted');
    for (const command of ['Refresh Batches', 'Refresh Agents', 'Refresh Sessions', 'Publish Agent...']) {
      const refusal = workbench().toast('Until you trust this workspace').filter({ hasText: 'Manage Workspace Trust' });
      await workbench().runCommand(`Managed Agents: ${command}`, refusal);
      await workbench().clearNotifications();
    }
    assert.equal(emulator().requests.length, before);
  });

  it('cancels and deletes no batch, and leads to where trust is given', async () => {
    const before = emulator().requests.length;
    const refusal = workbench().toast('Until you trust this workspace').filter({ hasText: 'Manage Workspace Trust' });
    for (const command of ['managedAgents.batch.cancel', 'managedAgents.batch.delete']) {
      await workbench().beginCommand(refusal, command, { connection: 'Lab', batchId: 'msgbatch_1' });
      await workbench().screenshot('batches-untrusted-change');
      await workbench().clearNotifications();
    }
    assert.equal(emulator().requests.length, before);
  });
});
