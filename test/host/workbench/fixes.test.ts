import assert from 'node:assert/strict';
import { useWorkbench } from './workbench';

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

describe('fixes of request files in the workbench', () => {
  const workbench = useWorkbench({
    files: {
      'broken.jsonl': `${broken}\n`,
      'closed.jsonl': `${broken}\n`,
      'bare.jsonl': `${'{"model":"vendor-opus-5","max_tokens":1,"messages":[]}\n'.repeat(12)}`,
    },
    settings: { 'files.autoSave': 'off' },
  });

  afterEach('close everything', () => workbench().tidy());

  it('shows fixes in the menu of the light bulb', async () => {
    await workbench().openFile('broken.jsonl');
    await workbench().codeLenses('problem');
    await workbench().goTo(1, 150);
    await workbench().cursorInLine(1);
    const menu = workbench().page.locator('.action-widget .monaco-list-row');
    await workbench().untilSeen(menu.filter({ hasText: 'Remove stream' }), async () => {
      await workbench().page.keyboard.press('Escape');
      await workbench().page.keyboard.press('Control+.');
    });
    const texts = await menu.allInnerTexts();
    assert.ok(
      texts.some(text => text.includes('Fix all problems of stream-in-batch in this file')),
      texts.join('|'),
    );
    await workbench().pictures('fixes-light-bulb');
    await workbench().page.keyboard.press('Enter');
    await workbench().waitForNone('.editor-group-container.active .view-line:has-text("stream")');
  });

  it('lets choose what to fix in an open document', async () => {
    await workbench().openFile('broken.jsonl');
    await workbench().codeLenses('problem');
    await workbench().runCommand('Managed Agents: Fix Problems...');
    await workbench().waitFor('.quick-input-list .monaco-list-row:has-text("Put texts and names into double quotation marks")');
    await workbench().pictures('fixes-pick');
    await workbench().page.keyboard.press('Enter');
    assert.match(await workbench().notification('lines were changed'), /broken\.jsonl: \d lines were changed\./);
    await workbench().screenshot('fixes-done');
  });

  it('writes a new file beside one that is not open', async () => {
    await workbench().runCommand('Managed Agents: Fix Problems...');
    await workbench().quickPick('closed.jsonl');
    await workbench().waitFor('.quick-input-list .monaco-list-row:has-text("Make doubled ids unique")');
    await workbench().page.keyboard.press('Enter');
    await workbench().quickPick('Write New File');
    await workbench().notificationButton('closed.fixed.jsonl was written', 'Open');
    const fixed = workbench().fileText('closed.fixed.jsonl').split('\n');
    assert.equal(fixed[0], request('weekly_report_1'));
    assert.equal(fixed[2], request('summary-2'));
    assert.equal(workbench().fileText('closed.jsonl'), `${broken}\n`);
  });

  it('makes ids by a scheme, with a look at the first ones', async () => {
    await workbench().openFile('bare.jsonl');
    await workbench().runCommand('Managed Agents: Make Custom IDs...');
    await workbench().quickPick('Requests without an id');
    await workbench().waitFor('.quick-input-list .monaco-list-row:has-text("request-01, request-02, request-03, …")');
    await workbench().screenshot('fixes-ids');
    await workbench().quickPick('A word and a number of equal length');
    await workbench().inputBox('job_');
    await workbench().waitFor('.quick-input-list .monaco-list-row:has-text("job_01, job_02, job_03, …")');
    await workbench().page.keyboard.press('Enter');
    await workbench().notification('12 ids were made');
    assert.match(await workbench().editorText(), /"custom_id":"job_01"/);
  });
});
