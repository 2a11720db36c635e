import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventuallyHolds } from '../eventually';
import { picker } from '../page/quickInputs';
import { tabOf, useWorkbench, type Workbench } from './workbench';

const whole = (id: string, words: string) =>
  JSON.stringify({
    custom_id: id,
    params: { model: 'vendor-haiku-4-5', max_tokens: 64, messages: [{ role: 'user', content: words }] },
  });

const suggestions = '.suggest-widget.visible .monaco-list-row';

const shown = (text: string) => `.editor-group-container.active .view-line:has-text(${JSON.stringify(text)})`;
const suggested = (label: string) => `${suggestions}[aria-label^=${JSON.stringify(label)}]`;

/** Accepts the suggestion with a selector until `effect` is visible. The suggest widget closes when it loses the focus. */
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

/** Opens the completion of models until it has the service's models, whose list loads in the background. */
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

/** Saves the file of the active editor once `text` is rendered in it. Returns the line that contains it. */
async function savedLine(workbench: Workbench, name: string, text: string): Promise<string> {
  await workbench.waitFor(shown(text));
  await workbench.save();
  const saved = workbench.fileText(name);
  return saved.split('\n').find(line => line.includes(text)) ?? assert.fail(saved);
}

/** Returns a text that is larger than VS Code's limit for extensions. */
function hugeFile(): string {
  const words = 'word '.repeat(210);
  return Array.from({ length: 50_000 }, (_, index) => `${whole(`h-${index}`, words)}\n`).join('');
}

/** A service that only lists models. One of its models isn't in the contract. */
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

describe('writing requests in the workbench @nightly', () => {
  useService();
  const workbench = useWorkbench(() => ({
    files: {
      'read.jsonl': `${whole('capital-of-chile', 'What is the capital of Chile?')}\n${whole('tides', 'Why are there two high tides a day?')}\n`,
      'typed.jsonl': `${whole('q-0007', 'Why is the sky blue?')}\n\n`,
      'huge.jsonl': hugeFile(),
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

  it('helps while a request is typed, key by key', async () => {
    await workbench().openFile('typed.jsonl');
    await workbench().goTo(2);
    await typeKeys(workbench(), '{"');
    // The suggest widget opens again for the value.
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

  it("offers the service's models in a request's document, each once", async () => {
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

  it('goes to a request of a file that is too large for extensions', async () => {
    await workbench().openFile('huge.jsonl');
    await workbench().runCommand('Managed Agents: Go to Request by ID...', `${picker}:has-text("Line number or custom_id")`);
    await workbench().inputBox('h-43210');
    await workbench().cursorInLine(43_211);
  });

  it('offers to send such a file on its tab, also outside the workspace', async () => {
    const w = workbench();
    const folder = mkdtempSync(path.join(tmpdir(), 'elsewhere-'));
    try {
      copyFileSync(path.join(w.folder, 'huge.jsonl'), path.join(folder, 'elsewhere.jsonl'));
      await w.openFile(path.relative(w.folder, path.join(folder, 'elsewhere.jsonl')));
      const tab = w.page.locator(tabOf('elsewhere.jsonl')).first();
      await eventuallyHolds(async () => {
        const entries = await w.entriesOf(tab, 'Managed Agents');
        assert.ok(entries.includes('Create and Send Batch...'), entries.join());
      });
      const create = '.editor-group-container.active .editor-actions .action-label[aria-label^="Create and Send Batch"]';
      await w.click(w.page.locator(create).first(), w.sheetTab('elsewhere.jsonl'));
      await w.screenshot('huge-sheet');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
