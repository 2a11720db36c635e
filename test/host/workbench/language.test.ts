import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { useWorkbench, type Workbench } from './workbench';

const whole = (id: string, words: string, more: object = {}) =>
  JSON.stringify({
    custom_id: id,
    params: { model: 'vendor-haiku-4-5', max_tokens: 64, messages: [{ role: 'user', content: words }], ...more },
  });

const suggestions = '.suggest-widget.visible .monaco-list-row';

/** Chooses what the suggest widget shows under `label`, once it shows it. */
async function suggestion(workbench: Workbench, label: string): Promise<void> {
  const row = workbench.page.locator(`${suggestions}[aria-label^="${label}"]`).first();
  await row.waitFor();
  await row.click();
  await workbench.page
    .locator(suggestions)
    .first()
    .waitFor({ state: 'hidden' })
    .catch(() => undefined);
}

async function suggested(workbench: Workbench): Promise<string[]> {
  await workbench.waitFor(suggestions);
  return workbench.page.locator(suggestions).evaluateAll(rows => rows.map(row => row.getAttribute('aria-label') ?? ''));
}

/** Saves the file of the active editor once `shown` is drawn in it, and gives the line that holds it. */
async function savedLine(workbench: Workbench, name: string, shown: string): Promise<string> {
  await workbench.waitFor(`.view-line:has-text(${JSON.stringify(shown)})`);
  await workbench.untilDone(async timeout => {
    await workbench.press('Control+S');
    await workbench.page.locator('.editor-group-container.active .tab.active:not(.dirty)').first().waitFor({ timeout });
  });
  const text = workbench.fileText(name);
  return text.split('\n').find(line => line.includes(shown)) ?? assert.fail(text);
}

/** A row of text of the active editor, once it matches. */
async function lineText(workbench: Workbench, pattern: RegExp): Promise<string> {
  return workbench.untilDone(async () => {
    const line = (await workbench.editorText()).split('\n').find(text => pattern.test(text));
    assert.ok(line !== undefined, await workbench.editorText());
    return line;
  });
}

/** More than VS Code hands to extensions. */
function hugeFile(): string {
  const words = 'word '.repeat(210);
  return Array.from({ length: 50_000 }, (_, index) => `${whole(`h-${index}`, words)}\n`).join('');
}

const port = 41_000 + (process.pid % 9_000);

/** A service that knows nothing but its models; one of them only it has. */
const service = createServer((request, response) => {
  const data = [
    { id: 'vendor-sonnet-5', display_name: 'Sonnet 5 of the house' },
    { id: 'vendor-fable-5', display_name: 'Fable 5 of the house' },
    { id: 'house-1', display_name: 'House One' },
  ].map(model => ({ type: 'model', created_at: '2026-01-01T00:00:00Z', ...model }));
  const isModels = request.url?.startsWith('/v1/models') === true;
  response.writeHead(isModels ? 200 : 404, { 'content-type': 'application/json' });
  const body = isModels
    ? { data, has_more: false, first_id: 'vendor-sonnet-5', last_id: 'house-1' }
    : { type: 'error', error: { type: 'not_found_error', message: 'No such thing' } };
  response.end(JSON.stringify(body));
});

