import assert from 'node:assert/strict';
import { picker } from '../page/quickInputs';
import { answered, placeResults } from './placeResults';
import { asks, offers, Questions } from './questions';
import { tabOf, useWorkbench } from './workbench';

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

const evals = [whole('cut', 'Go on.', { top_k: 1 }), whole('fine', 'Hi'), '{"note": "mine"}', whole('lost', 'Hello?'), ''].join('\n');

const suggestions = '.suggest-widget.visible .monaco-list-row';
const suggested = (label: string) => `${suggestions}[aria-label^=${JSON.stringify(label)}]`;
const asked = (placeholder: string) => `${picker} input[placeholder=${JSON.stringify(placeholder)}]`;
const shown = (text: string) => `.view-line:has-text(${JSON.stringify(text)})`;
const lens = (text: string) => `.codelens-decoration a:has-text(${JSON.stringify(text)})`;
const statusBar = (text: string) => `.statusbar-item:has-text(${JSON.stringify(text)})`;

describe('request files in the workbench @ci', () => {
  const workbench = useWorkbench({
    files: {
      'questions.jsonl': `${questions.join('\n')}\n`,
      'fields.jsonl': `${whole('tides', 'Why?')}\n`,
      'many.jsonl': Array.from({ length: 5000 }, (_, index) => `${whole(`q-${String(index).padStart(5, '0')}`, 'Why?')}\n`).join(''),
      'evals.jsonl': evals,
      'long.jsonl': `${whole('long', '[emulate: long 300000]', { max_tokens: 64_000 })}\n`,
    },
    settings: { 'editor.wordBasedSuggestions': 'off', 'files.autoSave': 'off' },
  });

  /** Moves the mouse to a text until its hover contains `words`. */
  async function hoverWith(text: string, words: string): Promise<void> {
    const { page } = workbench();
    const shown = page.locator('.editor-group-container.active .monaco-editor .view-lines span > span', { hasText: text }).first();
    await workbench().untilSeen(page.locator('.monaco-hover:not(.hidden)', { hasText: words }), async timeout => {
      // The editor only shows a hover after the mouse has moved.
      await page.mouse.move(0, 0);
      await shown.hover({ timeout });
    });
  }

  /** Runs a command that moves the cursor to a line and shows a message in the status bar for a few seconds. */
  async function goAndTell(title: string, line: number, words: string): Promise<void> {
    const number = workbench().page.locator('.monaco-editor .active-line-number', { hasText: new RegExp(`^\\s*${line}\\s*$`) });
    await Promise.all([workbench().waitFor(statusBar(words)), workbench().runCommand(title, number)]);
  }

  /** Chooses a suggestion until `effect` is visible. The suggest widget closes when it loses the focus. */
  async function choose(label: string, effect: string): Promise<void> {
    const row = workbench().page.locator(suggested(label)).first();
    let isAgain = false;
    await workbench().untilSeen(effect, async timeout => {
      if (isAgain && !(await row.isVisible())) {
        await workbench().command('editor.action.triggerSuggest');
      }
      isAgain = true;
      await row.click({ timeout });
    });
  }

  it('shows lenses and problems in a request file @floor', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().codeLenses('Create Batch (5 requests');
    await workbench().runCommand('Managed Agents: Start Emulator', statusBar('Emulator'));
    await workbench().waitFor(lens('1 error'));
    await workbench().waitFor('.statusbar-item#status\\.problems a[aria-label*="Errors: 1"]');
    await workbench().command('workbench.actions.view.problems');
    await workbench().waitFor('.markers-panel .monaco-list-row:has-text("temperature")');
    await workbench().screenshot('jsonl-problems');
  });

  it('opens the position in the file from the sheet of a check @floor', async () => {
    const w = workbench();
    await w.openFile('questions.jsonl');
    await w.runCommand('Managed Agents: Check Request File (Validate, Cost, Price)', w.sheetTab('questions.jsonl'));
    await w.sheetButton('questions.jsonl', /^Line 3, first of/, tabOf('questions.jsonl'));
    await w.cursorInLine(3);
  });

  it('offers missing fields with their descriptions', async () => {
    await workbench().openFile('fields.jsonl');
    await workbench().goTo(1, whole('tides', '').indexOf('"max_tokens"') + 1);
    await workbench().type('"');
    await workbench().waitFor(suggestions);
    await workbench().type('t');
    await workbench().type('h');
    await workbench().waitFor(`${suggested('thinking')}.focused`);
    const details = workbench().page.locator('.suggest-details-container', { hasText: 'Whether the model thinks' });
    await workbench().press('Control+Space', details);
    await workbench().screenshot('language-fields');
    // The suggest widget then offers types.
    await choose('thinking', suggested('adaptive'));
    await choose('adaptive', shown('{"type":"adaptive"}'));
    await workbench().save();
    assert.deepEqual(
      JSON.parse(workbench().fileText('fields.jsonl')),
      JSON.parse(whole('tides', 'Why?', { thinking: { type: 'adaptive' } })),
    );
  });

  it('goes to a request by a part of its ID, and back on Escape @floor', async () => {
    await workbench().openFile('many.jsonl');
    await workbench().goTo(3);
    await workbench().runCommand('Managed Agents: Go to Request by ID...', asked('Part of an ID, or :line'));
    await workbench().fillInput('4321');
    await workbench().waitFor(`${picker} .monaco-list-row:has-text("q-04321")`);
    await workbench().waitFor(shown('q-04321'));
    await workbench().screenshot('language-go-to');
    await workbench().press('Escape', shown('q-00002'));
    await workbench().cursorInLine(3);
    await workbench().runCommand('Managed Agents: Go to Request by ID...', asked('Part of an ID, or :line'));
    await workbench().fillInput(':4000');
    await workbench().quickPick('q-03999');
    await workbench().cursorInLine(4000);
  });

  it('stops a running request with Escape', async () => {
    await workbench().openFile('long.jsonl');
    await workbench().codeLenses('Create Batch (1 request');
    await workbench().press('Alt+Enter', '.tab[data-resource-name="Answer to long.md"]');
    await workbench().waitFor(shown('Receiving'));
    await workbench().untilSeen(shown('Stopped'), async timeout => {
      const source = workbench().page.locator('.editor-group-container:has(.tab[data-resource-name="long.jsonl"]) .view-line');
      await source.first().click({ timeout });
      await workbench().page.keyboard.press('Escape');
    });
  });

  it('shows the errors of a request before it is sent @nightly', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().waitFor(lens('1 error'));
    await workbench().goTo(3);
    await workbench().runCommand('Managed Agents: Run This Request', '.monaco-dialog-box');
    assert.match(await workbench().dialogText(), /Line 3 has errors/);
    await workbench().screenshot('jsonl-run-anyway');
    await workbench().dialogButton('Cancel');
  });

  it('shows fetched answers at their lines, also after edits, and opens one completely from its hover @floor', async () => {
    await placeResults(workbench(), 'questions.jsonl', [
      answered('refused', '', 'refusal', 1),
      answered('capital-of-chile', 'Santiago is the capital of Chile.\n\n<b>Not bold</b> $(bug) [a link](https://example.com)'),
      answered('tides', 'Because the Moon pulls the', 'max_tokens', 64),
      {
        custom_id: 'fails',
        result: { type: 'errored', error: { type: 'error', error: { type: 'invalid_request_error', message: 'No' } } },
      },
      { custom_id: 'too-hot', result: { type: 'expired' } },
    ]);
    await workbench().reloadWindow();
    await workbench().openFile('questions.jsonl');
    await workbench().waitFor(lens('4 without a good result'));
    await workbench().answerShown('✓ Santiago is the capital of Chile. <b>Not bold</b> $(bug)', 'capital-of-chile');
    await workbench().answerShown('◐ cut short (max_tokens) · Because the Moon pulls the · 38 → 64 tokens', 'tides');
    await workbench().answerShown('✗ failed · invalid_request_error: No', 'fails');
    await workbench().screenshot('jsonl-answers');
    await workbench().goTo(1);
    await goAndTell('Managed Agents: Go to Next Failed Request', 2, '1 of 4: cut short');

    await workbench().goTo(1);
    await workbench().type(`${whole('new', 'A new first line')}\n`);
    await workbench().codeLenses('6 requests');
    await workbench().activeText(/^.*\n.*capital-of-chile/);
    // The answer moved with its request.
    await workbench().answerShown('✓ Santiago', 'capital-of-chile');

    await hoverWith('capital-of-chile', '<b>Not bold</b> $(bug) a link');
    assert.equal(await workbench().count('.monaco-hover b, .monaco-hover img'), 0);
    await workbench().screenshot('jsonl-hover');
    await workbench().click('.monaco-hover a:has-text("Open Answer")', tabOf('Answer to capital-of-chile.md'));
    await workbench().waitFor(shown('Answer to capital-of-chile'));
  });

  it("edits one field of a file's failed requests after a preview, and Undo reverts it @nightly", async () => {
    const quickInput = new Questions(workbench);
    await placeResults(workbench(), 'evals.jsonl', [answered('cut', 'And then', 'max_tokens'), answered('fine', 'Yes')]);
    await workbench().reloadWindow();
    await workbench().openFile('evals.jsonl');
    const before = workbench().fileText('evals.jsonl');
    await workbench().codeLenses('3 without a good result');
    await workbench().runCommand('Managed Agents: Edit All Requests...', asks('Select an action'));
    await workbench().screenshot('edit-all-field');
    await quickInput.choose('Select an action', 'Max Output Tokens', asks('Maximum output tokens'));
    await quickInput.write('Maximum output tokens', '2048', asks('Set max_tokens to 2048: select the requests'));
    await workbench().screenshot('edit-all-scope');
    await quickInput.choose('select the requests', 'Failed Requests', offers('Edit 2 Requests'));
    await workbench().waitFor(`${asks('Requests changed: 2. Other requests: 1. Lines without a request: 1.')}`);
    await workbench().waitFor(
      '.modified-in-monaco-diff-editor .view-line:has-text("2048"), .monaco-diff-editor .view-line:has-text("2048")',
    );
    await workbench().screenshot('edit-all-preview');
    await quickInput.choose('Requests changed: 2', 'Edit 2 Requests', tabOf('evals.jsonl', '.dirty'));
    await workbench().save();
    const edited = before
      .split('\n')
      .map(line => (/"(?:cut|lost)"/.test(line) ? line.replace('"max_tokens":64', '"max_tokens":2048') : line));
    assert.equal(workbench().fileText('evals.jsonl'), edited.join('\n'));
    await workbench().beginCommand(tabOf('evals.jsonl', '.dirty'), 'undo');
    await workbench().save();
    assert.equal(workbench().fileText('evals.jsonl'), before);
  });
});
