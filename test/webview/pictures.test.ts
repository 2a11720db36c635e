import assert from 'node:assert/strict';
import type { Row } from '../../src/shared/session/rows/rows';
import type { PanelState } from '../../src/shared/session/sessionProtocol';
import type { SessionView } from '../../src/shared/session/sessionView';
import { becomes, eventually } from './eventually';
import { spokenTexts } from './inPanel.mjs';
import { longSession } from './longSession';
import { messageRow, toolRow, viewOf } from './panelFixtures';
import { PanelPage } from './panelPage';
import { type PageOptions, pictureThemes, usePages } from './webviewPage';

const start = Date.UTC(2026, 0, 5, 9, 30);

describe('webview/session/pictures', () => {
  usePages();
  let panel: PanelPage;

  it('describes the segment under the pointer, and goes to its row on click', async () => {
    await show(session());
    const box = await lanes().boundingBox();
    assert.ok(box !== null);
    // The tool of the main thread runs from second 10 to 20 of 60. The axis above it is 18 pixels high.
    const at = { x: (box.width * 15) / 60, y: 29 };
    await lanes().hover({ position: at });
    await becomes(() => panel.page.getByRole('tooltip').textContent(), 'tool: bash, 10 s');
    await lanes().click({ position: at });
    await panel.page.locator('.timeline :focus').first().waitFor();
    await eventually(async () => assert.match((await panel.page.locator('.timeline :focus').first().textContent()) ?? '', /bash/));
    await panel.screenshot('pictures-selected');
  });

  it('keeps the description of a running segment up to date under a resting pointer', async () => {
    const rows = (seconds: number) => [
      ...session().slice(0, 3),
      { ...toolRow(10), at: start + 10_000, state: 'running' as const, result: undefined, durationMs: undefined },
      { ...messageRow(seconds, 'Still at it.'), at: start + seconds * 1000 },
    ];
    await show(rows(20));
    const box = await lanes().boundingBox();
    assert.ok(box !== null);
    await lanes().hover({ position: { x: box.width * 0.9, y: 29 } });
    const tooltip = panel.page.getByRole('tooltip');
    await becomes(() => tooltip.textContent(), 'tool: bash, 10 s');
    await panel.show(rows(25), { view: viewOf({ threads }) });
    await becomes(() => tooltip.textContent(), 'tool: bash, 15 s');
  });

  it('is navigable by keyboard, and announces each segment', async () => {
    await show(session(), {}, { isClockHeld: true });
    await panel.page.evaluate(spokenTexts);
    await lanes().focus();
    for (const [key, said] of [
      ['ArrowRight', 'model, 8 s, Main'],
      ['ArrowRight', 'tool: bash, 10 s, Main'],
      ['ArrowRight', 'waiting for you: bash, 20 s, Main'],
      ['ArrowDown', 'tool: read, 15 s, Link checker'],
      ['ArrowUp', 'waiting for you: bash, 20 s, Main'],
      ['End', 'idle, 8 s, Main'],
      ['Home', 'model, 8 s, Main'],
    ] as const) {
      await panel.page.keyboard.press(key);
      await panel.pass(400);
      await becomes(async () => (await panel.spoken()).split('\n').at(-1), said);
    }
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.keyboard.press('Enter');
    await panel.page.locator('.timeline :focus').first().waitFor();
    await eventually(async () => assert.match((await panel.page.locator('.timeline :focus').first().textContent()) ?? '', /bash/));
  });

  it('zooms and moves by wheel, drag, keys and buttons, and resets', async () => {
    await show(session());
    const fit = panel.page.getByRole('button', { name: 'Show All', exact: true });
    await becomes(() => fit.isDisabled(), true);
    const whole = await picture();
    const box = await lanes().boundingBox();
    assert.ok(box !== null);
    await panel.page.mouse.move(box.x + box.width / 2, box.y + 30);
    await panel.page.keyboard.down('Control');
    await panel.page.mouse.wheel(0, -300);
    await panel.page.keyboard.up('Control');
    await changedFrom(whole);
    await becomes(() => fit.isEnabled(), true);
    const zoomed = await picture();
    await panel.page.mouse.down();
    await panel.page.mouse.move(box.x + box.width / 2 - 100, box.y + 30, { steps: 4 });
    await panel.page.mouse.up();
    await changedFrom(zoomed);
    await lanes().dblclick({ position: { x: 5, y: 5 } });
    await panel.page.getByRole('button', { name: 'Show All', exact: true, disabled: true }).waitFor();
    await lanes().focus();
    await panel.page.keyboard.press('+');
    await panel.page.getByRole('button', { name: 'Show All', exact: true, disabled: false }).waitFor();
    const near = await picture();
    await panel.page.keyboard.press('Shift+ArrowRight');
    await changedFrom(near);
    await panel.page.keyboard.press('0');
    await panel.page.getByRole('button', { name: 'Show All', exact: true, disabled: true }).waitFor();
  });

  it('is redrawn when the theme changes', async () => {
    await show(session());
    const before = await picture();
    await panel.page.evaluate(() => document.documentElement.style.setProperty('--vscode-charts-green', '#ff00ff'));
    await changedFrom(before);
  });

  it('shows the order of events if times are too coarse', async () => {
    await show(session().map(row => ({ ...row, at: undefined })));
    await panel.page.getByText('Events are shown in order, not by time.').waitFor();
    await show(session().map(row => ({ ...row, at: start + Math.floor(row.seq / 16) * 1000 })));
    await panel.page.getByText('Events are shown in order, not by time.').waitFor();
    await panel.page.getByRole('button', { name: 'Show by Time' }).click();
    await panel.page.getByRole('button', { name: 'Show by Event Order' }).waitFor();
    await panel.page.getByText('Events are shown in order, not by time.').waitFor({ state: 'detached' });
  });

  it('has a table', async () => {
    await show(session());
    await panel.page.getByRole('button', { name: 'Show as Table' }).click();
    await becomes(
      () => cells(),
      [
        ['Thread', 'waiting for you', 'tool', 'model', 'running', 'idle'],
        ['Main', '1 · 20 s', '3 · 20 s', '1 · 8 s', '1 · 52 s', '1 · 8 s'],
        ['Link checker', '–', '1 · 15 s', '–', '–', '–'],
      ],
    );
    await panel.screenshot('pictures-table');
  });

  it('lists tools, and goes to the longest call', async () => {
    await show(session());
    await panel.page.getByRole('tab', { name: 'Tools' }).click();
    await becomes(
      () => cells(),
      [
        ['Tool', 'Calls', 'Open', 'Failures', 'Denied', 'Median', 'Longest'],
        ['bash', '2', '0', '0', '0', '10 s', '10 s'],
        ['issues tracker', '1', '0', '1', '0', '312 ms', '312 ms'],
        ['read', '1', '0', '0', '0', '15 s', '15 s'],
      ].map(row => row.map(cell => cell)),
    );
    await panel.screenshot('pictures-tools');
    await panel.page.getByRole('button', { name: 'Show the longest call: 15 s' }).click();
    await panel.page.locator('.timeline :focus').first().waitFor();
  });

  it('draws tokens over time', async () => {
    await show(session(), { budget: { cents: 100, currency: 'USD' } });
    await panel.page.getByRole('tab', { name: 'Tokens' }).click();
    await panel.page.getByRole('img', { name: 'Tokens over time, at the end: input 1,500, output 400' }).waitFor();
    await panel.page.getByRole('img', { name: 'Tokens over time, at the end: cache read 9,000, cache write –' }).waitFor();
    await panel.screenshot('pictures-tokens');
    await panel.page.getByRole('button', { name: 'Show as Table' }).click();
    const [, first, second] = await cells();
    assert.deepEqual(first?.slice(2), ['1,200', '340', '9,000', '–']);
    assert.deepEqual(second?.slice(2), ['1,500', '400', '9,000', '–']);
  });

  it('draws the cost over time against the budget, and says what is unknown', async () => {
    await show(session(), { budget: { cents: 100, currency: 'USD' } });
    await panel.page.getByRole('tab', { name: 'Cost' }).click();
    await panel.page.getByRole('img', { name: 'Cost: $0.62 of a budget of $1.00' }).waitFor();
    await panel.page.getByText('Add a price for model-small to estimate cost (managedAgents.estimate.prices).').waitFor();
    await panel.screenshot('pictures-cost-told');
    await panel.page.getByRole('button', { name: 'Show as Table' }).click();
    const [head, first, second] = await cells();
    assert.deepEqual(head?.slice(2), ['Model', 'Request cost at your prices', 'Session total at your prices', 'Reported total']);
    assert.deepEqual(first?.slice(2), ['model-small', 'unknown', 'unknown', '–']);
    assert.deepEqual(second?.slice(2), ['–', '–', 'unknown', '$0.62']);
  });

  it("prices each request by the user's prices", async () => {
    const models = [['model-small', { input: 100, output: 200, cacheRead: 10 }]] as const;
    await show(longSession(), {}, {}, { prices: { currency: 'EUR', models } });
    await panel.page.getByRole('tab', { name: 'Cost' }).click();
    await panel.page.getByText('No data yet').waitFor();
    await panel.page.getByRole('img', { name: 'Cost: at least €0.37' }).waitFor();
    await panel.page.getByText('Add a price for <b>huge</b> to estimate cost').waitFor();
    await panel.screenshot('pictures-cost-own');
    await panel.page.getByRole('button', { name: 'Show as Table' }).click();
    const [, ...rows] = await cells();
    assert.deepEqual(
      rows.map(row => row.slice(2)),
      [
        ['model-small', '€0.30', '€0.30', '–'],
        ['<b>huge</b>', 'unknown', '€0.30', '–'],
        ['model-small', '€0.07', '€0.37', '–'],
      ],
    );
  });

  it('has a scale of tokens that no large value flattens, and says so', async () => {
    const rows = session().map(row => (row.kind === 'usage' ? { ...row, tokens: { ...noTokens, input: 4_000_000, output: 90 } } : row));
    await show(rows);
    await panel.page.getByRole('tab', { name: 'Tokens' }).click();
    const work = panel.page.getByRole('figure').filter({ hasText: 'Input and Output' });
    const cache = panel.page.getByRole('figure').filter({ hasText: 'Cache Reads and Writes' });
    const numbers = () => work.locator('.chart-words[text-anchor=end]').allTextContents();
    await becomes(numbers, ['0', '10', '1K', '100K', '10M']);
    await work.getByText('tokens, logarithmic scale').waitFor();
    await panel.screenshot('pictures-tokens-log');
    await becomes(
      () => cache.locator('.chart-words').allTextContents(),
      ['0', '2K', '4K', '6K', '8K', '10K', '0:00', '0:15', '0:30', '0:45', ''],
    );
  });

  it('says that there is nothing to draw', async () => {
    await show([]);
    await panel.page.getByText('No data yet').waitFor();
    await panel.page.getByRole('tab', { name: 'Tools' }).click();
    await panel.page.getByText('No data yet').waitFor();
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.getByText('No data yet').waitFor();
  });

  it('follows a running session', async () => {
    await show(session());
    await panel.page.getByRole('tab', { name: 'Tools' }).click();
    await panel.post({ type: 'amend', thread: '', splices: [{ at: session().length, remove: 0, rows: [toolRow(99, { name: 'glob' })] }] });
    await panel.page.getByRole('rowheader', { name: 'glob' }).waitFor();
  });

  for (const theme of pictureThemes) {
    it(`has pictures in ${theme}, also in a narrow panel`, async () => {
      await show(session(), { budget: { cents: 100, currency: 'USD' } }, { theme });
      await panel.screenshot(`pictures-${theme}`);
      await panel.page.setViewportSize({ width: 300, height: 700 });
      await panel.rendered();
      for (const tab of ['Timing', 'Tools', 'Tokens', 'Cost']) {
        await panel.page.getByRole('tab', { name: tab }).click();
        await panel.rendered();
        await becomes(() => panel.page.locator('.pictures').evaluate(element => element.scrollWidth), 300);
        await panel.screenshot(`pictures-narrow-${tab}-${theme}`);
      }
    });

    it(`draws tokens and cost within 1,440 and 500 pixels in ${theme}, without overlapping text`, async () => {
      await show(session(), { budget: { cents: 100, currency: 'USD' } }, { theme });
      for (const width of [1440, 500]) {
        await panel.page.setViewportSize({ width, height: 800 });
        for (const tab of ['Tokens', 'Cost']) {
          await panel.page.getByRole('tab', { name: tab }).click();
          await panel.page.locator('.chart-words').first().waitFor();
          await panel.rendered();
          await eventually(async () => {
            const overlapping: unknown = await panel.page.evaluate(overlappingWords);
            assert.deepEqual(overlapping, []);
            assert.equal(await panel.page.locator('.pictures').evaluate(element => element.scrollWidth), width);
          });
          await panel.screenshot(`charts-${width}-${tab}-${theme}`);
        }
      }
    });
  }

  it("uses the system's colours if they are forced", async () => {
    await show(session());
    const before = await picture();
    await panel.page.emulateMedia({ forcedColors: 'active' });
    await changedFrom(before);
    await panel.screenshot('pictures-forced');
  });

  async function show(
    rows: readonly Row[],
    view: Partial<SessionView> = {},
    options: PageOptions<PanelState> = {},
    changes: Parameters<PanelPage['show']>[1] = {},
  ): Promise<void> {
    panel = await PanelPage.open({ ...options, kept: { memory: { pictures: 'yes' } } });
    await panel.show(rows, { view: viewOf({ threads, ...view }), ...changes });
  }

  function lanes() {
    return panel.page.getByRole('application');
  }

  async function picture(): Promise<string> {
    await panel.rendered();
    return (await panel.page.locator('.lanes-plot').screenshot()).toString('base64');
  }

  async function changedFrom(before: string): Promise<void> {
    await eventually(async () => assert.notEqual(await picture(), before));
  }

  async function cells(): Promise<readonly (readonly string[])[]> {
    return await panel.page
      .locator('.pictures-table tr')
      .evaluateAll(rows => rows.map(row => [...row.querySelectorAll('th, td')].map(cell => cell.textContent ?? '')));
  }
});

