import assert from 'node:assert/strict';
import { picker } from '../quickInputs.mjs';
import { tabOf, useWorkbench } from './workbench';

const template = (content: string) =>
  JSON.stringify(
    {
      custom_id: '{{id}}',
      params: { model: 'vendor-haiku-4-5', max_tokens: 64, messages: [{ role: 'user', content }] },
    },
    null,
    2,
  );

const questions = [
  'id;question;lang;note',
  'chile;"What is the capital of Chile?";en;easy',
  'tides;"Why are there two high tides a day,\nand not one?";en;',
  'huile;"Combien de grammes d’huile dans ""un décilitre""?";fr;',
  ...Array.from({ length: 2000 }, (_, index) => `sum-${index};What is ${index} plus ${index}?;en;`),
];

const listed = (text: string) => `${picker} .monaco-list-row:has-text(${JSON.stringify(text)})`;

describe('building requests in the workbench', () => {
  const workbench = useWorkbench({
    files: {
      'questions.csv': `${questions.join('\r\n')}\r\n`,
      'data/rows.jsonl': '{"id":1,"question":"One?"}\n{"id":1,"question":null}\n{"id":3}\n',
      'ask.batch-template.json': `${template('Answer in {{lang}}: {{queston}}')}\n`,
    },
    settings: { 'files.autoSave': 'off' },
  });

  it('makes a template with the columns of a CSV, shows what becomes of it, and builds the file', async () => {
    await workbench().openFile('questions.csv');
    await workbench().runCommand('Managed Agents: Build Requests from Rows...', listed('Asks for queston, which the rows have not'));
    assert.match(
      (await workbench().quickPickTexts()).join('|'),
      /New Template.*ask\.batch-template\.json.*Asks for queston, which the rows have not/s,
    );
    await workbench().screenshot('build-choose-template');
    await workbench().quickPick('New Template with These Columns', tabOf('Preview of questions.jsonc'));
    await workbench().codeLenses('CSV with semicolons');
    await workbench().waitFor('.view-line:has-text("All of them are right.")');
    await workbench().pictures('build-preview');
    await workbench().codeLens('Build 2,003 Requests', tabOf('questions.requests.jsonl'));
    await workbench().notification('2,003 requests were built into questions.requests.jsonl.');
    await workbench().screenshot('build-built');
    const lines = workbench().fileText('questions.requests.jsonl').split('\n');
    assert.equal(lines.length, 2004);
    const { custom_id, params } = JSON.parse(lines[1] ?? '');
    assert.equal(custom_id, 'tides');
    assert.match(params.messages[0].content, /question: Why are there two high tides a day,\nand not one\?\nlang: en/);
  });

  it('names missing columns in the preview of a template, and as problems of it', async () => {
    await workbench().openFile('ask.batch-template.json');
    await workbench().runCommand('Managed Agents: Preview Requests of Template', listed('questions.csv'));
    await workbench().quickPick('questions.csv', '.view-line:has-text("did you mean question?")');
    await workbench().pictures('build-missing-column');
    await workbench().openFile('ask.batch-template.json');
    await workbench().command('workbench.actions.view.problems');
    const problem = workbench().page.locator('.markers-panel .monaco-list-row');
    await problem.filter({ hasText: 'The rows have no column queston. Did you mean question?' }).waitFor();
  });
});
