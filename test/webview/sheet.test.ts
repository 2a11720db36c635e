import assert from 'node:assert/strict';
import type { SheetFacts } from '../../src/features/batches/sheet/sheetFacts';
import {
  earlier,
  outgoingOf,
  prefix,
  prices,
  problem,
  report,
  reportOf,
  selectedFrom,
  survey,
} from '../unit/features/batches/sheet/sheetUnderTest';
import { hasSpoken, namelessControls, spokenTexts } from './inPanel.mjs';
import { SheetPage, viewOf } from './sheetPage';
import type { ThemeName } from './webviewPage';

const place = { line: 3, start: 10, end: 40, masked: 'sk-l…' };
const findings = [
  { pattern: 'api-key', kind: 'secret', count: 2, places: [place, { ...place, line: 80 }] },
  {
    pattern: 'e-mail',
    kind: 'personal',
    count: 1204,
    places: Array.from({ length: 20 }, (_, line) => ({ ...place, line, masked: 'jane…' })),
  },
] as const;

/** Everything that a sheet can have at once. */
const full: Partial<SheetFacts> = {
  report: {
    ...reportOf(problem('sampling-rejected', 'warning'), problem('deprecated-model', 'warning'), problem('carriage-returns', 'hint')),
    bareCount: 3,
  },
  repeats: [{ ...earlier, state: 'unknown' }],
  survey: { name: 'done', survey: { ...survey, findings, prefixes: [prefix, { ...prefix, id: 'p2', parent: 'p1', requests: 90 }] } },
  prices,
};
const long = `very-${'long-'.repeat(60)}name`;
const states: Readonly<Record<string, Partial<SheetFacts>>> = {
  checking: { report: undefined, isChecking: true, survey: { name: 'none' } },
  estimating: { survey: { name: 'running', share: 0.4 } },
  plain: {},
  full,
  errors: { report: reportOf(problem('json-syntax', 'error', { path: [] }), problem('unknown-field', 'error')) },
  anyway: { report: reportOf(problem('number-out-of-range', 'error')) },
  overLimits: {
    limits: { maxRequests: 300, maxBytes: 1_000_000 },
    outgoing: { ...outgoingOf(report), parts: [selectedFrom(0, 300, 900_000), selectedFrom(300, 112, 334_567)] },
  },
  stale: { changes: ['The text in the editor was changed since it was checked.', 'The connection is Other now.'] },
  sending: { isSending: true, sending: { share: 0.3, part: undefined } },
  foreign: { isForeign: true, report: reportOf(problem('unknown-field', 'error', { path: ['method'] })), survey: { name: 'none' } },
  past: {
    past: {
      byModel: new Map([['vendor-sonnet-5', { batches: 3, answers: 1204, outputTokens: 361_200 }]]),
      all: { batches: 4, answers: 2000, outputTokens: 600_000 },
    },
    prices,
  },
  stopped: { survey: { name: 'stopped' } },
  failed: { survey: { name: 'failed', problem: 'The file is not there any more' } },
  estimate: { mode: 'estimate', connection: undefined },
  manyModels: {
    report: { ...report, models: Array.from({ length: 50 }, (_, index) => [`model-${index}`, 50 - index] as const) },
    survey: { name: 'running', share: 0 },
  },
  hostile: {
    fileName: `\u202e${long}\u0007.jsonl`,
    connection: { name: `<img src=x onerror=alert(1)>\u200b${long}`, host: `${'sub.'.repeat(50)}example.com` },
    report: {
      ...reportOf(problem('<b>rule</b>', 'warning')),
      models: [
        [`שלום\u2067${long}`, 400],
        ['مرحبا', 12],
      ],
    },
    survey: { name: 'none' },
  },
};

