import assert from 'node:assert/strict';
import { picker } from '../quickInputs.mjs';
import { answered, placeResults } from './placeResults';
import { asks, offers, Questions } from './questions';
import { tabOf, useWorkbench } from './workbench';

const request = (id: string, more = '') =>
  `{"custom_id": "${id}", "params": {"model": "vendor-opus-5", "max_tokens": 64, "messages": [{"role": "user", "content": "Hi"}]${more}}}`;

const broken = [
  request('weekly report 1', ', "stream": true'),
  request('summary'),
  request('summary', ', "temperature": 0.2'),
  `{'custom_id': 'quoted', 'params': {'model': 'vendor-opus-5', 'max_tokens': 64, 'messages': [{'role': 'User', 'content': 'Hi'}],}}`,
  '',
  request('unknown', ', "max_token": 1, "zzz": 1'),
].join('\n');

const listed = (text: string) => `${picker} .monaco-list-row:has-text(${JSON.stringify(text)})`;
const shownLine = (text: string) => `.editor-group-container.active .view-line:has-text(${JSON.stringify(text)})`;

describe('fixes of request files in the workbench', () => {
  const workbench = useWorkbench({
    files: {
      'broken.jsonl': `${broken}\n`,
      'closed.jsonl': `${broken}\n`,
      'evals.jsonl': [request('cut', ', "top_k": 1.0'), request('fine'), '{"note": "mine"}', request('lost'), ''].join('\n'),
      'bare.jsonl': `${'{"model":"vendor-opus-5","max_tokens":1,"messages":[]}\n'.repeat(12)}`,
    },
    settings: { 'files.autoSave': 'off' },
  });

  it('shows fixes in the menu of the light bulb', async () => {
    await workbench().openFile('broken.jsonl');
    await workbench().codeLenses('problem');
    await workbench().goTo(1, 150);
    const menu = workbench().page.locator('.action-widget .monaco-list-row');
    const openMenu = async (): Promise<void> => {
      await workbench().untilThere(menu.filter({ hasText: 'Remove stream' }), async () => {
        await workbench().page.keyboard.press('Escape');
        await workbench().page.keyboard.press('Control+.');
      });
    };
    await openMenu();
    await menu.filter({ hasText: 'Fix all problems of stream-in-batch in this file' }).waitFor();
    await workbench().pictures('fixes-light-bulb');
    await workbench().untilGone(shownLine('stream'), async () => {
      await openMenu();
      await workbench().page.keyboard.press('Enter');
    });
  });

  it('lets choose what to fix in an open document', async () => {
    await workbench().openFile('broken.jsonl');
    await workbench().codeLenses('problem');
    await workbench().runCommand('Managed Agents: Fix Problems...', listed('Put texts and names into double quotation marks'));
    await workbench().pictures('fixes-pick');
    await workbench().acceptPick();
    assert.match(await workbench().notification('lines were changed'), /broken\.jsonl: \d lines were changed\./);
    await workbench().screenshot('fixes-done');
  });

  it('writes a new file beside one that is not open', async () => {
    await workbench().beginCommand(listed('closed.jsonl'), 'managedAgents.file.fix');
    await workbench().quickPick('closed.jsonl', listed('Make doubled ids unique'));
    await workbench().acceptPick();
    await workbench().waitFor(listed('Write New File'));
    await workbench().quickPick('Write New File');
    await workbench().notificationButton('closed.fixed.jsonl was written', 'Open');
    await workbench().waitFor(tabOf('closed.fixed.jsonl'));
    const fixed = workbench().fileText('closed.fixed.jsonl').split('\n');
    assert.equal(fixed[0], request('weekly_report_1'));
    assert.equal(fixed[2], request('summary-2'));
    assert.equal(workbench().fileText('closed.jsonl'), `${broken}\n`);
  });

  it('edits one field of the failed requests of a file, after a look, and Undo takes it back', async () => {
    const questions = new Questions(workbench);
    await placeResults(workbench(), 'evals.jsonl', [answered('cut', 'And then', 'max_tokens'), answered('fine', 'Yes')]);
    await workbench().reloadWindow();
    await workbench().openFile('evals.jsonl');
    const before = workbench().fileText('evals.jsonl');
    await workbench().codeLenses('need a look');
    await workbench().runCommand('Managed Agents: Edit All Requests...', asks('What should change in the requests of evals.jsonl?'));
    await workbench().screenshot('edit-all-field');
    await questions.choose('What should change', 'Most Output Tokens', asks('The most tokens of an answer'));
    await questions.write('The most tokens of an answer', '2048', asks('Set max_tokens to 2048: in which requests?'));
    await workbench().screenshot('edit-all-scope');
    await questions.choose('in which requests?', 'Failed Requests', offers('Edit 2 Requests'));
    await workbench().waitFor(`${asks('2 requests change. 1 other request stays. 1 line is no request and stays.')}`);
    await workbench().waitFor(
      '.modified-in-monaco-diff-editor .view-line:has-text("2048"), .monaco-diff-editor .view-line:has-text("2048")',
    );
    await workbench().screenshot('edit-all-preview');
    await questions.choose('2 requests change', 'Edit 2 Requests', tabOf('evals.jsonl', '.dirty'));
    await workbench().save();
    const edited = before
      .split('\n')
      .map(line => (/"(?:cut|lost)"/.test(line) ? line.replace('"max_tokens": 64', '"max_tokens": 2048') : line));
    assert.equal(workbench().fileText('evals.jsonl'), edited.join('\n'));
    await workbench().beginCommand(tabOf('evals.jsonl', '.dirty'), 'undo');
    await workbench().save();
    assert.equal(workbench().fileText('evals.jsonl'), before);
  });

  it('makes ids by a scheme, with a look at the first ones', async () => {
    await workbench().openFile('bare.jsonl');
    await workbench().runCommand('Managed Agents: Make Custom IDs...', listed('Requests without an id'));
    await workbench().quickPick('Requests without an id', listed('request-01, request-02, request-03, …'));
    await workbench().screenshot('fixes-ids');
    await workbench().quickPick('A word and a number of equal length', `${picker}:has-text("What stands before the number")`);
    await workbench().inputBox('job_', listed('job_01, job_02, job_03, …'));
    await workbench().acceptPick();
    await workbench().notification('12 ids were made');
    await workbench().waitFor(shownLine('"custom_id":"job_01"'));
  });
});