const noTokens = { input: undefined, output: undefined, cacheRead: undefined, cacheWrite: undefined };

const threads = [
  { id: 'thread_1', name: 'Main', isPrimary: true, status: 'idle', waiting: 0, archived: false },
  { id: 'thread_2', name: 'Link checker', isPrimary: false, status: 'idle', waiting: 0, archived: false },
];

/** Returns a minute of work: the model, a tool, a tool that had to be allowed, a failure, a tool of another thread, idle time. */
function session(): Row[] {
  const at = (seq: number): { key: string; seq: number; at: number } => ({ key: `sevt_${seq}`, seq, at: start + seq * 1000 });
  const done = (seq: number) => ({ parts: [], isError: false, seq, at: start + seq * 1000 });
  return [
    { ...messageRow(0, 'Please check the links.', { kind: 'user' }), ...at(0) },
    { ...at(0), key: 'running', kind: 'status', type: 'session.status_running', summary: 'Running', status: 'running' },
    {
      ...{ ...at(1), kind: 'model', type: 'span.model_request_start', summary: 'Model request', isError: false },
      ...{
        end: { seq: 9, at: start + 9000 },
        durationMs: 8000,
        tokens: { input: 1200, output: 340, cacheRead: 9000, cacheWrite: undefined },
      },
    },
    { ...toolRow(10), ...at(10), result: done(20), durationMs: 10_000 },
    { ...toolRow(16), ...at(16), name: 'read', thread: 'thread_2', result: done(31), durationMs: 15_000 },
    {
      ...{ ...toolRow(20), ...at(20), askSeq: 20, result: done(50), durationMs: 10_000 },
      confirmation: { result: 'allow', seq: 40, at: start + 40_000 },
    },
    { ...toolRow(50), ...at(50), name: 'issues', server: 'tracker', tool: 'mcp', state: 'failed', result: done(50), durationMs: 312 },
    {
      ...{ ...at(51), kind: 'usage', type: 'session.usage', summary: '', cost: { cents: 62, currency: 'USD' } },
      tokens: { input: 1500, output: 400, cacheRead: undefined, cacheWrite: undefined },
    },
    { ...at(52), kind: 'status', type: 'session.status_idle', summary: 'Idle', status: 'idle', stopReason: 'end_turn' },
    { ...messageRow(60, 'All links work.'), ...at(60) },
  ];
}

/** Script that returns the chart texts that overlap another text or reach beyond the sides of their chart. */
const overlappingWords = `[...document.querySelectorAll('.pictures svg')].flatMap(chart => {
  const frame = chart.getBoundingClientRect();
  const words = [...chart.querySelectorAll('.chart-words')].filter(word => word.textContent !== '');
  const boxes = words.map(word => ({ text: word.textContent, box: word.getBoundingClientRect() }));
  const beyond = boxes.filter(({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1).map(({ text }) => text);
  const over = boxes.flatMap((a, index) =>
    boxes.slice(index + 1)
      .filter(b => a.box.left < b.box.right - 1 && b.box.left < a.box.right - 1 && a.box.top < b.box.bottom - 1 && b.box.top < a.box.bottom - 1)
      .map(b => a.text + ' over ' + b.text));
  return [...beyond, ...over];
})`;
