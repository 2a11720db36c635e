import type { Row, RowSplice } from '../../src/shared/session/rows/rows';
import type { PanelState } from '../../src/shared/session/sessionProtocol';
import type { SessionView } from '../../src/shared/session/sessionView';
import { becomes } from './eventually';
import { messageRow, toolRow, viewOf } from './panelFixtures';
import { PanelPage } from './panelPage';
import { type PageOptions, pictureThemes, usePages } from './webviewPage';

describe('webview/session/replay', () => {
  usePages();
  let panel: PanelPage;

  it('starts with the whole session, and has no composer', async () => {
    await show();
    await becomes(() => position(), 'Event 8 of 8 · Jan 5, 2026, 9:30:07 AM');
    await becomes(() => slider().inputValue(), '7');
    await becomes(() => panel.page.getByRole('textbox', { name: 'Message to the agent' }).count(), 0);
    await becomes(() => button('Next Event (])').isDisabled(), true);
  });

  it('steps by event, message and error, with buttons and keys', async () => {
    await show();
    for (const [press, expected] of [
      ['[', 'Event 7 of 8'],
      ['[', 'Event 6 of 8'],
      ['{', 'Event 5 of 8'],
      ['(', 'Event 4 of 8'],
      ['{', 'Event 1 of 8'],
      ['[', 'Event 1 of 8'],
      [')', 'Event 4 of 8'],
      ['}', 'Event 5 of 8'],
      [']', 'Event 6 of 8'],
    ] as const) {
      await panel.page.keyboard.press(press);
      await panel.page.locator('.replay-position', { hasText: expected }).waitFor();
    }
    await button('Next Event (])').click();
    await panel.page.locator('.replay-position', { hasText: 'Event 7 of 8' }).waitFor();
    await button('Previous Message ({)').click();
    await panel.page.locator('.replay-position', { hasText: 'Event 5 of 8' }).waitFor();
    await becomes(async () => (await panel.posted('viewAt')).map(({ seq }) => seq), [6, 5, 4, 3, 0, 3, 4, 5, 6, 4]);
  });

  it('shows the timeline of that moment', async () => {
    await show();
    await panel.page.getByText('All links work.').waitFor();
    await slider().fill('1');
    await becomes(() => panel.posted('viewAt'), [{ type: 'viewAt', thread: '', seq: 1 }]);
    await amend({ at: 2, remove: 4, rows: [] }, viewOf({ state: 'running' }));
    await panel.page.getByText('All links work.').waitFor({ state: 'detached' });
    await panel.page.getByText('Please check the links.').waitFor();
    await becomes(() => slider().getAttribute('aria-valuetext'), 'Event 2 of 8, Jan 5, 2026, 9:30:01 AM');
    await panel.page.locator('.header-state', { hasText: 'Running' }).waitFor();
    await slider().focus();
    await panel.page.keyboard.press('End');
    await becomes(async () => (await panel.posted('viewAt')).map(({ seq }) => seq), [1, 7]);
    await amend({ at: 2, remove: 0, rows: session.slice(2) }, viewOf({ state: 'idle' }));
    await panel.page.getByText('All links work.').waitFor();
  });

  it('counts only what existed then, in the header and in the pictures', async () => {
    await show();
    const errors = panel.page.getByRole('option', { name: 'Errors only (1)' });
    await becomes(() => errors.count(), 1);
    await panel.page.getByRole('button', { name: 'Charts' }).click();
    await panel.page.getByRole('tab', { name: 'Tools' }).click();
    const calls = () => panel.page.locator('.pictures-table tbody tr').first().locator('td').allTextContents();
    await becomes(async () => (await calls()).slice(0, 3), ['2', '0', '1']);
    await slider().fill('2');
    await amend({ at: 2, remove: 4, rows: [toolRow(2, { state: 'running' })] }, viewOf({ state: 'running', durationSeconds: 63 }));
    await becomes(() => errors.count(), 0);
    await becomes(async () => (await calls()).slice(0, 3), ['1', '1', '0']);
    await becomes(() => panel.page.getByTitle('Elapsed').innerText(), '1 min 3 s');
  });

  it('ignores keys in text fields', async () => {
    await show();
    await panel.page
      .getByRole('textbox', { name: /Search/ })
      .or(panel.page.getByRole('searchbox'))
      .first()
      .focus();
    await panel.page.keyboard.type('[x]');
    await panel.stays(() => panel.posted('viewAt'), []);
  });

  it('plays to the end and stops there, and restarts from there', async () => {
    await show({ motion: 'full' });
    await panel.page.getByRole('combobox', { name: 'Speed' }).selectOption('200');
    await button('Play').click();
    await panel.page.locator('.replay-position', { hasText: 'Event 8 of 8' }).waitFor();
    await button('Play').waitFor();
    await becomes(async () => (await panel.posted('viewAt')).map(({ seq }) => seq), [0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('pauses on request, and when the user steps', async () => {
    await show();
    await slider().fill('0');
    await button('Play').click();
    await button('Pause').click();
    await button('Play').waitFor();
    await button('Play').click();
    await panel.page.keyboard.press(']');
    await button('Play').waitFor();
  });

  for (const theme of pictureThemes) {
    it(`fits a narrow panel in ${theme}`, async () => {
      await show({ theme });
      await panel.page.keyboard.press('[');
      await panel.rendered();
      await panel.screenshot(`replay-${theme}`);
      await panel.page.setViewportSize({ width: 300, height: 600 });
      await panel.rendered();
      await becomes(() => panel.page.locator('.replay').evaluate(element => element.scrollWidth), 300);
      await panel.screenshot(`replay-narrow-${theme}`);
    });
  }

  async function show(options: PageOptions<PanelState> = {}): Promise<void> {
    panel = await PanelPage.open({ isClockHeld: true, ...options, fromHost: { file: '/session.jsonl' } });
    await panel.show(session, {
      ...{ isReplay: true, canWrite: false, connection: { name: 'offlineFile' }, source: 'session.jsonl' },
      view: viewOf({ state: 'idle' }),
    });
  }

  /** Sends the message that the host sends after a step. */
  async function amend(splice: RowSplice, view: SessionView): Promise<void> {
    await panel.post({ type: 'amend', thread: '', splices: [splice], view });
  }

  function slider() {
    return panel.page.getByRole('slider', { name: 'Position' });
  }

  function button(name: string) {
    return panel.page.getByRole('button', { name, exact: true });
  }

  async function position(): Promise<string> {
    return (await panel.page.locator('.replay-position').textContent()) ?? '';
  }
});

const at = Date.UTC(2026, 0, 5, 9, 30);
/** Eight events: a message, a tool that fails in the fourth event, another message, and a tool that ends in the last event. */
const session: readonly Row[] = [
  messageRow(0, 'Please check the links.', { kind: 'user' }),
  { ...messageRow(1, ''), kind: 'status', type: 'session.status_running', summary: 'Running', status: 'running' },
  toolRow(2, { state: 'failed', result: { parts: [], isError: true, seq: 3, at: at + 3000 } }),
  messageRow(4, 'One more look.'),
  toolRow(5, { result: { parts: [], isError: false, seq: 7, at: at + 7000 } }),
  messageRow(6, 'All links work.', { kind: 'system' }),
];
