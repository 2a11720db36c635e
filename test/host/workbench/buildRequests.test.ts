import assert from 'node:assert/strict';
import { useWorkbench } from './workbench';

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

describe('building requests in the workbench', () => {
  const workbench = useWorkbench({
    files: {
      'questions.csv': `${questions.join('\r\n')}\r\n`,
      'data/rows.jsonl': '{"id":1,"question":"One?"}\n{"id":1,"question":null}\n{"id":3}\n',
      'ask.batch-template.json': `${template('Answer in {{lang}}: {{queston}}')}\n`,
    },
    settings: { 'files.autoSave': 'off' },
  });

  afterEach('close everything', () => workbench().tidy());

  it('makes a template with the columns of a CSV, shows what becomes of it, and builds the file', async () => {
    await workbench().openFile('questions.csv');
    await workbench().runCommand('Managed Agents: Build Requests from Rows...');
    assert.match(
      (await workbench().quickPickTexts()).join('|'),
      /New Template.*ask\.batch-template\.json.*Asks for queston, which the rows have not/s,
    );
    await workbench().screenshot('build-choose-template');
    await workbench().quickPick('New Template with These Columns');
    await workbench().waitFor('.tab[data-resource-name="Preview of questions.jsonc"]');
    const lenses = await workbench().codeLenses('Build 2,003 Requests');
    assert.ok(
      lenses.some(lens => lens.includes('CSV with semicolons')),
      lenses.join('|'),
    );
    await workbench().waitFor('.view-line:has-text("All of them are right.")');
    await workbench().pictures('build-preview');
    await workbench().codeLens('Build 2,003 Requests', '.tab[data-resource-name="questions.requests.jsonl"]');
    await workbench().notification('2,003 requests were built into questions.requests.jsonl.');
    await workbench().screenshot('build-built');
    const lines = workbench().fileText('questions.requests.jsonl').split('\n');
    assert.equal(lines.length, 2004);
    const { custom_id, params } = JSON.parse(lines[1] ?? '');
    assert.equal(custom_id, 'tides');
    assert.match(params.messages[0].content, /question: Why are there two high tides a day,\nand not one\?\nlang: en/);
  });

  it('follows the template while one types, and names missing columns', async () => {
    await workbench().openFile('ask.batch-template.json');
    await workbench().runCommand('Managed Agents: Preview Requests of Template');
    await workbench().quickPick('questions.csv');
    await workbench().waitFor('.view-line:has-text("did you mean question?")');
    await workbench().pictures('build-missing-column');
    await workbench().openFile('ask.batch-template.json');
    assert.match((await workbench().problems()).join('\n'), /The rows have no column queston\. Did you mean question\?/);
    await workbench().runCommand('View: Hide Panel');
  });
});
