import assert from 'node:assert/strict';
import type { ConnectionView } from '../../src/shared/session/sessionProtocol';
import type { SessionView } from '../../src/shared/session/sessionView';
import { bash } from './asks/asksPage';
import { becomes } from './eventually';
import { spokenTexts } from './inPanel.mjs';
import { viewOf } from './panelFixtures';
import { PanelPage } from './panelPage';
import { pictureThemes, usePages } from './webviewPage';

describe('webview/session/header', () => {
  usePages();
  let panel: PanelPage;

  it("shows the session's facts, usage and cost in one line, and the rest behind its chevron", async () => {
    await show({ view: full }, false);
    await becomes(() => panel.page.locator('.header-facts').count(), 0);
    await becomes(
      async () => (await panel.page.locator('.header-line').innerText()).split(/\s*\n\s*/),
      ['Running', 'Tidy up the release notes', 'Release helper', '$0.42 of $1.00', '1 min 30 s', 'Live'],
    );
    await panel.page.getByRole('button', { name: 'Show Session Details' }).click();
    const facts = await factsOf();
    assert.equal(facts.get('Agent'), 'Release helper · version 3 · model-small');
    assert.equal(facts.get('Active'), '1 min 1 s');
    assert.equal(facts.get('Tokens'), 'Input 12,400 · Output 2,310 · Cache read 90,100 · Cache write 4,000');
    assert.equal(facts.get('Budget'), '$1.00');
    assert.equal(facts.get('Environment'), 'env_01');
    assert.equal(facts.get('Created'), 'Jan 5, 2026, 9:30:00 AM');
    assert.equal(facts.get('Connection'), 'Emulator, 127.0.0.1');
    const kept = await panel.kept();
    panel = await PanelPage.open({ kept });
    await panel.show([], { view: full });
    await panel.page.getByRole('button', { name: 'Hide Session Details' }).click();
    await becomes(() => panel.page.locator('.header-facts').count(), 0);
  });

  it('stays one line high with any content', async () => {
    const title = 'A long title of a session in which very much is done '.repeat(3);
    for (const width of [300, 500, 1024]) {
      panel = await PanelPage.open({ width });
      await panel.show([], { view: viewOf({ ...full, title, state: 'waiting', isPartial: true }) });
      for (const [connection, words] of [
        [{ name: 'catchingUp', events: 48_000, isPartial: true }, 'Loading earlier events, 48,000 so far'],
        [{ name: 'polling', everySeconds: 10 }, 'Updated every 10 s'],
        [{ name: 'reconnecting', retryInMs: 90_000, problem: 'The service does not respond.' }, 'Reconnecting in 90 s'],
        [{ name: 'live' }, 'Live'],
      ] as const) {
        await panel.post({ type: 'amend', thread: '', splices: [], connection });
        await panel.page.locator('.header-connection-words', { hasText: words }).waitFor();
        await becomes(
          () =>
            panel.page.locator('.header').evaluate(header => {
              return header.getBoundingClientRect().height <= 32 && header.scrollWidth <= header.clientWidth;
            }),
          true,
        );
      }
      await panel.screenshot(`header-line-${width}`);
    }
    await panel.page.getByRole('button', { name: 'Show Session Details' }).click();
    await becomes(
      async () => [...(await factsOf()).keys()].filter(name => name.includes('loaded part')),
      ['Active time (loaded part)', 'Tokens (loaded part)'],
    );
  });

  it('shows a lower bound of the cost, and budgets of every shape', async () => {
    await show({});
    for (const [changes, cost, budget] of [
      [
        { tokens: { input: 5, output: undefined, cacheRead: 0, cacheWrite: 1 }, cost: { cents: 42, currency: 'USD' } },
        '≥ $0.42',
        undefined,
      ],
      [{ budget: { json: '{"type":"new"}' }, cost: { cents: 5, currency: 'USD' } }, '$0.05', '{"type":"new"}'],
      [{ budget: { cents: 50, currency: 'USD' }, cost: { cents: 60, currency: 'USD' } }, '$0.60 of $0.50', '$0.50'],
      [{ budget: { cents: 50, currency: 'USD' } }, '– of $0.50', '$0.50'],
      [{ cost: { cents: 5, currency: 'gold<b>' } }, '0.05 gold<b>', undefined],
    ] as const) {
      await panel.post({ type: 'amend', thread: '', splices: [], view: viewOf(changes) });
      await panel.rendered();
      await becomes(() => panel.page.getByTitle('Cost').innerText(), cost);
      await becomes(async () => (await factsOf()).get('Budget'), budget);
    }
  });

  it('opens the agent and copies IDs unchanged', async () => {
    await show({ view: viewOf({ id: 'sesn_\u202e1' }) });
    await panel.page.getByRole('button', { name: 'Release helper' }).click();
    await panel.page.getByRole('button', { name: 'Copy Session ID' }).click();
    await becomes(async () => (await panel.posted('openAgent')).length, 1);
    await becomes(() => panel.posted('copyText'), [{ type: 'copyText', text: 'sesn_\u202e1' }]);
  });

  it('shows attached resources and opens where they are changed', async () => {
    await show({ view: viewOf({ vaults: ['vlt_1'], budget: { cents: 100, currency: 'USD' } }) });
    await becomes(async () => (await factsOf()).get('Resources')?.startsWith('2 attached'), true);
    await panel.page.locator('.header-list summary').first().click();
    await panel.page.getByText('/workspace/notes.md').waitFor();
    await panel.page.getByText('vlt_1').waitFor();
    await panel.page.getByRole('button', { name: 'Session Resources...' }).press('Enter');
    await panel.page.getByRole('button', { name: 'Change Budget...' }).press('Space');
    await becomes(() => panel.posted('manageResources'), [{ type: 'manageResources' }]);
    await becomes(() => panel.posted('changeBudget'), [{ type: 'changeBudget' }]);
    await panel.post({ type: 'amend', thread: '', splices: [], view: viewOf({ resources: [] }) });
    await becomes(async () => (await factsOf()).get('Resources'), 'none');
  });

  it("opens and downloads the session's files", async () => {
    const bad = 'a\u202e.md';
    await show({
      view: viewOf({
        createdFiles: [
          { id: 'file_1', name: 'report.md', bytes: 1234 },
          { id: 'file_2', name: bad, bytes: undefined },
        ],
      }),
    });
    const made = panel.page.locator('.header-fact', { hasText: 'Output files' });
    await made.locator('summary').click();
    await made.getByText('1.2 KB').waitFor();
    await made.getByRole('button', { name: 'Open report.md' }).click();
    await made.getByRole('button', { name: 'Download a\\u{202e}.md' }).click();
    await becomes(() => panel.posted('openCreatedFile'), [{ type: 'openCreatedFile', id: 'file_1' }]);
    await becomes(() => panel.posted('downloadCreatedFile'), [{ type: 'downloadCreatedFile', id: 'file_2' }]);
  });

  it('lists the threads with their states and costs', async () => {
    const thread = { status: 'idle', waiting: 0, archived: false };
    await show({
      view: viewOf({
        threads: [
          { ...thread, id: 'm', name: 'Main', isPrimary: true, status: 'running', cost: { cents: 12, currency: 'USD' } },
          { ...thread, id: 'c', name: 'Searcher', isPrimary: false, waiting: 2 },
          { ...thread, id: 'd', name: '', isPrimary: false, archived: true },
        ],
      }),
    });
    const threads = panel.page.locator('.header-fact', { hasText: 'Threads' });
    await threads.locator('summary').click();
    await becomes(() => threads.locator('li').allTextContents(), ['Main Running · $0.12', 'Searcher Idle', 'd Archived']);
  });

  it('offers no changes of an exported file', async () => {
    await show({ view: { ...full, createdFiles: [{ id: 'file_1', name: 'report.md', bytes: 5 }] }, connection: { name: 'offlineFile' } });
    await becomes(async () => (await factsOf()).get('Output files'), '1report.md 5 B');
    for (const name of ['Session Resources...', 'Change Budget...', 'Open report.md', 'Download report.md']) {
      await becomes(() => panel.page.getByRole('button', { name }).count(), 0);
    }
  });

  it('counts down to the next attempt and can retry at once', async () => {
    await show({ connection: { name: 'reconnecting', retryInMs: 1500, problem: '503 from 127.0.0.1' } });
    const connection = panel.page.locator('.header-connection');
    await panel.page.getByText('Reconnecting in 2 s').waitFor();
    await panel.pass(1000);
    await panel.page.getByText('Reconnecting in 1 s').waitFor();
    await becomes(
      () => connection.locator('.header-connection-words').getAttribute('title'),
      'The connection was lost: 503 from 127.0.0.1',
    );
    await becomes(async () => (await factsOf()).get('Connection'), 'Emulator, 127.0.0.1 The connection was lost: 503 from 127.0.0.1');
    await panel.page.getByRole('button', { name: 'Try Now' }).click();
    await becomes(async () => (await panel.posted('retryNow')).length, 1);
    await panel.pass(1000);
    await connection.getByText('Reconnecting…').waitFor();
    await panel.screenshot('header-lost');
  });

  it('shows the connection state', async () => {
    await show({});
    const words = panel.page.locator('.header-connection');
    for (const [connection, expected] of [
      [{ name: 'connecting' }, 'Connecting…'],
      [{ name: 'catchingUp', events: 1234 }, 'Catching up (1,234)'],
      [{ name: 'polling', everySeconds: 15 }, 'Updated every 15 s'],
      [{ name: 'polling', everySeconds: 10 }, 'Updated every 10 s'],
      [{ name: 'ended', reason: 'The session was deleted.' }, 'EndedTry Now'],
      [{ name: 'offlineFile' }, 'Exported file'],
    ] as const) {
      await panel.post({ type: 'amend', thread: '', splices: [], connection });
      await panel.rendered();
      await becomes(() => words.textContent(), expected);
    }
  });

  it('shows the state in words', async () => {
    await show({});
    for (const [state, expected, changes] of [
      ['waiting', 'Needs you', {}],
      ['waiting', 'Needs approval', { asks: [bash] }],
      ['idle', 'Done', { rest: { kind: 'done' } }],
      ['idle', 'Out of budget', { rest: { kind: 'budget' } }],
      ['idle', 'Needs you', { rest: { kind: 'asked', eventId: 'event_1' } }],
      ['idle', 'Failed', { rest: { kind: 'refused', category: 'cyber', explanation: 'Declined.' } }],
      ['idle', 'Outcome satisfied', { rest: { kind: 'judged', result: 'satisfied' } }],
      ['idle', 'Outcome not satisfied', { rest: { kind: 'judged', result: 'max_iterations_reached' } }],
      ['failed', 'Failed', { rest: { kind: 'failed', message: 'Too long' } }],
      ['rescheduling', 'Running', {}],
      ['terminated', 'Failed', {}],
      ['archived', 'Archived', {}],
      ['deleted', 'Deleted', {}],
      ['other', 'dreaming\\u{202e}', { status: 'dreaming\u202e' }],
    ] as const) {
      await panel.post({ type: 'amend', thread: '', splices: [], view: viewOf({ state, ...changes }) });
      await panel.rendered();
      await becomes(() => panel.page.locator('.header-state').textContent(), expected);
    }
    await panel.post({
      type: 'amend',
      thread: '',
      splices: [],
      view: viewOf({ state: 'failed', rest: { kind: 'failed', message: 'Too long' } }),
    });
    await becomes(() => panel.page.locator('.header-state').getAttribute('title'), 'Too long');
  });

  it('keeps counting while the session runs', async () => {
    await show({ view: viewOf({ durationSeconds: 5, activeSeconds: 3 }) });
    await panel.pass(1000);
    await becomes(elapsed, '6 s');
    await becomes(async () => (await factsOf()).get('Active'), '4 s');
  });

  it('counts nothing while the panel is hidden', async () => {
    await show({ view: viewOf({ durationSeconds: 5 }) });
    await hide(true);
    await panel.pass(5000);
    await panel.stays(elapsed, '5 s');
    await hide(false);
    await becomes(elapsed, '10 s');
    await panel.pass(1000);
    await becomes(elapsed, '11 s');
  });

  it('announces a change of state and a lost connection', async () => {
    await show({});
    await panel.page.evaluate(spokenTexts);
    await panel.post({ type: 'amend', thread: '', splices: [], view: viewOf({ state: 'idle' }) });
    await panel.says('Done');
    await panel.post({ type: 'amend', thread: '', splices: [], connection: { name: 'reconnecting', retryInMs: 0, problem: 'x' } });
    await panel.says('Connection lost');
  });

  it('shows hostile text literally', async () => {
    const bad = '<img src=x onerror=alert(1)>\u202egnp.exe\u001b[31m';
    await show({
      view: viewOf({
        title: bad,
        agent: { id: 'a', name: bad, version: undefined, model: bad },
        outcomes: [{ id: 'o', description: bad, result: bad, iteration: 1, explanation: `${bad}\nsecond line` }],
        resources: [{ type: bad, name: bad, mountPath: bad }],
      }),
    });
    await panel.page.locator('.header-list summary').first().click();
    await becomes(() => panel.page.locator('.header img').count(), 0);
    const text = (await panel.page.locator('.header').textContent()) ?? '';
    assert.ok(!text.includes('\u202e') && !text.includes('\u001b'));
  });

  for (const theme of pictureThemes) {
    it(`has a picture in ${theme}`, async () => {
      panel = await PanelPage.open({ theme, kept: { memory: { details: 'yes' } } });
      const createdFiles = [
        { id: 'file_1', name: 'report.md', bytes: 1234 },
        { id: 'file_2', name: 'chart.png', bytes: 88_000 },
      ];
      await panel.show([], { view: { ...full, createdFiles, state: 'waiting' } });
      for (const list of await panel.page.locator('.header-list summary').all()) {
        await list.click();
      }
      await panel.screenshot(`header-${theme}`);
    });
  }

  function elapsed(): Promise<string> {
    return panel.page.getByTitle('Elapsed').innerText();
  }

  async function show(changes: { view?: SessionView; connection?: ConnectionView }, isOpen = true): Promise<void> {
    panel = await PanelPage.open({ isClockHeld: true, ...(isOpen && { kept: { memory: { details: 'yes' } } }) });
    await panel.show([], changes);
  }

  async function hide(isHidden: boolean): Promise<void> {
    await panel.page.evaluate(value => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
  }

  async function factsOf(): Promise<ReadonlyMap<string, string>> {
    const all = await panel.page
      .locator('.header-fact')
      .evaluateAll(facts =>
        facts.map(fact => [fact.querySelector('dt')?.textContent ?? '', fact.querySelector('dd')?.textContent ?? ''] as const),
      );
    return new Map(all);
  }
});

const full = viewOf({
  cost: { cents: 42, currency: 'USD' },
  budget: { cents: 100, currency: 'USD' },
  outcomes: [
    {
      id: 'o1',
      description: 'The release notes name every change',
      result: 'satisfied',
      iteration: 2,
      explanation: 'Every change since 1.3 is named,\nand each has a link.',
    },
    { id: 'o2', description: 'No link is broken', result: 'max_iterations_reached', iteration: 3, explanation: '' },
  ],
  resources: [
    { type: 'file', name: 'notes.md', mountPath: '/workspace/notes.md' },
    { type: 'git_repository', name: 'github.com/example/project', mountPath: '/workspace/project' },
    { type: 'memory_store', name: 'Team notes', mountPath: '/mnt/memory/notes' },
  ],
  vaults: ['vlt_011CZ'],
});
