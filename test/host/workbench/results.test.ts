import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { picker } from '../page/quickInputs';
import { createBatch, endBatches, enterBatches } from './batchSteps';
import { connectedTo, useEmulator } from './emulator';
import { tabOf, useWorkbench } from './workbench';

const params = { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: 'Say hello.' }] };
const lines = (...requests: readonly object[]) => `${requests.map(request => JSON.stringify(request)).join('\n')}\n`;
const request = (id: string) => ({ custom_id: id, params });
const listed = (file: string) => `${picker} .monaco-list-row:has-text(${JSON.stringify(file)})`;

describe('results of a batch @nightly', () => {
  const emulator = useEmulator({ key: 'key-of-the-tests', scenario: { batchDuration: 600_000 } });
  const workbench = useWorkbench(() => ({
    files: {
      'good.jsonl': lines(request('g1'), request('g2'), request('g3')),
      'damaged.jsonl': lines(request('d1'), request('d2'), request('d3')),
      'moved/away.jsonl': lines(request('m1')),
    },
    settings: {
      ...connectedTo(emulator()),
      'managedAgents.batches.notify': 'never',
      'managedAgents.results.fetchWhenEnded': false,
    },
  }));
  const batchIds = new Map<string, string>();

  before('give the key', async () => {
    await enterBatches(workbench(), emulator());
  });

  async function create(file: string): Promise<void> {
    batchIds.set(file, await createBatch(workbench(), file));
  }

  async function end(file: string): Promise<void> {
    await endBatches(workbench(), emulator(), file);
  }

  /** Returns the command that fetches the results of a file's batch without a question. */
  function fetchOf(file: string): ['managedAgents.batch.fetchResults', object] {
    return ['managedAgents.batch.fetchResults', { connection: 'Lab', batchId: batchIds.get(file) }];
  }

  async function choose(title: string, file: string): Promise<void> {
    await workbench().runCommand(title, listed(file));
    await workbench().quickPick(file);
  }

  const countOfLines = (file: string) => workbench().fileText(file).trim().split('\n').length;

  it('opens the source of a batch, and reports that no results were fetched yet', async () => {
    await create('good.jsonl');
    await workbench().treeRow('good.jsonl');
    await workbench().closeEditors();
    await workbench().runCommand('Managed Agents: Open Source File', tabOf('good.jsonl'));
    await workbench().runCommand('Managed Agents: Open Results File', workbench().toast('No matching run on this machine'));
  });

  it('reports what is missing from results, and shows details', async () => {
    await create('damaged.jsonl');
    await end('damaged.jsonl');
    emulator().setScenario({ faults: [{ name: 'missingResults', count: 1 }] });
    await workbench().command(...fetchOf('damaged.jsonl'));
    assert.match(await workbench().notification(/Results of damaged\.jsonl: /), /1 without an answer.*Some are missing/s);
    await workbench().screenshot('results-incomplete');
    await workbench().notificationButton('Results of damaged.jsonl', 'Show Details');
    assert.match(await workbench().dialogText(), /Without an answer: d\d/);
    await workbench().screenshot('results-details');
    await workbench().dialogButton('OK');
    assert.equal(countOfLines('damaged.results.jsonl'), 2);
  });

  it('keeps the old results when new ones are cut off, and offers the readable ones', async () => {
    const before = workbench().fileText('damaged.results.jsonl');
    emulator().setScenario({ faults: [{ name: 'truncatedResults' }] });
    await workbench().command(...fetchOf('damaged.jsonl'));
    await workbench().toast('Use Incomplete Results').waitFor();
    await workbench().screenshot('results-cut');
    assert.equal(workbench().fileText('damaged.results.jsonl'), before);
    emulator().setScenario({ faults: [] });
    await workbench().notificationButton('Use Incomplete Results', 'Use Incomplete Results');
    assert.match(
      await workbench().notification(/Results of damaged\.jsonl: /),
      /1 succeeded, 2 without an answer, 1 damaged.*Some are missing/s,
    );
    assert.equal(countOfLines('damaged.results.jsonl'), 1);
  });

  it("keeps the results in the ledger when the source's folder is gone, and says so", async () => {
    await create('moved/away.jsonl');
    await workbench().closeEditors();
    await end('moved/away.jsonl');
    const folder = path.join(workbench().folder, 'moved');
    rmSync(folder, { recursive: true });
    await workbench().command(...fetchOf('moved/away.jsonl'));
    await workbench().notificationButton('Results of away.jsonl: 1 succeeded', 'Show Results');
    await workbench().waitFor('.tab:has-text("Results of away.jsonl")');
    await choose('Managed Agents: Open Source File', 'away.jsonl');
    await workbench().notification('File not found: ');
    assert.equal(existsSync(folder), false);
  });
});
