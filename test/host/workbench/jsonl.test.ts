import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createSubmissionRegistry } from '../../../src/features/batches/ledger/submissionRegistry';
import { joinResults } from '../../../src/jsonl/resultsJoin';
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

const bare = (words: string) => JSON.stringify({ model: 'vendor-haiku-4-5', max_tokens: 64, messages: [{ role: 'user', content: words }] });

/** More than VS Code hands to extensions, with one broken line at its end. */
function hugeFile(): string {
  const words = 'word '.repeat(200);
  return `${Array.from({ length: 50_000 }, (_, index) => whole(`q-${index}`, words)).join('\n')}\n{"custom_id":"broken"\n`;
}

const answered = (id: string, text: string, stopReason = 'end_turn', tokens = 9) => ({
  custom_id: id,
  result: {
    type: 'succeeded',
    message: { content: [{ type: 'text', text }], stop_reason: stopReason, usage: { input_tokens: 38, output_tokens: tokens } },
  },
});

/** Puts fetched results of a file where the extension looks for them, as a fetch leaves them. */
async function placeResults(
  workbench: Workbench,
  name: string,
  results: readonly { readonly custom_id: string; readonly result: object }[],
): Promise<void> {
  const registry = createSubmissionRegistry({ folder: path.join(workbench.globalStorage, 'submissions'), log: console });
  try {
    const id = randomUUID();
    const folder = await registry.prepare(id);
    const source = path.join(workbench.folder, name);
    const text = workbench.fileText(name);
    const linesPath = path.join(folder, 'lines.tsv');
    const ids = text.split('\n').flatMap((line, index) => {
      const made = line === '' ? undefined : ((JSON.parse(line) as { custom_id?: string }).custom_id ?? `line-${index + 1}`);
      return made === undefined ? [] : [`${index}\t${made}\n`];
    });
    writeFileSync(linesPath, ids.join(''));
    const rawPath = path.join(folder, 'results.jsonl');
    writeFileSync(rawPath, results.map(result => `${JSON.stringify(result)}\n`).join(''));
    const joinedPath = source.replace(/\.jsonl$/, '.results.jsonl');
    const report = await joinResults(
      { rawPath, linesPath, joinedPath, indexPath: path.join(folder, 'results.index') },
      { throwIfAborted: () => undefined, progress: () => undefined },
    );
    await registry.save({
      id,
      connection: 'Emulator',
      origin: 'http://127.0.0.1:1',
      source: pathToFileURL(source).href,
      fileBytes: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
      requestCount: ids.length,
      bodyBytes: Buffer.byteLength(text),
      state: 'created',
      startedAt: new Date().toISOString(),
      batchId: 'msgbatch_test',
      results: { joinedPath, fetchedAt: new Date().toISOString(), report },
    });
  } finally {
    registry.dispose();
  }
}

/** Types at the begin of a line, from 1, of the active editor. */
async function typeAt(workbench: Workbench, line: number, text: string): Promise<void> {
  await workbench.goTo(line);
  await workbench.cursorInLine(line);
  await workbench.type(text);
}

