import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventuallyHolds } from '../eventually';
import type { Effect } from '../pageActs.mjs';
import { picker } from '../quickInputs.mjs';
import { tabOf, useWorkbench, type Workbench } from './workbench';

const whole = (id: string, words: string, more: object = {}) =>
  JSON.stringify({
    custom_id: id,
    params: { model: 'vendor-haiku-4-5', max_tokens: 64, messages: [{ role: 'user', content: words }], ...more },
  });

const suggestions = '.suggest-widget.visible .monaco-list-row';

const asked = (placeholder: string) => `${picker} input[placeholder=${JSON.stringify(placeholder)}]`;
const shown = (text: string) => `.editor-group-container.active .view-line:has-text(${JSON.stringify(text)})`;
const suggested = (label: string) => `${suggestions}[aria-label^=${JSON.stringify(label)}]`;
const nothingToSuggest = '.suggest-widget.visible .message:has-text("No suggestions")';

/** Chooses the suggestion that a selector finds until `effect` is seen; the widget closes when something takes the focus. */
async function choose(workbench: Workbench, suggestion: string, effect: string): Promise<void> {
  const row = workbench.page.locator(suggestion).first();
  let isAgain = false;
  await workbench.untilSeen(effect, async timeout => {
    if (isAgain && !(await row.isVisible())) {
      await workbench.command('editor.action.triggerSuggest');
    }
    isAgain = true;
    await row.click({ timeout });
  });
}

/** The hover over a text of the active editor, once all its parts are there. */
async function hoverWith(workbench: Workbench, text: string, words: RegExp): Promise<string> {
  const hover = workbench.page.locator('.monaco-hover:not(.hidden)', { hasText: words }).first();
  await workbench.untilSeen(hover, () => workbench.hoverAt(text));
  return await hover.innerText();
}

/** Asks for the models until those of the service are among them: its list comes when it comes. */
async function offerModels(workbench: Workbench): Promise<void> {
  await workbench.untilSeen(`${suggestions}[aria-label*="house-1"]`, async timeout => {
    await workbench.command('hideSuggestWidget');
    await workbench.waitForNone(suggestions);
    await workbench.command('editor.action.triggerSuggest');
    await workbench.page.locator(suggestions).first().waitFor({ timeout });
  });
}

/** Types into the active editor key by key. */
async function typeKeys(workbench: Workbench, keys: string): Promise<void> {
  for (const key of keys) {
    await workbench.type(key);
  }
}

/** Saves the file of the active editor once `text` is drawn in it, and gives the line that holds it. */
async function savedLine(workbench: Workbench, name: string, text: string): Promise<string> {
  await workbench.waitFor(shown(text));
  await workbench.save();
  const saved = workbench.fileText(name);
  return saved.split('\n').find(line => line.includes(text)) ?? assert.fail(saved);
}

/** More than VS Code hands to extensions. */
function hugeFile(): string {
  const words = 'word '.repeat(210);
  return Array.from({ length: 50_000 }, (_, index) => `${whole(`h-${index}`, words)}\n`).join('');
}

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

function useService(): void {
  before('have a service whose models have names', async () => {
    await once(service.listen(0, '127.0.0.1'), 'listening');
  });
  after('stop the service', () => {
    service.closeAllConnections();
    service.close();
  });
}

