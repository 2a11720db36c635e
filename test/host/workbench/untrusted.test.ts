import assert from 'node:assert/strict';
import type { Emulator } from '../../../src/emulator/emulator';
import { startEmulator } from '../../../src/emulator/server';
import { tidyUp } from './tidyUp';
import { Workbench } from './workbench';

const request = (id: string, change: object = {}) =>
  JSON.stringify({
    custom_id: id,
    params: { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: 'Say hello.' }], ...change },
  });

describe('request files in a workspace that is not trusted', () => {
  let emulator: Emulator;
  let workbench: Workbench;

  before('start a service and VS Code', async function () {
    this.timeout(120_000);
    emulator = await startEmulator();
    workbench = await Workbench.start({
      trusted: false,
      files: {
        'questions.jsonl': `${request('a')}\n${request('too-hot', { temperature: 3 })}\n`,
        'requests.jsonl': `${request('a')}\n${request('b')}\n`,
      },
      settings: { 'managedAgents.connections': { Lab: { baseUrl: emulator.url } }, 'managedAgents.connection': 'Lab' },
    });
  });

  tidyUp(() => ({ workbench, emulator }));

  it('are checked, and no request of theirs is sent', async () => {
    await workbench.openFile('questions.jsonl');
    await workbench.codeLenses('1 problem');
    await workbench.codeLens('Run This Request', '.notification-toast:has-text("The request was not sent")');
    assert.match(await workbench.notification('The request was not sent'), /a workspace you do not trust/);
    assert.equal(await workbench.count('.tab[data-resource-name^="Answer to"]'), 0);
    await workbench.screenshot('jsonl-untrusted');
    assert.equal(emulator.requests.length, 0);
  });

  it('make no batch, and say why', async () => {
    await workbench.openFile('requests.jsonl');
    await workbench.codeLenses('Create Batch');
    await workbench.runCommand('Managed Agents: Create Batch...');
    await workbench.notification('Nothing was sent: no batch is created from a workspace you do not trust.');
    await workbench.screenshot('submit-untrusted');
    assert.equal(emulator.requests.length, 0);
  });
});
