import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import { readBundles } from '../../l10n/bundles.mjs';
import { pseudoLanguage, toPseudo } from '../../l10n/pseudoLocale.mjs';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { ServedSessions } from './servedSessions';
import { useWorkbench } from './workbench';

const file = 'asked.jsonl';
const request = { model: 'vendor-haiku-4-5', max_tokens: 64, messages: [{ role: 'user', content: 'How tall is the tower?' }] };
const lines = ['first', 'second', 'second'].map(custom_id => JSON.stringify({ custom_id, params: request }));

/** Selectors of our own texts around the panels. */
const ours = ['.pane-body', '.codelens-decoration', '.tab', '.notifications-toasts', '.statusbar-item[id*="managed-agents"]'];

/** Returns all texts in some elements, visible and for screen readers, and the buttons whose text is cut. Runs in the page. */
function readTexts(selectors: readonly string[]): { readonly texts: readonly string[]; readonly cut: readonly string[] } {
  const texts = new Set<string>();
  const cut = new Set<string>();
  for (const element of selectors.flatMap(selector => [...document.querySelectorAll(`${selector}, ${selector} *`)])) {
    if (!(element instanceof HTMLElement) || !element.checkVisibility({ visibilityProperty: true }) || element.closest('[lang="und"]')) {
      continue;
    }
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ textContent }) => textContent ?? '');
    const told = ['aria-label', 'title', 'placeholder', 'alt'].map(name => element.getAttribute(name) ?? '');
    for (const text of [...own, ...told].map(one => one.replace(/\s+/g, ' ').trim()).filter(one => one !== '')) {
      texts.add(text);
    }
    if (element instanceof HTMLButtonElement && element.scrollWidth > element.clientWidth + 1) {
      cut.add(element.innerText);
    }
  }
  return { texts: [...texts], cut: [...cut] };
}

describe('a pseudo language', () => {
  const emulator = useEmulator({ key: 'key-of-the-tests', scenario: { sessionPause: 0 } });
  const sessions = new ServedSessions(emulator, useClient(emulator));
  const workbench = useWorkbench(() => ({
    files: { [file]: `${lines.join('\n')}\n` },
    settings: connectedTo(emulator()),
    language: pseudoLanguage,
  }));
  /** Names of agents of the service that are also names of our templates. */
  const names = new Set<unknown>(['Careful Operator', 'Coordinator', 'Researcher', 'Shopkeeper']);
  const english = new Set<unknown>(
    readBundles()
      .flatMap(({ texts }) => Object.values(texts))
      .filter(text => !names.has(text)),
  );
  before('give the key', () => workbench().setKey('key-of-the-tests'));

  /** Asserts that no text is in English, that some texts are translated, and that no button cuts its text. */
  async function isTranslated(shown: Page | Frame, selectors: readonly string[]): Promise<void> {
    const { texts: seen, cut } = await shown.evaluate(readTexts, selectors);
    assert.ok(
      seen.some(text => text.includes('«')),
      JSON.stringify(seen),
    );
    // Names and commands of a session may be cut, but our own texts must not be.
    const cutTexts = cut.filter(text => text.includes('«'));
    assert.deepEqual({ english: seen.filter(text => english.has(text)), cutTexts }, { english: [], cutTexts: [] });
  }

  it('appears in lenses, problems, the sheet and the table of requests, the views, a session and the inbox @ci', async () => {
    await workbench().openFile(file);
    await workbench().waitFor('.codelens-decoration:has-text("«")');
    await isTranslated(workbench().page, ours);
    await workbench().beginCommand('.tab.active:has-text("«")', 'managedAgents.batch.create');
    const sheet = await workbench().webview('.foot .button-primary');
    await isTranslated(sheet, ['body']);
    await workbench().screenshot('pseudo-sheet');
    await workbench().openFile(file);
    await workbench().command('managedAgents.requests.showTable');
    const table = await workbench().webview('main.panel [role="grid"]');
    await table.locator('#row-0:not(.isComing)').waitFor();
    await isTranslated(table, ['body']);
    await workbench().screenshot('pseudo-requests');

    const { id } = await sessions.create('Asks', 'ask make clean', 'Careful Operator');
    await workbench().command('workbench.view.extension.managedAgents');
    await workbench().command('managedAgents.refresh');
    await workbench().waitFor(`.pane-body .monaco-list-row:has-text("${toPseudo('Needs You')}")`);
    await isTranslated(workbench().page, ours);
    await workbench().beginCommand('.tab.active[aria-label*="Asks"]', 'managedAgents.session.open', { connection: 'Lab', sessionId: id });
    const panel = await workbench().webview('main.panel:has(h1:has-text("Asks")) article.ask');
    await isTranslated(panel, ['body']);
    await workbench().screenshot('pseudo-session');
    await workbench().command('managedAgents.inbox.open');
    const inbox = await workbench().webview('main.inbox article.ask');
    await isTranslated(inbox, ['body']);
    await workbench().screenshot('pseudo-inbox');
  });
});
