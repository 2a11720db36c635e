import assert from 'node:assert/strict';
import { answered, placeResults } from './placeResults';
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

const bare = (words: string) => JSON.stringify({ model: 'vendor-haiku-4-5', max_tokens: 64, messages: [{ role: 'user', content: words }] });

/** More than VS Code hands to extensions, with one broken line at its end. */
function hugeFile(): string {
  const words = 'word '.repeat(200);
  return `${Array.from({ length: 50_000 }, (_, index) => whole(`q-${index}`, words)).join('\n')}\n{"custom_id":"broken"\n`;
}

const shown = (text: string) => `.view-line:has-text(${JSON.stringify(text)})`;
const lens = (text: string) => `.codelens-decoration a:has-text(${JSON.stringify(text)})`;
const statusBar = (text: string) => `.statusbar-item:has-text(${JSON.stringify(text)})`;

describe('request files in the workbench', () => {
  const workbench = useWorkbench({
    files: {
      'questions.jsonl': `${questions.join('\n')}\n`,
      'huge.jsonl': hugeFile(),
      'bare.jsonl': `${bare('One?')}\n${bare('Two?')}\n`,
      'long.jsonl': `${whole('long', '[emulate: long 300000]', { max_tokens: 64_000 })}\n`,
      'log.jsonl': '{"level":"info","message":"started","timestamp":1}\n',
    },
  });

  /** Rests the mouse on a text until its hover says `words`. */
  async function hoverWith(text: string, words: string): Promise<void> {
    await workbench().untilSeen(workbench().page.locator('.monaco-hover:not(.hidden)', { hasText: words }), () =>
      workbench().hoverAt(text),
    );
  }

  /** Runs a command that leads to a line and says something in the status bar, for some seconds only. */
  async function goAndTell(title: string, line: number, words: string): Promise<void> {
    const number = workbench().page.locator('.monaco-editor .active-line-number', { hasText: new RegExp(`^\\s*${line}\\s*$`) });
    await Promise.all([workbench().waitFor(statusBar(words)), workbench().runCommand(title, number)]);
  }

  it('shows lenses and problems on a file of requests', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().codeLenses('No connection');
    await workbench().runCommand('Managed Agents: Start Emulator', statusBar('Emulator'));
    await workbench().waitForNone(lens('No connection'));
    await workbench().waitFor(lens('Create Batch (5 requests'));
    await workbench().waitFor(lens('1 problem'));
    await workbench().waitFor('.statusbar-item#status\\.problems a[aria-label*="Errors: 1"]');
    await workbench().command('workbench.actions.view.problems');
    await workbench().waitFor('.markers-panel .monaco-list-row:has-text("temperature")');
    await workbench().pictures('jsonl-problems');
  });

  it('shows nothing on a log', async () => {
    // By the time this one has its lenses, the other would have them too.
    await workbench().openFile('log.jsonl');
    await workbench().command('workbench.action.splitEditorRight');
    await workbench().openFile('bare.jsonl');
    await workbench().codeLenses('Create Batch (2 requests');
    assert.equal(await workbench().count('.editor-group-container:not(.active) .view-line:has-text("started")'), 1);
    assert.equal(await workbench().count('.editor-group-container:not(.active) .codelens-decoration a'), 0);
  });

  it('runs a request from its lens and shows the answer beside', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().goTo(1);
    await workbench().codeLens('Run This Request', '.tab[data-resource-name="Answer to capital-of-chile.md"]');
    await workbench().waitFor(shown('Finished (end_turn)'));
    await workbench().pictures('jsonl-answer');
  });

  it('tells the errors of a request before it is sent', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().waitFor(lens('1 problem'));
    await workbench().goTo(3);
    await workbench().runCommand('Managed Agents: Run This Request', '.monaco-dialog-box');
    assert.match(await workbench().dialogText(), /Line 3 has errors/);
    await workbench().screenshot('jsonl-run-anyway');
    await workbench().dialogButton('Cancel');
  });

  it('shows fetched answers at their lines, also after edits', async () => {
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
    await workbench().waitFor(lens('4 need a look'));
    await workbench().answerShown('✓ Santiago is the capital of Chile. <b>Not bold</b> $(bug)', 'capital-of-chile');
    await workbench().answerShown('◐ cut short (max_tokens) · Because the Moon pulls the · 38 → 64 tokens', 'tides');
    await workbench().answerShown('✗ errored · invalid_request_error: No', 'fails');
    await workbench().pictures('jsonl-answers');
    await hoverWith('capital-of-chile', '<b>Not bold</b> $(bug) a link');
    assert.equal(await workbench().count('.monaco-hover b, .monaco-hover img'), 0);
    await workbench().screenshot('jsonl-hover');

    await workbench().goTo(1);
    await workbench().type(`${whole('new', 'A new first line')}\n`);
    await workbench().codeLenses('6 requests');
    await workbench().activeText(/^.*\n.*capital-of-chile/);
    // The answer went along.
    await workbench().answerShown('✓ Santiago', 'capital-of-chile');
  });

  it('marks what was changed since it was sent, and goes to the ones that need a look', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().answerShown('✓ Santiago');
    await workbench().goTo(1);
    await goAndTell('Managed Agents: Go to Next Failed Request', 2, '1 of 4: cut short');
    await goAndTell('Managed Agents: Go to Previous Failed Request', 5, 'Went on from the bottom. 4 of 4: errored');
    // Into the words of the question.
    await workbench().goTo(1, (questions[0] ?? '').indexOf('[emulate') + 1);
    await workbench().type('Really ');
    await workbench().answerShown('≠ changed since · ✓ Santiago', 'capital-of-chile');
    await workbench().goTo(1);
    await workbench().pictures('jsonl-changed');
    await hoverWith('capital-of-chile', 'was changed since it was sent');
    await workbench().screenshot('jsonl-changed-hover');
  });

  it('opens a fetched answer whole', async () => {
    await workbench().openFile('questions.jsonl');
    await hoverWith('tides', 'Open Answer');
    await workbench().click('.monaco-hover a:has-text("Open Answer")', tabOf('Answer to tides.md'));
    await workbench().waitFor(shown('Answer to tides of Emulator'));
    await workbench().screenshot('jsonl-open-answer');
  });

  it('hides and shows answers', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().answerShown('Because the Moon');
    // What toggles is done again only where it did nothing.
    await workbench().untilDone(async timeout => {
      if (!(await workbench().isAnswerHidden('Because the Moon'))) {
        await workbench().runCommandOnce('Managed Agents: Show or Hide Answers', timeout);
      }
      await workbench().noAnswerShown('Because the Moon', timeout);
    });
    await workbench().untilDone(async timeout => {
      if (await workbench().isAnswerHidden('Because the Moon')) {
        await workbench().runCommandOnce('Managed Agents: Show or Hide Answers', timeout);
      }
      await workbench().answerShown('Because the Moon', '', timeout);
    });
    await workbench().goTo(2);
    await workbench().codeLenses('Open Answer');
  });

  it('answers bare params at their lines only while they are what was sent', async () => {
    await placeResults(workbench(), 'bare.jsonl', [answered('line-1', 'First answer'), answered('line-2', 'Second answer')]);
    await workbench().reloadWindow();
    await workbench().openFile('bare.jsonl');
    await workbench().answerShown('Second answer');
    // The first question stands where the second was sent, and says something else.
    await workbench().goTo(1);
    await workbench().type('\n');
    await workbench().noAnswerShown('First answer');
    await workbench().answerShown('Second answer');
    await workbench().screenshot('jsonl-bare');
  });

  it('checks a huge file from the explorer and shows a report that links to its problems', async () => {
    const file = workbench().page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'huge.jsonl' });
    await workbench().menuOf(file, ['Managed Agents', 'Check Request File'], tabOf('Check of huge.jsonl.txt'));
    await workbench().waitFor(`.editor-group-container.active ${shown('Fix 1 error before')}`);
    await workbench().pictures('jsonl-check');
    await workbench().followLink('50001:', '.tab.active[data-resource-name="huge.jsonl"]');
    await workbench().waitFor('.editor-group-container.active .editor-actions [aria-label^="Create Batch"]');
  });

  it('leads from a report to the place in the file', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().runCommand('Managed Agents: Check Request File', tabOf('Check of questions.jsonl.txt'));
    await workbench().followLink('3:147', tabOf('questions.jsonl'));
    await workbench().cursorInLine(3);
    await workbench().cursorAtProblem();
  });

  it('stops a running request with Escape', async () => {
    await workbench().openFile('long.jsonl');
    await workbench().codeLenses('Create Batch (1 request');
    await workbench().codeLens('Run This Request', '.tab[data-resource-name="Answer to long.md"]');
    await workbench().waitFor(shown('Receiving'));
    await workbench().untilSeen(shown('Stopped'), async timeout => {
      const source = workbench().page.locator('.editor-group-container:has(.tab[data-resource-name="long.jsonl"]) .view-line');
      await source.first().click({ timeout });
      await workbench().page.keyboard.press('Escape');
    });
  });

  it('says in the language status what a file holds', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().codeLenses('Create Batch');
    await workbench().untilSeen('.hover-language-status .left:has-text("5 requests · 1 problem")', async timeout => {
      await workbench().page.mouse.move(0, 0);
      await workbench().page.locator('.statusbar-item#status\\.languageStatus').hover({ timeout });
    });
    await workbench().waitFor('.hover-language-status .left:has-text("1 succeeded · 4 need a look")');
    await workbench().screenshot('jsonl-language-status');
  });
});
