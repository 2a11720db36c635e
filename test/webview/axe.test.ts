import type { Ask } from '../../src/shared/session/openAsks';
import type { Row } from '../../src/shared/session/rows/rows';
import type { ToWebview } from '../../src/shared/session/sessionProtocol';
import { bash, custom, json } from './asks/asksPage';
import { isFlawless } from './axeFindings';
import { becomes } from './eventually';
import { asked, entry, InboxPage } from './inbox/inboxPage';
import { unfoldAll } from './inPanel.mjs';
import { longSession } from './longSession';
import { everyRow, messageRow, toolRow, viewOf } from './panelFixtures';
import { PanelPage } from './panelPage';
import { ResultsPage } from './resultsPage';
import { SheetPage } from './sheetPage';
import { states } from './sheetStates';
import { usePages } from './webviewPage';

type Snapshot = Partial<Extract<ToWebview, { type: 'snapshot' }>>;

const edit: Ask = {
  ...bash,
  eventId: 'sevt_edit',
  tool: 'edit',
  input: json({ file_path: 'notes.md', old_string: 'a\nb', new_string: 'a\nc' }),
};
const thread = { id: 't2', name: 'Link checker', isPrimary: false, status: 'running', waiting: 1, archived: false };
const main = { ...thread, id: 't1', name: 'Main', isPrimary: true, waiting: 0 };

/** States of a session panel, by name. */
const sessions: Readonly<
  Record<
    string,
    {
      readonly rows: readonly Row[];
      readonly changes?: Snapshot;
      readonly press?: readonly string[];
      readonly tab?: string;
      readonly memory?: Record<string, string>;
    }
  >
> = {
  'every row': { rows: everyRow(), memory: { show: 'everything', details: 'yes' }, changes: { view: viewOf({ threads: [main, thread] }) } },
  nothing: { rows: [], changes: { view: viewOf({ title: '', state: 'idle' }) } },
  'a question': { rows: [toolRow(0)], changes: { view: viewOf({ state: 'waiting', asks: [bash] }) } },
  'several questions': {
    rows: [toolRow(0)],
    changes: { view: viewOf({ state: 'waiting', asks: [edit, bash, custom] }) },
    press: ['Deny with Reason... (R)'],
  },
  'a custom tool': { rows: [toolRow(0)], changes: { view: viewOf({ state: 'waiting', asks: [custom] }) } },
  'no connection': {
    rows: [messageRow(0, 'Hello')],
    changes: { connection: { name: 'reconnecting', retryInMs: 9000, problem: 'No answer.' }, canWrite: false },
  },
  'an end': { rows: [messageRow(0, 'Hello')], changes: { connection: { name: 'ended', reason: 'It was deleted.' } } },
  'the form of an outcome': { rows: [messageRow(0, 'Hello')], memory: { outcomeForm: 'yes' } },
  pictures: { rows: everyRow(), press: ['Charts'] },
  'long waits': { rows: longSession(), press: ['Charts'] },
  'pictures of tokens': { rows: everyRow(), press: ['Charts'], tab: 'Tokens' },
  'pictures of costs': { rows: everyRow(), press: ['Charts'], tab: 'Cost' },
  'the keys': { rows: [messageRow(0, 'Hello')], press: ['More', 'Keyboard Shortcuts'] },
  'a replay': { rows: everyRow(), changes: { isReplay: true, canWrite: false, connection: { name: 'offlineFile' } } },
};

describe('webview/axe, in dark, light and high contrast @ci', () => {
  usePages();

  for (const [name, { rows, changes, press = [], tab, memory }] of Object.entries(sessions)) {
    it(`finds no violations in a session that shows ${name}`, async () => {
      const panel = await PanelPage.open({ height: 2400, ...(memory && { kept: { memory } }) });
      await panel.show(rows, changes);
      await becomes(() => panel.page.evaluate(unfoldAll), 0);
      for (const label of press) {
        const [button, item] = (['button', 'menuitem'] as const).map(role => panel.page.getByRole(role, { name: label, exact: true }));
        await (item && button?.or(item))?.first().click();
      }
      if (tab !== undefined) {
        await panel.page.getByRole('tab', { name: tab, exact: true }).click();
      }
      await panel.rendered();
      await isFlawless(panel);
    });
  }

  it('finds no violations in the inbox: asks, a question, a removed one, and none', async () => {
    const inbox = await InboxPage.open();
    const entries = [entry('a', { problem: 'lab answered 500' }), entry('b', { ask: { ...custom, eventId: 'b' }, isPostponed: true })];
    const questions = [asked('q', 'I looked.\n\nWhich branch?'), asked('r')];
    await inbox.show(entries, { questions, byRules: 2, newest: 200 });
    for (const shown of ['Session of a', 'Session of b', 'Session of q']) {
      await inbox.page.locator('.inbox-item', { hasText: shown }).click();
      await inbox.pass(600);
      await isFlawless(inbox);
    }
    await inbox.show(entries, { left: [{ id: 'q', words: 'It no longer needs an answer.' }] });
    await isFlawless(inbox);
    await inbox.show([]);
    await isFlawless(inbox);
  });

  it('finds no violations in results, and in a request and its answer', async () => {
    const results = await ResultsPage.open();
    await results.show(30);
    await results.grid.focus();
    await results.page.keyboard.press('Enter');
    await results.serve(30);
    await isFlawless(results);
  });

  for (const name of ['full', 'errors', 'sending', 'hostile', 'estimate']) {
    it(`finds no violations in a sheet that is ${name}`, async () => {
      const sheet = await SheetPage.open({ height: 2400 });
      await sheet.show(states[name]);
      await isFlawless(sheet);
    });
  }
});