describe('webview/sheet', function () {
  this.timeout(30_000);
  let sheet: SheetPage;
  afterEach(() => sheet.close());

  const button = (name: string | RegExp) => sheet.page.getByRole('button', { name, exact: typeof name === 'string' });
  const create = () => button(/^Create (?:Another )?Batch of/);
  const status = () => sheet.page.locator('#status');

  for (const [name, facts] of Object.entries(states)) {
    for (const width of [900, 320]) {
      it(`shows all there is, within ${width} pixels and without markup of others: ${name}`, async () => {
        sheet = await SheetPage.open({ width });
        await sheet.show(facts);
        const overflow = await sheet.page.evaluate(
          `[document.documentElement, ...document.querySelectorAll('.scroller, .foot, .buttons')].filter(e => e.scrollWidth > e.clientWidth).map(e => e.className)`,
        );
        assert.deepEqual(overflow, []);
        assert.equal(await sheet.page.locator('main img, main b').count(), 0);
        assert.doesNotMatch(await sheet.page.locator('body').innerText(), /(?!\n|\t)[\p{Cf}\p{Cc}]/u);
        assert.deepEqual(await sheet.page.evaluate(namelessControls), []);
        if (width === 320) {
          await sheet.screenshot(`sheet-narrow-${name}`);
        }
        await sheet.end();
      });
    }
  }

  for (const theme of ['dark', 'light', 'highContrast', 'highContrastLight'] satisfies ThemeName[]) {
    it(`shows where the keyboard is in ${theme}`, async () => {
      sheet = await SheetPage.open({ theme, height: 1500 });
      await sheet.show(full);
      await sheet.screenshot(`sheet-full-${theme}`);
      assert.deepEqual(await sheet.unseenFocus(40), []);
    });
  }

  it('shows what the host says in the moment that it is ready', async () => {
    sheet = await SheetPage.open({}, viewOf());
    await create().waitFor();
  });

  it('has the keyboard on nothing that sends, so that Enter alone sends nothing', async () => {
    sheet = await SheetPage.open();
    await sheet.show({ survey: { name: 'running', share: 0 } });
    assert.match(await sheet.focused(), /^Create Batch support-tickets\.jsonl$/);
    await sheet.page.keyboard.press('Enter');
    await sheet.page.keyboard.press('Space');
    await sheet.show(full);
    await sheet.page.keyboard.press('Enter');
    assert.deepEqual(await sheet.posted('create'), []);
    assert.equal(await sheet.page.evaluate('document.activeElement.tagName'), 'H1');
  });

  it('goes through everything in its order, and comes to what sends last', async () => {
    sheet = await SheetPage.open();
    await sheet.show({ ...full, repeats: [] });
    const order: string[] = [];
    for (let name = ''; !/^Create Batch of/.test(name) && order.length < 60; ) {
      await sheet.page.keyboard.press('Tab');
      name = await sheet.focused();
      order.push(name);
    }
    assert.equal(order.at(-1), 'Create Batch of 412 Requests');
    assert.equal(order.at(-2), 'Close');
    assert.ok(order.indexOf('Fix...') < order.indexOf('How this is estimated'), order.join());
    await sheet.page.keyboard.press('Enter');
    assert.deepEqual(await sheet.posted('create'), [{ type: 'create', revision: 1 }]);
  });

  it('says once what a key that is held down says, and sends nothing by a button that is off', async () => {
    sheet = await SheetPage.open();
    await sheet.show();
    await create().focus();
    await sheet.page.keyboard.down('Enter');
    await sheet.page.keyboard.down('Enter');
    await sheet.page.keyboard.down('Enter');
    await sheet.page.keyboard.up('Enter');
    assert.equal((await sheet.posted('create')).length, 1);
    await sheet.show({ isSending: true });
    await create().click({ force: true });
    await sheet.page.keyboard.press('Enter');
    assert.equal((await sheet.posted('create')).length, 1);
    assert.equal(await create().getAttribute('aria-disabled'), 'true');
    assert.match(await sheet.focused(), /^Create Batch/, 'the keyboard is where it was');
  });

  it('closes on Escape, and by its button', async () => {
    sheet = await SheetPage.open();
    await sheet.show();
    await sheet.page.keyboard.press('Escape');
    await button('Close').click();
    assert.equal((await sheet.posted('close')).length, 2);
    assert.deepEqual(await sheet.posted('create'), []);
  });

  it('keeps what can be pressed where it is while the estimate comes', async () => {
    sheet = await SheetPage.open();
    await sheet.show({ survey: { name: 'running', share: 0 }, report: reportOf(problem('sampling-rejected', 'warning')) });
    const places = async () => [await create().boundingBox(), await button('Fix...').boundingBox(), await button('Close').boundingBox()];
    const before = await places();
    await sheet.post({ type: 'progress', share: 0.7 });
    await sheet.drawn();
    assert.equal(await sheet.page.evaluate(`document.querySelector('progress').value`), 0.7);
    assert.deepEqual(await places(), before);
    await sheet.show({ ...full, repeats: [], report: reportOf(problem('sampling-rejected', 'warning')) });
    assert.deepEqual(await places(), before);
    await sheet.post({ type: 'progress', share: 0.9 });
    await sheet.drawn();
    assert.equal(await sheet.page.locator('progress').count(), 0);
  });

  it('posts places and ids of what it shows, and nothing else', async () => {
    sheet = await SheetPage.open({ height: 2000 });
    await sheet.show(full);
    await button('Line 12, the first of sampling-rejected').click();
    await button('Line 81, with API key').click();
    await button('Insert cache_control (1 Hour) into a New File...').first().click();
    await button('Find Out What Happened').click();
    await button('Copy the whole SHA-256 of the file').click();
    assert.deepEqual(await sheet.posted('openPlace'), [
      { type: 'openPlace', line: 11, start: 4, end: 9 },
      { type: 'openPlace', line: 80, start: 10, end: 40 },
    ]);
    assert.deepEqual(await sheet.posted('mark'), [{ type: 'mark', ttl: '1h', prefix: 'p1' }]);
    assert.equal((await sheet.posted('resolve')).length, 1);
    assert.equal((await sheet.posted('copySha')).length, 1);
  });

  it('says that the estimate is ready, and that something changed, and not how far it is', async () => {
    sheet = await SheetPage.open();
    await sheet.show({ survey: { name: 'running', share: 0 } });
    await sheet.page.evaluate(spokenTexts);
    await sheet.post({ type: 'progress', share: 0.5 });
    await sheet.show(full);
    await sheet.page.waitForFunction(hasSpoken, 'The estimate is ready: 3.41M to 4.21M input tokens. Secrets found: 2.');
    await sheet.show({ ...full, changes: ['The file was changed on disk since it was checked.'] });
    await sheet.page.waitForFunction(hasSpoken, 'The file was changed on disk');
    const spoken = ((await sheet.page.evaluate('spoken')) as readonly string[]).join('\n');
    assert.doesNotMatch(spoken, /50|Estimating/);
  });

  it('tells a screen reader the structure: a main part with headings, regions, table, and the foot', async () => {
    sheet = await SheetPage.open({ height: 1500 });
    await sheet.show(full);
    const tree = await sheet.page.locator('body').ariaSnapshot();
    for (const part of [
      '- main:',
      '- heading "Create Batch support-tickets.jsonl" [level=1]',
      '- region "What Goes Where"',
      '- region "Sent Before"',
      '- region "Problems"',
      '- region "Tokens and Cost"',
      '- table "Requests, tokens and cost by model"',
      '- rowheader "vendor-sonnet-5"',
      '- region "Secrets and Personal Data"',
      '- region "Shared Prompt Prefixes"',
      '- contentinfo:',
    ]) {
      assert.ok(tree.includes(part), `${part} is not in\n${tree}`);
    }
    await sheet.show({ changes: ['The file was changed.'] });
    assert.equal(await create().getAttribute('aria-describedby'), 'status');
  });

  it('tells a screen reader the numbers of a narrow table in rows and columns, without what is written beside them', async () => {
    sheet = await SheetPage.open({ width: 320, height: 1500 });
    await sheet.show(full);
    const table = await sheet.page.locator('table').first().ariaSnapshot();
    assert.match(table, /- columnheader "Requests"/);
    assert.match(table, /- row [^\n]*:\n\s*- rowheader "vendor-sonnet-5"\n\s*- cell "\d+"\n/);
  });

  it('gives the keyboard to the heading when what had it is gone', async () => {
    sheet = await SheetPage.open();
    await sheet.show({ survey: { name: 'running', share: 0 } });
    await button('Stop the estimate').focus();
    await sheet.page.keyboard.press('Enter');
    assert.equal((await sheet.posted('stopEstimate')).length, 1);
    await sheet.show();
    assert.match(await sheet.focused(), /^Create Batch support-tickets/);
  });

  it('folds the models of a long table, and keeps over a reload what was unfolded', async () => {
    sheet = await SheetPage.open();
    await sheet.show(states.manyModels);
    assert.equal(await sheet.page.locator('tbody tr').count(), 8);
    await button('Show 42 More Models').click();
    assert.equal(await sheet.page.locator('tbody tr').count(), 50);
    await sheet.page.getByText('How this is estimated').click();
    await sheet.drawn();
    const kept = await sheet.kept();
    await sheet.close();
    sheet = await SheetPage.open({ kept });
    await sheet.show(states.manyModels);
    assert.equal(await sheet.page.locator('tbody tr').count(), 50);
    assert.ok(await sheet.page.getByText('More cannot be generated').isVisible());
  });

  it('folds all but the first prefixes, and shows the others on demand', async () => {
    sheet = await SheetPage.open({ height: 2000 });
    const prefixes = Array.from({ length: 9 }, (_, index) => ({ ...prefix, id: `p${index}` }));
    await sheet.show({ survey: { name: 'done', survey: { ...survey, prefixes } } });
    const listed = () => sheet.page.getByRole('button', { name: /the first of them$/ }).count();
    assert.equal(await listed(), 5);
    await button('Show 4 More Prefixes').click();
    assert.equal(await listed(), 9);
    await button('Insert cache_control (5 Minutes) into a New File...').last().click();
    await button('Show Fewer Prefixes').click();
    assert.equal(await listed(), 5);
    assert.deepEqual(await sheet.posted('mark'), [{ type: 'mark', ttl: '5m', prefix: 'p8' }]);
  });

  it('lets sending be stopped from the foot, where it shows how far it is', async () => {
    sheet = await SheetPage.open();
    await sheet.show({ isSending: true, sending: { share: 0.1, part: undefined } });
    await sheet.post({ type: 'progress', share: 0.6 });
    await sheet.drawn();
    assert.equal(await sheet.page.evaluate(`document.querySelector('progress').value`), 0.6);
    await button('Cancel sending').click();
    assert.equal((await sheet.posted('stopSending')).length, 1);
  });

  it('leads a file in another form to its conversion by its main button', async () => {
    sheet = await SheetPage.open();
    await sheet.show(states.foreign);
    assert.match((await button('Convert...').getAttribute('class')) ?? '', /button-primary/);
    await button('Convert...').click();
    assert.equal((await sheet.posted('convert')).length, 1);
    assert.equal(await create().count(), 0);
  });

  it('says one full stop between two things that it says at once', async () => {
    sheet = await SheetPage.open();
    await sheet.show();
    await sheet.page.evaluate(spokenTexts);
    await sheet.show({ changes: ['The connection is Tiny now.'] });
    await sheet.show({ changes: ['The connection is Lab now.'] });
    await sheet.page.waitForFunction(hasSpoken, 'The connection is Tiny now. The connection is Lab now.');
  });

  it('shows that something changed where it is seen, whatever is scrolled, with what can be done', async () => {
    sheet = await SheetPage.open({ height: 400 });
    await sheet.show({ ...full, changes: ['The file was changed on disk since it was checked.'] });
    await sheet.page.mouse.wheel(0, 5000);
    assert.match(await status().innerText(), /changed on disk/);
    await button('Check Again').click();
    assert.equal((await sheet.posted('checkAgain')).length, 1);
    assert.equal(await create().getAttribute('aria-disabled'), 'true');
  });

  it('moves nothing by itself when motion is to be reduced', async () => {
    sheet = await SheetPage.open();
    assert.equal(await sheet.page.evaluate('document.getAnimations().length'), 0);
    await sheet.close();
    sheet = await SheetPage.open({ reducedMotion: false });
    assert.notEqual(await sheet.page.evaluate('document.getAnimations().length'), 0);
  });
});