describe('request files in the workbench', () => {
  const workbench = useWorkbench({
    files: {
      'questions.jsonl': `${questions.join('\n')}\n`,
      'huge.jsonl': hugeFile(),
      'bare.jsonl': `${bare('One?')}\n${bare('Two?')}\n`,
      'long.jsonl': `${whole('long', '[emulate: long 300000]', { max_tokens: 64_000 })}\n`,
      'log.jsonl': '{"level":"info","message":"started","timestamp":1}\n',
    },
    settings: { 'managedAgents.emulator.batchSeconds': 1, 'files.autoSave': 'off' },
  });

  afterEach('close everything', () => workbench().tidy());

  it('shows lenses and problems on a file of requests', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().codeLenses('No connection');
    await workbench().runCommand('Managed Agents: Start Emulator');
    const lenses = await workbench().codeLenses('Create Batch (5 requests');
    assert.ok(
      lenses.some(lens => lens.includes('1 problem')),
      lenses.join('|'),
    );
    await workbench().codeLenses('Emulator');
    assert.equal((await workbench().problemsCount()).errors, 1);
    assert.match((await workbench().problems()).join('\n'), /temperature|1/);
    await workbench().pictures('jsonl-problems');
    await workbench().runCommand('View: Hide Panel');
  });

  it('shows nothing on a log', async () => {
    await workbench().openFile('log.jsonl');
    await workbench().editorText();
    assert.equal(await workbench().count('.editor-group-container.active .codelens-decoration a'), 0);
  });

  it('runs a request from its lens and shows the answer beside', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().codeLens('Run This Request', '.tab[data-resource-name="Answer to capital-of-chile.md"]');
    await workbench().waitFor('.view-line:has-text("Finished (end_turn)")');
    await workbench().pictures('jsonl-answer');
  });

  it('tells the errors of a request before it is sent', async () => {
    await workbench().openFile('questions.jsonl');
    const lens = workbench().page.locator('.codelens-decoration a', { hasText: 'Run This Request' }).nth(2);
    await workbench().untilSeen(workbench().page.locator('.monaco-dialog-box'), timeout => lens.click({ timeout }));
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
    await workbench().codeLenses('1 succeeded · 4 need a look');
    await workbench().codeLenses('✓ Santiago is the capital of Chile. <b>Not bold</b> $(bug)');
    await workbench().codeLenses('◐ cut short (max_tokens) · Because the Moon pulls the · 38 → 64 tokens');
    await workbench().codeLenses('✗ errored · invalid_request_error: No');
    await workbench().pictures('jsonl-answers');
    const hover = await workbench().hoverAt('capital-of-chile');
    assert.match(hover, /<b>Not bold<\/b> \$\(bug\) a link/);
    assert.equal(await workbench().count('.monaco-hover b, .monaco-hover img'), 0);
    await workbench().screenshot('jsonl-hover');
    await workbench().press('Escape');

    await typeAt(workbench(), 1, `${whole('new', 'A new first line')}\n`);
    await workbench().codeLenses('6 requests');
    assert.match((await workbench().editorText()).split('\n')[1] ?? '', /capital-of-chile/);
    await workbench().codeLenses('✓ Santiago');
  });

  it('marks what was changed since it was sent, and goes to the ones that need a look', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().codeLenses('✓ Santiago');
    await workbench().runCommand('Managed Agents: Go to Next Failed Request');
    await workbench().cursorInLine(2);
    await workbench().waitFor('.statusbar-item:has-text("1 of 4: cut short")');
    await workbench().runCommand('Managed Agents: Go to Previous Failed Request');
    await workbench().cursorInLine(5);
    await workbench().waitFor('.statusbar-item:has-text("Went on from the bottom. 4 of 4: errored")');
    // Into the words of the question.
    await workbench().goTo(1, (questions[0] ?? '').indexOf('[emulate') + 1);
    await workbench().type('Really ');
    await workbench().codeLenses('≠ changed since · ✓ Santiago');
    await workbench().goTo(1);
    await workbench().pictures('jsonl-changed');
    const hover = await workbench().hoverAt('capital-of-chile');
    assert.match(hover, /was changed since it was sent/);
    await workbench().screenshot('jsonl-changed-hover');
  });

  it('opens a fetched answer whole', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().codeLens('Because the Moon pulls the', '.tab[data-resource-name="Answer to tides.md"]');
    await workbench().waitFor('.view-line:has-text("Answer to tides of Emulator")');
    await workbench().screenshot('jsonl-open-answer');
  });

  it('hides and shows answers', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().codeLenses('Because the Moon');
    await workbench().runCommand('Managed Agents: Show or Hide Answers');
    await workbench().waitForNone('.codelens-decoration a:has-text("Because the Moon")');
    await workbench().runCommand('Managed Agents: Show or Hide Answers');
    await workbench().codeLenses('Because the Moon');
  });

  it('answers bare params at their lines only while they are what was sent', async () => {
    await placeResults(workbench(), 'bare.jsonl', [answered('line-1', 'First answer'), answered('line-2', 'Second answer')]);
    await workbench().reloadWindow();
    await workbench().openFile('bare.jsonl');
    await workbench().codeLenses('Second answer');
    await typeAt(workbench(), 1, '\n');
    await workbench().waitForNone('.codelens-decoration a:has-text("First answer")');
    await workbench().codeLenses('Second answer');
    await workbench().screenshot('jsonl-bare');
  });

  it('checks a huge file from the explorer and shows a report that links to its problems', async () => {
    const file = workbench().page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'huge.jsonl' });
    await workbench().menuOf(file, 'Check Request File');
    await workbench().waitFor('.tab[data-resource-name="Check of huge.jsonl.txt"]');
    assert.match(await workbench().editorText(), /2 errors? must be mended|1 error must be mended/);
    await workbench().pictures('jsonl-check');
    await workbench().followLink('50001:', '.tab.active[data-resource-name="huge.jsonl"]');
    await workbench().waitFor('.editor-group-container.active .editor-actions [aria-label^="Create Batch"]');
  });

  it('leads from a report to the place in the file', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().runCommand('Managed Agents: Check Request File');
    await workbench().waitFor('.tab[data-resource-name="Check of questions.jsonl.txt"]');
    await workbench().followLink('3:147', '.editor-group-container.active .tab.active[data-resource-name="questions.jsonl"]');
    await workbench().cursorInLine(3);
    await workbench().cursorAtProblem();
  });

  it('stops a running request with Escape', async () => {
    await workbench().openFile('long.jsonl');
    await workbench().codeLenses('Create Batch (1 request,');
    await workbench().codeLens('Run This Request', '.tab[data-resource-name="Answer to long.md"]');
    await workbench().waitFor('.view-line:has-text("Receiving")');
    await workbench().untilSeen(workbench().page.locator('.view-line:has-text("Stopped")'), async timeout => {
      const source = workbench().page.locator('.editor-group-container:has(.tab[data-resource-name="long.jsonl"]) .view-line');
      await source.first().click({ timeout });
      await workbench().press('Escape');
    });
  });

  it('says in the language status what a file holds', async () => {
    await workbench().openFile('questions.jsonl');
    await workbench().codeLenses('Create Batch (');
    await workbench().page.locator('.statusbar-item#status\\.languageStatus').hover();
    await workbench().waitFor('.hover-language-status .left:has-text("5 requests · 1 problem")');
    await workbench().waitFor('.hover-language-status .left:has-text("1 succeeded · 4 need a look")');
    await workbench().screenshot('jsonl-language-status');
  });
});
