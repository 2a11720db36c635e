import assert from 'node:assert/strict';
import { prefix, problem, reportOf, survey } from '../unit/features/batches/sheet/sheetUnderTest';
import { becomes, eventually } from './eventually';
import { namelessControls, spokenTexts } from './inPanel.mjs';
import { SheetPage, viewOf } from './sheetPage';
import { full, states } from './sheetStates';
import { tagOf, themeNames, usePages } from './webviewPage';

describe('webview/sheet', () => {
  usePages();
  let sheet: SheetPage;

  const button = (name: string | RegExp) => sheet.page.getByRole('button', { name, exact: typeof name === 'string' });
  const create = () => button(/^Send \d/);
  const status = () => sheet.page.locator('#status');
  const details = () => sheet.page.locator('.details > summary');
  /** Opens or closes the details. */
  const unfold = async (isOpen = true): Promise<void> => {
    if (
      (await details().count()) > 0 &&
      (await sheet.page.locator('.details').evaluate(({ open }: HTMLDetailsElement) => open)) !== isOpen
    ) {
      await details().click();
    }
  };

  for (const width of [900, 320]) {
    it(`shows everything, without foreign markup, ${width} pixels wide`, async () => {
      sheet = await SheetPage.open({ width });
      for (const [name, facts] of Object.entries(states)) {
        await sheet.show(facts);
        await unfold(name === 'full' || name === 'hostile');
        await becomes(async () => [name, await sheet.page.locator('main img, main b').count()], [name, 0]);
        await becomes(async () => [name, await sheet.page.evaluate(overflowing)], [name, []]);
        await becomes(async () => [name, await sheet.page.evaluate(namelessControls)], [name, []]);
        await eventually(async () => assert.doesNotMatch(await sheet.page.locator('body').innerText(), /(?!\n|\t)[\p{Cf}\p{Cc}]/u, name));
        await sheet.screenshot(`sheet-${width}-${name}`);
      }
    });
  }

  for (const theme of themeNames) {
    it(`shows the focus in ${theme}${tagOf(theme)}`, async () => {
      sheet = await SheetPage.open({ theme, height: 1500 });
      await sheet.show({ ...full, ...states.retry });
      await unfold();
      await sheet.screenshot(`sheet-full-${theme}`);
      assert.deepEqual(await sheet.unseenFocus(40), []);
    });
  }

  it('shows what the host sends at the moment that it is ready', async () => {
    sheet = await SheetPage.open({}, [viewOf()]);
    await create().waitFor();
  });

  it("treats a double click as one click, so that it doesn't confirm a limit", async () => {
    sheet = await SheetPage.open();
    await sheet.show(states.overLimit);
    await create().dblclick();
    await sheet.stays(async () => (await sheet.posted('create')).length, 1);
    await sheet.show(states.overLimitShown);
    await button('Spend $9.39 (Limit $5.00)').click();
    await becomes(async () => (await sheet.posted('create')).length, 2);
  });

  it('counts a sample on request, and stops counting', async () => {
    sheet = await SheetPage.open();
    await sheet.show(states.plain);
    await button('Count a Sample (agents.example.com)').click();
    await becomes(() => sheet.posted('countSample'), [{ type: 'countSample' }]);
    await sheet.show(states.counting);
    await button('Stop counting').click();
    await becomes(() => sheet.posted('stopCount'), [{ type: 'stopCount' }]);
  });

  it('focuses no send button, so that Enter alone sends nothing', async () => {
    sheet = await SheetPage.open();
    await sheet.show({ survey: { name: 'running', share: 0 } });
    await eventually(async () => assert.match(await sheet.focused(), /^Create Batch support-tickets\.jsonl$/));
    await sheet.page.keyboard.press('Enter');
    await sheet.page.keyboard.press('Space');
    await sheet.show(full);
    await sheet.page.keyboard.press('Enter');
    await sheet.stays(() => sheet.posted('create'), []);
    await becomes(() => sheet.page.evaluate('document.activeElement.tagName'), 'H1');
  });

  it('runs the fix with Enter, once however long it is held, and not from another button', async () => {
    sheet = await SheetPage.open();
    await sheet.show(states.anyway);
    await eventually(async () => assert.match(await sheet.focused(), /^Create Batch support-tickets\.jsonl$/));
    await sheet.page.keyboard.down('Enter');
    await sheet.page.keyboard.down('Enter');
    await sheet.page.keyboard.up('Enter');
    await becomes(async () => (await sheet.posted('fix')).length + (await sheet.posted('openPlace')).length, 1);
    await button('Close').focus();
    await sheet.page.keyboard.press('Enter');
    await becomes(async () => (await sheet.posted('close')).length, 1);
    await sheet.stays(async () => (await sheet.posted('fix')).length + (await sheet.posted('openPlace')).length, 1);
    await sheet.stays(() => sheet.posted('create'), []);
  });

  it('emphasizes the fix if all requests may be rejected, not the send button', async () => {
    sheet = await SheetPage.open();
    await sheet.show(states.allRefused);
    await becomes(
      () => sheet.page.getByRole('contentinfo').getByRole('button', { name: 'Fix...' }).getAttribute('class'),
      'button button-primary',
    );
    await becomes(() => create().getAttribute('class'), 'button button-secondary');
  });

  it('has a tab order that ends at the send button', async () => {
    sheet = await SheetPage.open();
    await sheet.show({ ...full, repeats: [] });
    await unfold();
    const order: string[] = [];
    for (let name = ''; !/^Send \d/.test(name) && order.length < 60; ) {
      await sheet.page.keyboard.press('Tab');
      name = await sheet.focused();
      order.push(name);
    }
    assert.equal(order.at(-1), 'Send 412 Requests');
    assert.equal(order.at(-2), 'Close');
    assert.ok(order.indexOf('Fix...') < order.indexOf('How this is estimated'), order.join());
    await sheet.page.keyboard.press('Enter');
    await becomes(() => sheet.posted('create'), [{ type: 'create', revision: 1 }]);
  });

  it('acts once on a held key, and sends nothing through a disabled button', async () => {
    sheet = await SheetPage.open();
    await sheet.show();
    await create().focus();
    await sheet.page.keyboard.down('Enter');
    await sheet.page.keyboard.down('Enter');
    await sheet.page.keyboard.down('Enter');
    await sheet.page.keyboard.up('Enter');
    await becomes(async () => (await sheet.posted('create')).length, 1);
    await sheet.show({ isSending: true });
    await create().click({ force: true });
    await sheet.page.keyboard.press('Enter');
    await becomes(async () => (await sheet.posted('create')).length, 1);
    await becomes(() => create().getAttribute('aria-disabled'), 'true');
    await eventually(async () => assert.match(await sheet.focused(), /^Send/, 'the keyboard is where it was'));
  });

  it('closes on Escape, and by its button', async () => {
    sheet = await SheetPage.open();
    await sheet.show();
    await sheet.page.keyboard.press('Escape');
    await button('Close').click();
    await becomes(async () => (await sheet.posted('close')).length, 2);
    await sheet.stays(() => sheet.posted('create'), []);
  });

  it('keeps buttons in place while the estimate arrives', async () => {
    sheet = await SheetPage.open();
    await sheet.show({ survey: { name: 'running', share: 0 }, report: reportOf(problem('sampling-rejected', 'warning')) });
    const places = async () => [await create().boundingBox(), await button('Fix...').boundingBox(), await button('Close').boundingBox()];
    const before = await places();
    await sheet.post({ type: 'progress', share: 0.7 });
    await sheet.rendered();
    await becomes(() => sheet.page.evaluate(`document.querySelector('progress').value`), 0.7);
    await becomes(() => places(), before);
    await sheet.show({ ...full, repeats: [], report: reportOf(problem('sampling-rejected', 'warning')) });
    await becomes(() => places(), before);
    await sheet.post({ type: 'progress', share: 0.9 });
    await sheet.rendered();
    await becomes(() => sheet.page.locator('progress').count(), 0);
  });

  it('posts positions and IDs that it shows, and nothing else', async () => {
    sheet = await SheetPage.open({ height: 2000 });
    await sheet.show(full);
    await unfold();
    await button('Show Problems').click();
    await button(/^Line 12, /)
      .first()
      .click();
    await button('Line 81, with API key').click();
    await button('Insert cache_control (1 Hour) in New File...').first().click();
    await button('Show Submission Log').click();
    await button('Copy SHA-256').click();
    await becomes(
      () => sheet.posted('openPlace'),
      [
        { type: 'openPlace', line: 11, start: 4, end: 9 },
        { type: 'openPlace', line: 80, start: 10, end: 40 },
      ],
    );
    await becomes(() => sheet.posted('mark'), [{ type: 'mark', ttl: '1h', prefix: 'p1' }]);
    await becomes(async () => (await sheet.posted('resolve')).length, 1);
    await becomes(async () => (await sheet.posted('copySha')).length, 1);
  });

  it('announces that the estimate is ready, and that something changed, but not progress', async () => {
    sheet = await SheetPage.open({ isClockHeld: true });
    await sheet.show({ survey: { name: 'running', share: 0 } });
    await sheet.page.evaluate(spokenTexts);
    await sheet.post({ type: 'progress', share: 0.5 });
    await sheet.show(full);
    await sheet.says('The estimate is ready: 3.41M to 4.21M input tokens. Secrets found: 2.');
    await sheet.show({ ...full, changes: ['The file has changed since it was checked.'] });
    await sheet.says('The file has changed since');
    assert.doesNotMatch(await sheet.spoken(), /50|Estimating/);
  });

  it('exposes the structure to screen readers: a main part with headings, regions, table, and the foot', async () => {
    sheet = await SheetPage.open({ height: 1500 });
    await sheet.show({ ...full, ...states.changed });
    await unfold();
    const tree = await sheet.page.locator('body').ariaSnapshot();
    for (const part of [
      '- main:',
      '- heading "Create Batch support-tickets.jsonl" [level=1]',
      '- group "Send":',
      'radio "Changed since the last run: 5" [checked]',
      '- spinbutton "Trial size"',
      '- region "Request"',
      '- region "Tokens and Cost"',
      '- table "Requests, tokens and cost by model"',
      '- rowheader "vendor-sonnet-5"',
      '- region "Secrets and Personal Data"',
      '- contentinfo:',
    ]) {
      assert.ok(tree.includes(part), `${part} is not in\n${tree}`);
    }
    await sheet.show({ changes: ['The file was changed.'] });
    await becomes(() => create().getAttribute('aria-describedby'), 'status');
  });

  it('exposes the numbers of a narrow table in rows and columns, without repeated labels', async () => {
    sheet = await SheetPage.open({ width: 320, height: 1500 });
    await sheet.show(full);
    await unfold();
    const table = await sheet.page.locator('table').first().ariaSnapshot();
    assert.match(table, /- columnheader "Requests"/);
    assert.match(table, /- row [^\n]*:\n\s*- rowheader "vendor-sonnet-5"\n\s*- cell "\d+"\n/);
  });

  it('moves the focus to the heading when the focused element is removed', async () => {
    sheet = await SheetPage.open();
    await sheet.show({ survey: { name: 'running', share: 0 } });
    await button('Stop the estimate').focus();
    await sheet.page.keyboard.press('Enter');
    await becomes(async () => (await sheet.posted('stopEstimate')).length, 1);
    await sheet.show();
    await eventually(async () => assert.match(await sheet.focused(), /^Create Batch support-tickets/));
  });

  it('takes no focus from a VS Code dialog when the focused element is removed, and focuses the heading afterwards', async () => {
    sheet = await SheetPage.open();
    await sheet.show({ survey: { name: 'running', share: 0 } });
    await button('Stop the estimate').focus();
    await sheet.page.evaluate(() => {
      document.hasFocus = () => false;
    });
    await sheet.show();
    await becomes(() => button('Stop the estimate').count(), 0);
    await sheet.rendered();
    assert.equal(await sheet.page.evaluate(() => document.activeElement?.tagName), 'BODY');
    await sheet.page.evaluate(() => window.dispatchEvent(new FocusEvent('focus')));
    assert.equal(await sheet.page.evaluate(() => document.activeElement?.tagName), 'H1');
  });

  it('collapses the models of a long table, and keeps expanded parts across a reload', async () => {
    sheet = await SheetPage.open();
    await sheet.show(states.manyModels);
    await unfold();
    await becomes(() => sheet.page.locator('tbody tr').count(), 8);
    await button('Show 42 More').click();
    await becomes(() => sheet.page.locator('tbody tr').count(), 50);
    await sheet.page.getByText('How this is estimated').click();
    await becomes(async () => Object.keys((await sheet.kept()).memory ?? {}).length, 3);
    const kept = await sheet.kept();
    sheet = await SheetPage.open({ kept });
    await sheet.show(states.manyModels);
    await becomes(() => sheet.page.locator('tbody tr').count(), 50);
    await eventually(async () => assert.ok(await sheet.page.getByText('Output is at most the sum').isVisible()));
  });

  it('collapses all but the first prefixes, and shows the others on request', async () => {
    sheet = await SheetPage.open({ height: 2000 });
    const prefixes = Array.from({ length: 9 }, (_, index) => ({ ...prefix, id: `p${index}` }));
    await sheet.show({ survey: { name: 'done', survey: { ...survey, prefixes } } });
    await unfold();
    const listed = () => sheet.page.getByRole('button', { name: /^Line [\d,]+, first of/ }).count();
    await becomes(() => listed(), 5);
    await button('Show 4 More').click();
    await becomes(() => listed(), 9);
    await button('Insert cache_control (5 Minutes) in New File...').last().click();
    await button('Show Fewer').click();
    await becomes(() => listed(), 5);
    await becomes(() => sheet.posted('mark'), [{ type: 'mark', ttl: '5m', prefix: 'p8' }]);
  });

  it('stops sending from the foot, which shows the progress', async () => {
    sheet = await SheetPage.open();
    await sheet.show({ isSending: true, sending: { share: 0.1, index: 0, isWaiting: false } });
    await sheet.post({ type: 'progress', share: 0.6 });
    await sheet.rendered();
    await becomes(() => sheet.page.evaluate(`document.querySelector('progress').value`), 0.6);
    await button('Cancel sending').click();
    await becomes(async () => (await sheet.posted('stopSending')).length, 1);
  });

  it('posts the choice, with the size of a trial, and stores it for a reload', async () => {
    sheet = await SheetPage.open();
    await sheet.show({ ...states.changed, wish: { choice: 'changed' } });
    await becomes(async () => (await sheet.kept()).wish, { choice: 'changed' });
    await sheet.page.getByRole('radio', { name: 'All 412' }).click();
    await sheet.page.getByRole('spinbutton', { name: 'Trial size' }).fill('25');
    // Typed text survives a new view.
    await sheet.show({ ...states.changed, revision: 2 });
    await sheet.page.keyboard.press('Tab');
    await becomes(
      () => sheet.posted('choose'),
      [
        { type: 'choose', choice: 'all' },
        { type: 'choose', choice: 'trial', size: 25 },
      ],
    );
    await sheet.page.getByRole('spinbutton').fill('0');
    await sheet.page.keyboard.press('Tab');
    await sheet.stays(async () => (await sheet.posted('choose')).length, 2);
  });

  it('posts which causes are sent again, with their changes', async () => {
    sheet = await SheetPage.open();
    await sheet.show(states.retry);
    await sheet.page.getByRole('checkbox', { name: /^3 invalid_request_error/ }).check();
    await button(/^Change the requests to send: cut short/).click();
    await button('Write Retry File Instead').click();
    await becomes(() => sheet.posted('chooseCause'), [{ type: 'chooseCause', cause: 'hot', isChosen: true }]);
    await becomes(() => sheet.posted('changeCause'), [{ type: 'changeCause', cause: 'cut' }]);
    await becomes(async () => (await sheet.posted('writeRetry')).length, 1);
  });

  it('sets prices in the sheet, for models with both prices entered', async () => {
    sheet = await SheetPage.open();
    await sheet.show();
    await button('Set Prices').click();
    await sheet.page.getByRole('spinbutton', { name: /^vendor-sonnet-5, Input/ }).fill('1.5');
    await sheet.page.getByRole('spinbutton', { name: /^vendor-sonnet-5, Output/ }).fill('7.5');
    await sheet.page.getByRole('spinbutton', { name: /^vendor-haiku-4-5, Input/ }).fill('0.4');
    await sheet.screenshot('sheet-prices');
    await sheet.page.keyboard.press('Enter');
    await becomes(
      () => sheet.posted('setPrices'),
      [{ type: 'setPrices', prices: [{ model: 'vendor-sonnet-5', input: 1.5, output: 7.5 }] }],
    );
    await becomes(() => sheet.page.locator('form').count(), 0);
    await becomes(() => sheet.focused(), 'Set Prices');
  });

  it('fits a window of 1,024 x 700 without scrolling, for any choice', async () => {
    sheet = await SheetPage.open({ width: 1024, height: 620 });
    for (const name of ['plain', 'past', 'changed', 'retry', 'afterTrial', 'trial'] as const) {
      await sheet.show(states[name]);
      const rooms = () => sheet.page.locator('.scroller').evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
      await becomes(async () => [name, await rooms()], [name, 0]);
      await sheet.screenshot(`sheet-1024-${name}`);
    }
  });

  it('converts a file in another format by its main button', async () => {
    sheet = await SheetPage.open();
    await sheet.show(states.foreign);
    await eventually(async () => assert.match((await button('Convert...').getAttribute('class')) ?? '', /button-primary/));
    await button('Convert...').click();
    await becomes(async () => (await sheet.posted('convert')).length, 1);
    await becomes(() => create().count(), 0);
  });

  it('puts one full stop between two announcements', async () => {
    sheet = await SheetPage.open({ isClockHeld: true });
    await sheet.show();
    await sheet.page.evaluate(spokenTexts);
    await sheet.show({ changes: ['The connection Tiny has changed. Check again.'] });
    await sheet.show({ changes: ['The connection Lab has changed. Check again.'] });
    await sheet.says('The connection Tiny has changed. Check again. The connection Lab has changed. Check again.');
  });

  it('shows that something changed, at any scroll position, with actions', async () => {
    sheet = await SheetPage.open({ height: 400 });
    await sheet.show({ ...full, changes: ['The file has changed since it was checked.'] });
    await sheet.page.mouse.wheel(0, 5000);
    await eventually(async () => assert.match(await status().innerText(), /has changed since it was checked/));
    await button('Check Again').click();
    await becomes(async () => (await sheet.posted('checkAgain')).length, 1);
    await becomes(() => create().getAttribute('aria-disabled'), 'true');
  });

  it("doesn't animate with reduced motion", async () => {
    sheet = await SheetPage.open({ motion: 'reduced' });
    await becomes(() => sheet.page.evaluate('document.getAnimations().length'), 0);
    sheet = await SheetPage.open({ motion: 'full' });
    await eventually(async () => assert.notEqual(await sheet.page.evaluate('document.getAnimations().length'), 0));
  });
});

/** Returns the classes of elements that are wider than their space. Runs in the page. */
function overflowing(): readonly string[] {
  return [document.documentElement, ...document.querySelectorAll('.scroller, .foot, .buttons')]
    .filter(element => element.scrollWidth > element.clientWidth)
    .map(element => element.className);
}
