import assert from 'node:assert/strict';
import { useWorkbench, type Workbench } from './workbench';

const whole = (id: string, words: string, more: object = {}) =>
  JSON.stringify({
    custom_id: id,
    params: { model: 'vendor-haiku-4-5', max_tokens: 64, messages: [{ role: 'user', content: words }], ...more },
  });

const questions = [
  whole('capital-of-chile', '[emulate: text Santiago is the capital of Chile.]'),
  whole('tides', 'Why are there two high tides a day? [emulate: max_tokens]'),
  whole('too-hot', 'How hot is it?', { temperature: 3 }),
  whole('refused', 'Tell me. [emulate: refusal]'),
  whole('fails', '[emulate: error invalid_request_error]'),
];

const themes = ['dark', 'light', 'highContrast'] as const;

async function inEveryTheme(workbench: Workbench, name: string): Promise<void> {
  for (const theme of themes) {
    await workbench.theme(theme);
    await workbench.screenshot(`jsonl-${name}-${theme}`);
  }
}

describe('request files in the workbench', () => {
  const workbench = useWorkbench({
    files: {
      'questions.jsonl': `${questions.join('\n')}\n`,
      'log.jsonl': '{"level":"info","message":"started","timestamp":1}\n',
    },
    settings: { 'managedAgents.emulator.batchSeconds': 1 },
  });

  it('shows lenses and problems on a file of requests', async () => {
    await workbench().runCommand('Managed Agents: Start Emulator');
    await workbench().openFile('questions.jsonl');
    const lenses = await workbench().codeLenses('Create Batch (5 requests');
    assert.ok(
      lenses.some(lens => lens.includes('1 problem')),
      lenses.join('|'),
    );
    await workbench().codeLenses('Emulator');
    assert.equal((await workbench().problemsCount()).errors, 1);
    assert.match((await workbench().problems()).join('\n'), /temperature|1/);
    await inEveryTheme(workbench(), 'problems');
    await workbench().press('Control+J');
  });

  it('shows nothing on a log', async () => {
    await workbench().openFile('log.jsonl');
    await workbench().editorText();
    assert.equal(await workbench().count('.editor-group-container.active .codelens-decoration a'), 0);
  });

  it('runs a request from its lens and shows the answer beside', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().codeLenses('Run This Request');
    await workbench().codeLens('Run This Request');
    await workbench().waitFor('.tab[data-resource-name="Answer to capital-of-chile.md"]');
    await workbench().waitFor('.editor-group-container:nth-child(1) ~ * .view-line, .view-line:has-text("Finished (end_turn)")');
    await inEveryTheme(workbench(), 'answer');
  });

  it('tells the errors of a request before it is sent', async () => {
    await workbench().page.locator('.codelens-decoration a', { hasText: 'Run This Request' }).nth(2).click();
    assert.match(await workbench().dialogText(), /Line 3 has errors/);
    await workbench().screenshot('jsonl-run-anyway');
    await workbench().dialogButton('Cancel');
  });
});
