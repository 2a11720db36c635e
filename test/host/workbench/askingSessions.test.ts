import assert from 'node:assert/strict';
import { createdBatch, endAndFetch, enterBatches } from './batchSteps';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, Questions } from './questions';
import { ServedSessions } from './servedSessions';
import { useWorkbench } from './workbench';

describe('asking several sessions @ci', () => {
  const emulator = useEmulator({ key: 'key-of-the-tests', scenario: { batchDuration: 600_000, sessionPause: 0 } });
  const client = useClient(emulator);
  const sessions = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({ settings: connectedTo(emulator()) }));
  const questions = new Questions(workbench);

  it('leads from a question to a table with one row per session, and from a citation to its event', async () => {
    const w = workbench();
    await sessions.create('Good session', 'Say hello.');
    await sessions.create('Bad session', 'fail');
    await enterBatches(w, emulator());
    await w.treeRow('Failed');
    await w.runCommand('Managed Agents: Ask These Sessions...', asks('Select a question to ask about each session'));
    await questions.choose('Select a question', 'Why did it fail?', asks('Question about each session'));
    await questions.accept('Question about each session', asks('Fields of the answers'));
    await w.screenshot('asking-fields');
    await questions.accept('Fields of the answers', asks('Select a model'));
    await questions.choose('Select a model', 'vendor-sonnet-5', w.sheetTab('why-failed.jsonl'));
    await w.sheetSays('why-failed.jsonl', /^The transcripts of 2 sessions are sent to 127\.0\.0\.1/);
    await w.screenshot('asking-sheet');
    assert.equal(w.fileText('why-failed.fields.jsonl').trim().split('\n').length, 2);
    await w.createFromSheet('why-failed.jsonl');
    const id = await createdBatch(w, 'why-failed.jsonl', { requests: 2 });
    await endAndFetch(w, emulator(), 'why-failed.jsonl', id);
    await w.beginCommand('.tab.active:has-text("Results of")', 'managedAgents.results.show', { connection: 'Lab', batchId: id });
    const frame = await w.webview('[role="row"]:has-text("Bad session")');
    await w.click(frame.getByRole('row', { name: /Bad session/ }), frame.getByRole('button', { name: 'Go to Event' }));
    await w.screenshot('asking-table');
    await w.click(frame.getByRole('button', { name: 'More' }), asks('More actions'));
    await questions.choose('More actions', 'Group Findings...', '.monaco-dialog-box');
    assert.match(await w.dialogText(), /Connection: Lab[\s\S]*1 request to vendor-sonnet-5/);
    await w.dialogButton('Group Findings');
    await frame.getByRole('columnheader', { name: 'group' }).waitFor();
    await w.screenshot('asking-groups');
    await w.click(frame.getByRole('button', { name: 'Go to Event' }), '.tab.active:has-text("Bad session")');
    await w.screenshot('asking-event');
  });
});