describe('writing requests in the workbench', () => {
  const workbench = useWorkbench({
    files: {
      'written.jsonl': `${whole('q-0007', 'Why is the sky blue?')}\n\n`,
      'read.jsonl': `${whole('capital-of-chile', 'What is the capital of Chile?', { thinking: { type: 'adaptive' }, system: 'Be brief.', tools: [{ type: 'bash_20250124', name: 'bash' }] })}\n${whole('tides', 'Why are there two high tides a day?')}\n`,
      'typed.jsonl': `${whole('q-0007', 'Why is the sky blue?')}\n\n`,
      'fields.jsonl': `${whole('tides', 'Why?')}\n`,
      'many.jsonl': `${Array.from({ length: 5000 }, (_, index) => whole(`q-${String(index).padStart(5, '0')}`, `Question ${index}?`)).join('\n')}\n`,
      'huge.jsonl': hugeFile(),
      'log.jsonl': '{"level":"info","message":"started","timestamp":1}\n',
      'empty.jsonl': '',
      'hot.jsonl': `${whole('hot', 'How hot?', { temperature: 0.5 })}\n`,
    },
    settings: {
      'managedAgents.connections': { House: { baseUrl: `http://127.0.0.1:${port}` } },
      'managedAgents.connection': 'House',
      'files.autoSave': 'off',
      'editor.wordWrap': 'on',
      'editor.wordBasedSuggestions': 'off',
    },
  });

  before('have a service whose models have names', async () => {
    await once(service.listen(port, '127.0.0.1'), 'listening');
    await workbench().openFile('read.jsonl');
    await workbench().runCommand('Managed Agents: Set API Key');
    await workbench().inputBox('local-test-key-0004');
    await workbench().codeLenses('House');
  });

  after('stop the service', () => {
    service.closeAllConnections();
    service.close();
  });

  afterEach('close everything', () => workbench().tidy());

  it('writes a whole request on an empty line, with the next id', async () => {
    await workbench().openFile('written.jsonl');
    await workbench().goTo(2);
    await workbench().runCommand('Trigger Suggest');
    assert.equal((await suggested(workbench()))[0]?.startsWith('request'), true);
    await workbench().screenshot('language-request');
    await suggestion(workbench(), 'request,');
    assert.deepEqual(JSON.parse(await savedLine(workbench(), 'written.jsonl', '"q-0008"')), {
      custom_id: 'q-0008',
      params: { model: 'vendor-sonnet-5', max_tokens: 1024, messages: [{ role: 'user', content: '' }] },
    });
  });

  it('goes along while a request is typed, key by key', async () => {
    await workbench().openFile('typed.jsonl');
    await workbench().goTo(2);
    await workbench().type('{"');
    await suggestion(workbench(), 'custom_id');
    // The widget asks on for the value by itself.
    await suggestion(workbench(), 'q-0008');
    await workbench().type(',');
    await suggestion(workbench(), 'params');
    assert.deepEqual(JSON.parse(await savedLine(workbench(), 'typed.jsonl', '"max_tokens":1024')), {
      custom_id: 'q-0008',
      params: { model: '', max_tokens: 1024, messages: [{ role: 'user', content: '' }] },
    });
    await workbench().runCommand('Trigger Suggest');
    const models = await suggested(workbench());
    assert.match(models[0] ?? '', /vendor-sonnet-5.*Sonnet 5 of the house/);
    assert.ok(models.some(model => model.includes('vendor-opus-5')));
    assert.ok(models.some(model => model.includes('house-1')));
    await workbench().screenshot('language-models');
    await suggestion(workbench(), 'vendor-sonnet-5');
    await savedLine(workbench(), 'typed.jsonl', '"model":"vendor-sonnet-5"');
  });

  it('offers the fields that are missing, with what they mean', async () => {
    await workbench().openFile('fields.jsonl');
    await workbench().goTo(1, whole('tides', '').indexOf('"max_tokens"') + 1);
    await workbench().type('"');
    await workbench().waitFor(suggestions);
    await workbench().type('th');
    await workbench().waitFor(`${suggestions}[aria-label^="thinking"]`);
    const details = workbench().page.locator('.suggest-details-container', { hasText: 'Whether the model thinks' });
    await workbench().untilSeen(details, () => workbench().press('Control+Space'));
    await workbench().screenshot('language-fields');
    await suggestion(workbench(), 'thinking');
    // The widget asks on for the kind.
    await suggestion(workbench(), 'adaptive');
    const line = await savedLine(workbench(), 'fields.jsonl', '{"type":"adaptive"}');
    assert.deepEqual(JSON.parse(line), JSON.parse(whole('tides', 'Why?', { thinking: { type: 'adaptive' } })));
  });

  it('offers nothing in the text of a message, and nothing on a log', async () => {
    await workbench().openFile('read.jsonl');
    await workbench().goTo(2, whole('tides', '').indexOf('"content":"') + 12);
    await workbench().type('Say, {a: [');
    await lineText(workbench(), /"content":"Say, \{a: \[/);
    assert.equal(await workbench().count(suggestions), 0);
    await workbench().openFile('log.jsonl');
    await workbench().goTo(1, 2);
    await workbench().type('"a",');
    await lineText(workbench(), /"a",/);
    assert.equal(await workbench().count(suggestions), 0);
  });

  it('explains a field in a hover', async () => {
    await workbench().openFile('read.jsonl');
    const hover = await workbench().hoverAt('max_tokens');
    assert.match(hover, /integer · required/);
    assert.match(hover, /The most tokens to generate/);
    await workbench().screenshot('language-hover');
    await workbench().press('Escape');
    assert.match(await workbench().hoverAt('adaptive'), /Think as much as the question needs/);
  });

  it('says once that a field is deprecated', async () => {
    await workbench().openFile('hot.jsonl');
    await workbench().waitFor('.editor-group-container.active .squiggly-inline-deprecated');
    await workbench().hoverAt('temperature');
    const hover = workbench().page.locator('.monaco-hover:not(.hidden)', { hasText: 'How random the answer is' }).first();
    await hover.waitFor();
    await workbench().screenshot('language-deprecated');
    const text = await hover.innerText();
    assert.equal(text.match(/is deprecated/g)?.length, 1, text);
    await workbench().press('Escape');
  });

  it('begins a first request in an empty file, when it is asked to', async () => {
    await workbench().openFile('empty.jsonl');
    await workbench().runCommand('Trigger Suggest');
    await suggestion(workbench(), 'request,');
    assert.deepEqual(JSON.parse(await savedLine(workbench(), 'empty.jsonl', '"request-1"')), {
      custom_id: 'request-1',
      params: { model: 'vendor-sonnet-5', max_tokens: 1024, messages: [{ role: 'user', content: '' }] },
    });
  });

  it('offers the models of the service in the document of a request, none twice', async () => {
    await workbench().openFile('read.jsonl');
    await workbench().goTo(2);
    await workbench().runCommand('Managed Agents: Edit Request');
    await workbench().waitFor('.tab.active[data-resource-name$=".request.json"]');
    await workbench().goTo(4, 15);
    const row = workbench().page.locator(suggestions, { hasText: 'house-1' });
    await workbench().untilSeen(row, () => workbench().press('Control+Space'));
    await workbench().screenshot('language-edited-models');
    const models = await suggested(workbench());
    assert.equal(models.filter(model => /vendor-fable-5\b/.test(model)).length, 1, models.join('\n'));
    await row.click();
    await lineText(workbench(), /"model": "house-1"/);
  });

  it('outlines requests, and says in the breadcrumbs which one the cursor is in', async () => {
    await workbench().openFile('read.jsonl');
    await workbench().goTo(2, 3);
    await workbench().waitFor('.breadcrumbs-control .monaco-breadcrumb-item:has-text("tides")');
    await workbench().runCommand('Explorer: Focus on Outline View');
    await workbench().waitFor('.outline-tree .monaco-list-row:has-text("capital-of-chile")');
    await workbench().pictures('language-outline');
  });

  it('says in the breadcrumbs of a long file which request the cursor is in, wherever it goes', async () => {
    await workbench().openFile('many.jsonl');
    await workbench().goTo(3, 3);
    await workbench().waitFor('.breadcrumbs-control .monaco-breadcrumb-item:has-text("q-00002")');
    await workbench().goTo(4322, 3);
    await workbench().waitFor('.breadcrumbs-control .monaco-breadcrumb-item:has-text("q-04321")');
    assert.equal(await workbench().count('.sticky-widget .sticky-line-content'), 0);
    await workbench().screenshot('language-breadcrumbs');
  });

  it('goes to a request by a part of its id, and back on Escape', async () => {
    await workbench().openFile('many.jsonl');
    await workbench().goTo(3);
    await workbench().runCommand('Managed Agents: Go to Request by ID...');
    await workbench().fillInput('4321');
    await workbench().waitFor('.quick-input-widget .monaco-list-row:has-text("q-04321")');
    await workbench().waitFor('.view-line:has-text("q-04321")');
    await workbench().screenshot('language-go-to');
    await workbench().press('Escape');
    await workbench().waitFor('.view-line:has-text("q-00002")');
    await workbench().cursorInLine(3);
    await workbench().runCommand('Managed Agents: Go to Request by ID...');
    await workbench().fillInput(':4000');
    await workbench().quickPick('q-03999');
    await workbench().cursorInLine(4000);
  });

  it('goes to a request of a file that is too large for extensions', async () => {
    await workbench().openFile('huge.jsonl');
    await workbench().runCommand('Managed Agents: Go to Request by ID...');
    await workbench().inputBox('h-43210');
    await workbench().cursorInLine(43_211);
  });

  it('renames an id, and says why another name is refused', async () => {
    await workbench().openFile('read.jsonl');
    await workbench().goTo(2, 16);
    const box = workbench().page.locator('.rename-box .rename-input');
    await workbench().untilSeen(box, () => workbench().press('F2'));
    assert.equal(await box.inputValue(), 'tides');
    await workbench().screenshot('language-rename');
    await box.fill('capital-of-chile');
    await box.press('Enter');
    await workbench().notification('Line 1 has the id capital-of-chile already');
    await workbench().untilSeen(box, () => workbench().press('F2'));
    await box.fill('high-tides');
    await box.press('Enter');
    await lineText(workbench(), /"custom_id":"high-tides"/);
  });
});
