import assert from 'node:assert/strict';
import type { ConnectionView } from '../../src/shared/session/sessionProtocol';
import type { SessionView } from '../../src/shared/session/sessionView';
import { becomes } from './eventually';
import { spokenTexts } from './inPanel.mjs';
import { viewOf } from './panelFixtures';
import { PanelPage } from './panelPage';
import { pictureThemes, usePages } from './webviewPage';

describe('webview/session/header', () => {
  usePages();
  let panel: PanelPage;

  it('tells what the session is, uses and costs', async () => {
    await show({ view: full });
    const facts = await factsOf();
    assert.equal(facts.get('Agent'), 'Release helper · version 3');
    assert.equal(facts.get('Model'), 'model-small');
    assert.equal(facts.get('Elapsed'), '1 min 30 s');
    assert.equal(facts.get('Active'), '1 min 1 s');
    assert.equal(facts.get('Tokens'), '12,400 input2,310 output90,100 cache read4,000 cache write');
    assert.equal(facts.get('Cost'), '$0.42 of $1.00 42%');
    assert.equal(facts.get('Environment'), 'env_01');
    assert.equal(facts.get('Created'), 'Jan 5, 2026, 9:30:00 AM');
    assert.equal(facts.get('Connection'), 'Emulator, 127.0.0.1');
    await becomes(() => panel.page.locator('.header-state').textContent(), 'Running');
    await becomes(() => panel.page.locator('.header-connection').textContent(), 'Live');
  });

  it('takes two lines at most where the panel is narrow, and says what is read', async () => {
    panel = await PanelPage.open({ width: 500 });
    const title = 'A long title of a session in which very much is done '.repeat(3);
    await panel.show([], { view: viewOf({ ...full, title, state: 'waiting', isPartial: true }) });
    for (const [connection, words] of [
      [{ name: 'catchingUp', events: 48_000, isPartial: true }, 'Loading earlier events, 48,000 so far'],
      [{ name: 'catchingUp', events: 48_000 }, 'Catching up, 48,000 events'],
      [{ name: 'polling', everySeconds: 10, isStalled: true }, 'Updated every 10 s: the stream does not begin'],
      [{ name: 'reconnecting', retryInMs: 90_000, problem: 'The service does not answer.' }, 'Reconnecting in 90 s'],
      [{ name: 'live' }, 'Live'],
    ] as const) {
      await panel.post({ type: 'amend', thread: '', splices: [], connection });
      await panel.page.locator('.header-connection-words', { hasText: words }).waitFor();
      await becomes(
        () =>
          panel.page.locator('.header').evaluate(header => {
            const lines = [...header.querySelectorAll('.header-line > *')].map(element => element.getBoundingClientRect());
            const middles = new Set(lines.map(({ top, height }) => Math.round((top + height / 2) / 12)));
            return middles.size <= 2 && header.getBoundingClientRect().height <= 66 && header.scrollWidth <= header.clientWidth;
          }),
        true,
      );
    }
    await panel.screenshot('header-two-lines');
    await panel.page.getByRole('button', { name: 'Show Session Details' }).click();
    await becomes(
      async () => [...(await factsOf()).keys()].filter(name => name.includes('part read')),
      ['Active, of the part read', 'Tokens, of the part read'],
    );
  });

  it('names what was not told, and says of a cost that it is at least so much', async () => {
    await show({
      view: viewOf({
        tokens: { input: 5, output: undefined, cacheRead: 0, cacheWrite: undefined },
        cost: { cents: 42, currency: 'USD' },
        durationSeconds: undefined,
        createdAt: undefined,
        activeSeconds: undefined,
      }),
    });
    const facts = await factsOf();
    assert.equal(facts.get('Tokens'), '5 inputnot told output0 cache readnot told cache write');
    assert.equal(facts.get('Cost'), '≥ $0.42');
    assert.equal(facts.get('Elapsed'), 'not told');
    assert.equal(facts.get('Active'), 'not told');
  });

  it('shows costs and budgets of every shape', async () => {
    await show({});
    for (const [changes, told] of [
      [{ budget: { json: '{"type":"new"}' }, cost: { cents: 5, currency: 'USD' } }, '$0.05 budget {"type":"new"}'],
      [{ budget: { cents: 50, currency: 'USD' }, cost: { cents: 60, currency: 'USD' } }, '$0.60 of $0.50 120%, used up'],
      [{ budget: { cents: 50, currency: 'USD' } }, 'not told of $0.50 '],
      [{ cost: { cents: 5, currency: 'gold<b>' } }, '0.05 gold<b>'],
    ] as const) {
      await panel.post({ type: 'amend', thread: '', splices: [], view: viewOf(changes) });
      await panel.drawn();
      await becomes(async () => (await factsOf()).get('Cost'), told);
    }
  });

  it('tells the share of the budget to those who do not see the bar', async () => {
    await show({ view: full });
    const meter = panel.page.getByRole('meter', { name: 'Cost against the budget' });
    await becomes(() => meter.getAttribute('aria-valuetext'), '$0.42 of $1.00, 42%');
  });

  it('opens the agent and copies ids as they are', async () => {
    await show({ view: viewOf({ id: 'sesn_\u202e1' }) });
    await panel.page.getByRole('button', { name: 'Release helper · version 3' }).click();
    await panel.page.getByRole('button', { name: 'Copy Session Id' }).click();
    await becomes(async () => (await panel.posted('openAgent')).length, 1);
    await becomes(() => panel.posted('copyText'), [{ type: 'copyText', text: 'sesn_\u202e1' }]);
  });

  it('shows what is attached and leads to where it is changed', async () => {
    await show({ view: viewOf({ vaults: ['vlt_1'], budget: { cents: 100, currency: 'USD' } }) });
    await becomes(async () => (await factsOf()).get('Resources')?.startsWith('2 attached'), true);
    await panel.page.locator('.header-resources summary').first().click();
    await panel.page.getByText('/workspace/notes.md').waitFor();
    await panel.page.getByText('vlt_1').waitFor();
    await panel.page.getByRole('button', { name: 'Session Resources…' }).press('Enter');
    await panel.page.getByRole('button', { name: 'Change Budget…' }).press('Space');
    await becomes(() => panel.posted('manageResources'), [{ type: 'manageResources' }]);
    await becomes(() => panel.posted('changeBudget'), [{ type: 'changeBudget' }]);
    await panel.post({ type: 'amend', thread: '', splices: [], view: viewOf({ resources: [] }) });
    await becomes(async () => (await factsOf()).get('Resources'), 'none');
  });

  it('opens and downloads what the session made', async () => {
    const bad = 'a\u202e.md';
    await show({
      view: viewOf({
        made: [
          { id: 'file_1', name: 'report.md', bytes: 1234 },
          { id: 'file_2', name: bad, bytes: undefined },
        ],
      }),
    });
    const made = panel.page.locator('.header-fact', { hasText: 'Made' });
    await made.locator('summary').click();
    await made.getByText('1.2 KB').waitFor();
    await made.getByRole('button', { name: 'Open report.md' }).click();
    await made.getByRole('button', { name: 'Download a\\u{202e}.md' }).click();
    await becomes(() => panel.posted('openMadeFile'), [{ type: 'openMadeFile', id: 'file_1' }]);
    await becomes(() => panel.posted('downloadMadeFile'), [{ type: 'downloadMadeFile', id: 'file_2' }]);
  });

  it('lists the threads with their states and costs', async () => {
    const thread = { parent: undefined, status: 'idle', waiting: 0, archived: false };
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
    await becomes(
      () => threads.locator('li').allTextContents(),
      ['Main Running · $0.12', 'Searcher Idle · 2 waiting for you', 'd Archived'],
    );
  });

  it('offers nothing to change of an exported file', async () => {
    await show({ view: { ...full, made: [{ id: 'file_1', name: 'report.md', bytes: 5 }] }, connection: { name: 'offlineFile' } });
    await becomes(async () => (await factsOf()).get('Made'), 'report.md 5 B');
    for (const name of ['Session Resources…', 'Change Budget…', 'Open report.md', 'Download report.md']) {
      await becomes(() => panel.page.getByRole('button', { name }).count(), 0);
    }
  });

  it('counts down to the next attempt and can try at once', async () => {
    await show({ connection: { name: 'reconnecting', retryInMs: 1500, problem: '503 from 127.0.0.1' } });
    const connection = panel.page.locator('.header-connection');
    await panel.page.getByText('Reconnecting in 2 s').waitFor();
    await panel.pass(1000);
    await panel.page.getByText('Reconnecting in 1 s').waitFor();
    await panel.page.getByText('The connection was lost: 503 from 127.0.0.1').waitFor();
    await panel.page.getByRole('button', { name: 'Try Now' }).click();
    await becomes(async () => (await panel.posted('retryNow')).length, 1);
    await panel.pass(1000);
    await connection.getByText('Reconnecting…').waitFor();
    // One place tells it, also where the details are folded.
    for (const fold of ['Hide Session Details', 'Show Session Details']) {
      await becomes(() => connection.allTextContents(), ['Reconnecting…The connection was lost: 503 from 127.0.0.1Try Now']);
      await becomes(async () => (await panel.page.locator('main').innerText()).match(/lost|Reconnecting/g)?.length, 2);
      await panel.page.getByRole('button', { name: fold }).click();
    }
    await panel.screenshot('header-lost');
  });

  it('says how it is connected', async () => {
    await show({});
    const words = panel.page.locator('.header-connection');
    for (const [connection, expected] of [
      [{ name: 'connecting' }, 'Connecting…'],
      [{ name: 'catchingUp', events: 1234 }, 'Catching up, 1,234 events'],
      [{ name: 'polling', everySeconds: 15 }, 'Updated every 15 s: this service does not stream'],
      [{ name: 'polling', everySeconds: 10, isStalled: true }, 'Updated every 10 s: the stream does not begin'],
      [{ name: 'ended', reason: 'The session was deleted.' }, 'EndedThe session was deleted.Try Now'],
      [{ name: 'offlineFile' }, 'Exported file'],
    ] as const) {
      await panel.post({ type: 'amend', thread: '', splices: [], connection });
      await panel.drawn();
      await becomes(() => words.textContent(), expected);
    }
  });

  it('says the state in words', async () => {
    await show({});
    for (const [state, expected, changes] of [
      ['waiting', 'Waits for You', {}],
      ['idle', 'Idle', { rest: { kind: 'done' } }],
      ['idle', 'Idle: budget reached', { rest: { kind: 'budget' } }],
      ['idle', 'Idle: asked a question', { rest: { kind: 'asked', eventId: 'event_1' } }],
      ['idle', 'Idle: refused (cyber): Declined.', { rest: { kind: 'refused', category: 'cyber', explanation: 'Declined.' } }],
      ['failed', 'Failed: Too long', { rest: { kind: 'failed', message: 'Too long' } }],
      ['rescheduling', 'Rescheduling', {}],
      ['terminated', 'Terminated', {}],
      ['archived', 'Archived', {}],
      ['deleted', 'Deleted', {}],
      ['other', 'dreaming\\u{202e}', { status: 'dreaming\u202e' }],
    ] as const) {
      await panel.post({ type: 'amend', thread: '', splices: [], view: viewOf({ state, ...changes }) });
      await panel.drawn();
      await becomes(() => panel.page.locator('.header-state').textContent(), expected);
    }
  });

  it('goes on counting while the session runs', async () => {
    await show({ view: viewOf({ durationSeconds: 5, activeSeconds: 3 }) });
    await panel.pass(1000);
    await becomes(async () => (await factsOf()).get('Elapsed'), '6 s');
    await becomes(async () => (await factsOf()).get('Active'), '4 s');
  });

  it('counts nothing while the panel cannot be seen', async () => {
    await show({ view: viewOf({ durationSeconds: 5 }) });
    const elapsed = async () => (await factsOf()).get('Elapsed');
    await hide(true);
    await panel.pass(5000);
    await panel.stays(elapsed, '5 s');
    await hide(false);
    await becomes(elapsed, '10 s');
    await panel.pass(1000);
    await becomes(elapsed, '11 s');
  });

  it('says a change of the state and a lost connection aloud', async () => {
    await show({});
    await panel.page.evaluate(spokenTexts);
    await panel.post({ type: 'amend', thread: '', splices: [], view: viewOf({ state: 'idle' }) });
    await panel.says('Idle');
    await panel.post({ type: 'amend', thread: '', splices: [], connection: { name: 'reconnecting', retryInMs: 0, problem: 'x' } });
    await panel.says('Connection lost');
  });

  it('folds to one line and stays folded', async () => {
    await show({ view: full });
    await panel.page.getByRole('button', { name: 'Hide Session Details' }).click();
    await becomes(() => panel.page.locator('.header-facts').count(), 0);
    const box = await panel.page.locator('.header').boundingBox();
    assert.ok(box !== null && box.height < 45, String(box?.height));
    const kept = await panel.kept();
    panel = await PanelPage.open({ kept });
    await panel.show([], { view: full });
    await becomes(() => panel.page.locator('.header-facts').count(), 0);
    await panel.page.getByRole('button', { name: 'Show Session Details' }).waitFor();
  });

  it('shows hostile words as words', async () => {
    const bad = '<img src=x onerror=alert(1)>\u202egnp.exe\u001b[31m';
    await show({
      view: viewOf({
        title: bad,
        agent: { id: 'a', name: bad, version: undefined, model: bad },
        outcomes: [{ id: 'o', description: bad, result: bad, iteration: 1, explanation: `${bad}\nsecond line` }],
        resources: [{ type: bad, name: bad, mountPath: bad }],
      }),
    });
    await panel.page.locator('.header-outcome summary').click();
    await becomes(() => panel.page.locator('.header img').count(), 0);
    const text = (await panel.page.locator('.header').textContent()) ?? '';
    assert.ok(!text.includes('\u202e') && !text.includes('\u001b'));
  });

  it('fits a narrow panel', async () => {
    panel = await PanelPage.open({ width: 300 });
    await panel.show([], { view: full, connection: { name: 'reconnecting', retryInMs: 9000, problem: 'no route to host' } });
    await becomes(() => panel.page.locator('.header').evaluate(header => header.scrollWidth), 300);
    await panel.screenshot('header-narrow');
  });

  for (const theme of pictureThemes) {
    it(`can be looked at in ${theme}`, async () => {
      panel = await PanelPage.open({ theme });
      const made = [
        { id: 'file_1', name: 'report.md', bytes: 1234 },
        { id: 'file_2', name: 'chart.png', bytes: 88_000 },
      ];
      await panel.show([], { view: { ...full, made, state: 'waiting' } });
      await panel.page.locator('.header-outcome summary').first().click();
      await panel.page.locator('.header-resources summary').first().click();
      await panel.page.locator('.header-resources summary').nth(1).click();
      await panel.screenshot(`header-${theme}`);
      const message = 'You have reached your specified workspace API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.';
      await panel.post({ type: 'amend', thread: '', splices: [], view: viewOf({ state: 'failed', rest: { kind: 'failed', message } }) });
      await panel.page.getByText(message).waitFor();
      await panel.screenshot(`header-failed-${theme}`);
    });
  }

  async function show(changes: { view?: SessionView; connection?: ConnectionView }): Promise<void> {
    panel = await PanelPage.open({ isClockHeld: true });
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