describe('writing requests in the workbench', () => {
  useService();
  const workbench = useWorkbench(() => ({
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
      'managedAgents.connections': { House: { baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}` } },
      'managedAgents.connection': 'House',
      'editor.wordWrap': 'on',
      'editor.wordBasedSuggestions': 'off',
    },
  }));

  before('give it a key', async () => {
    await workbench().openFile('read.jsonl');
    await workbench().setKey('local-test-key-0004');
    await workbench().codeLenses('Create Batch');
  });

  it('writes a whole request on an empty line, with the next id', async () => {
    await workbench().openFile('written.jsonl');
    await workbench().goTo(2);
    await workbench().beginCommand(`${suggested('request')}[data-index="0"]`, 'editor.action.triggerSuggest');
    await workbench().screenshot('language-request');
    await choose(workbench(), suggested('request,'), shown('"q-0008"'));
    assert.deepEqual(JSON.parse(await savedLine(workbench(), 'written.jsonl', '"q-0008"')), {
      custom_id: 'q-0008',
      params: { model: 'vendor-sonnet-5', max_tokens: 1024, messages: [{ role: 'user', content: '' }] },
    });
  });

  it('goes along while a request is typed, key by key', async () => {
    await workbench().openFile('typed.jsonl');
    await workbench().goTo(2);
    await typeKeys(workbench(), '{"');
    // The widget asks on for the value by itself.
    await choose(workbench(), suggested('custom_id'), suggested('q-0008'));
    await choose(workbench(), suggested('q-0008'), shown('"custom_id":"q-0008"'));
    await typeKeys(workbench(), ',');
    await choose(workbench(), suggested('params'), shown('"max_tokens":1024'));
    assert.deepEqual(JSON.parse(await savedLine(workbench(), 'typed.jsonl', '"max_tokens":1024')), {
      custom_id: 'q-0008',
      params: { model: '', max_tokens: 1024, messages: [{ role: 'user', content: '' }] },
    });
    await offerModels(workbench());
    const [first] = await workbench().page.locator(`${suggestions}[data-index="0"]`).all();
    await eventuallyHolds(async () =>
      assert.match((await first?.getAttribute('aria-label')) ?? '', /vendor-sonnet-5.*Sonnet 5 of the house/),
    );
    await workbench().waitFor(`${suggestions}[aria-label*="vendor-opus-5"]`);
    await workbench().screenshot('language-models');
    await choose(workbench(), suggested('vendor-sonnet-5'), shown('"model":"vendor-sonnet-5"'));
    await savedLine(workbench(), 'typed.jsonl', '"model":"vendor-sonnet-5"');
  });

  it('offers the fields that are missing, with what they mean', async () => {
    await workbench().openFile('fields.jsonl');
    await workbench().goTo(1, whole('tides', '').indexOf('"max_tokens"') + 1);
    await typeKeys(workbench(), '"');
    await workbench().waitFor(suggestions);
    await typeKeys(workbench(), 'th');
    await workbench().waitFor(`${suggested('thinking')}.focused`);
    const details = workbench().page.locator('.suggest-details-container', { hasText: 'Whether the model thinks' });
    await workbench().press('Control+Space', details);
    await workbench().screenshot('language-fields');
    // The widget asks on for the kind.
    await choose(workbench(), suggested('thinking'), suggested('adaptive'));
    await choose(workbench(), suggested('adaptive'), shown('{"type":"adaptive"}'));
    const line = await savedLine(workbench(), 'fields.jsonl', '{"type":"adaptive"}');
    assert.deepEqual(JSON.parse(line), JSON.parse(whole('tides', 'Why?', { thinking: { type: 'adaptive' } })));
  });

  it('offers nothing in the text of a message, and nothing on a log', async () => {
    await workbench().openFile('read.jsonl');
    await workbench().goTo(2, whole('tides', '').indexOf('"content":"') + 12);
    await typeKeys(workbench(), 'Say, {a: [');
    await workbench().waitFor(shown('"content":"Say, {a: ['));
    await workbench().beginCommand(nothingToSuggest, 'editor.action.triggerSuggest');
    assert.equal(await workbench().count(suggestions), 0);
    await workbench().openFile('log.jsonl');
    await workbench().goTo(1, 2);
    await typeKeys(workbench(), '"a",');
    await workbench().waitFor(shown('"a",'));
    await workbench().beginCommand(nothingToSuggest, 'editor.action.triggerSuggest');
    assert.equal(await workbench().count(suggestions), 0);
  });

  it('explains a field in a hover', async () => {
    await workbench().openFile('read.jsonl');
    await hoverWith(workbench(), 'max_tokens', /integer · required.*The most tokens to generate/s);
    await workbench().screenshot('language-hover');
    await hoverWith(workbench(), 'adaptive', /Think as much as the question needs/);
  });

  it('says once that a field is deprecated', async () => {
    await workbench().openFile('hot.jsonl');
    await workbench().waitFor('.editor-group-container.active .squiggly-inline-deprecated');
    const text = await hoverWith(
      workbench(),
      'temperature',
      /How random the answer is.*is deprecated|is deprecated.*How random the answer is/s,
    );
    await workbench().screenshot('language-deprecated');
    assert.equal(text.match(/is deprecated/g)?.length, 1, text);
  });

  it('begins a first request in an empty file, when it is asked to', async () => {
    await workbench().openFile('empty.jsonl');
    await workbench().beginCommand(suggested('request'), 'editor.action.triggerSuggest');
    await choose(workbench(), suggested('request,'), shown('"request-1"'));
    assert.deepEqual(JSON.parse(await savedLine(workbench(), 'empty.jsonl', '"request-1"')), {
      custom_id: 'request-1',
      params: { model: 'vendor-sonnet-5', max_tokens: 1024, messages: [{ role: 'user', content: '' }] },
    });
  });

  it('offers the models of the service in the document of a request, none twice', async () => {
    await workbench().openFile('read.jsonl');
    await workbench().goTo(2);
    await workbench().command('managedAgents.request.edit');
    await workbench().waitFor(tabOf('tides.request.json'));
    await workbench().goTo(4, 15);
    await offerModels(workbench());
    const models = await workbench()
      .page.locator(suggestions)
      .evaluateAll(rows => rows.map(row => row.getAttribute('aria-label') ?? ''));
    assert.equal(models.filter(model => /vendor-fable-5\b/.test(model)).length, 1, models.join('\n'));
    await choose(workbench(), `${suggestions}[aria-label*="house-1"]`, shown('"model": "house-1"'));
  });

  it('outlines requests, and says in the breadcrumbs which one the cursor is in', async () => {
    await workbench().openFile('read.jsonl');
    await workbench().goTo(2, 3);
    await workbench().waitFor('.breadcrumbs-control .monaco-breadcrumb-item:has-text("tides")');
    await workbench().command('outline.focus');
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
    await workbench().runCommand('Managed Agents: Go to Request by ID...', asked('Type a part of an id, or :line'));
    await workbench().fillInput('4321');
    await workbench().waitFor(`${picker} .monaco-list-row:has-text("q-04321")`);
    await workbench().waitFor(shown('q-04321'));
    await workbench().screenshot('language-go-to');
    await workbench().press('Escape', shown('q-00002'));
    await workbench().cursorInLine(3);
    await workbench().runCommand('Managed Agents: Go to Request by ID...', asked('Type a part of an id, or :line'));
    await workbench().fillInput(':4000');
    await workbench().quickPick('q-03999');
    await workbench().cursorInLine(4000);
  });

  it('goes to a request of a file that is too large for extensions', async () => {
    await workbench().openFile('huge.jsonl');
    await workbench().runCommand('Managed Agents: Go to Request by ID...', `${picker}:has-text("Whole id of the request")`);
    await workbench().inputBox('h-43210');
    await workbench().cursorInLine(43_211);
  });

  it('renames an id, and says why another name is refused', async () => {
    await workbench().openFile('read.jsonl');
    await workbench().goTo(2, 16);
    const box = workbench().page.locator('.rename-box .rename-input');
    await workbench().press('F2', box);
    await eventuallyHolds(async () => assert.equal(await box.inputValue(), 'tides'));
    await workbench().screenshot('language-rename');
    const renameTo = async (name: string, effect: Effect) => {
      await workbench().untilSeen(effect, async timeout => {
        if (!(await box.isVisible())) {
          await workbench().page.keyboard.press('F2');
        }
        await box.fill(name, { timeout });
        await box.press('Enter', { timeout });
      });
    };
    await renameTo('capital-of-chile', workbench().toast('Line 1 has the id capital-of-chile already'));
    await renameTo('high-tides', shown('"custom_id":"high-tides"'));
  });
});
