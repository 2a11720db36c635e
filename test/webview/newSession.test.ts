import assert from 'node:assert/strict';
import type { PanelState } from '../../src/shared/session/sessionProtocol';
import type { FromStart, StartState, ToStart } from '../../src/shared/session/startProtocol';
import { isFlawless } from './axeFindings';
import { becomes } from './eventually';
import { type PageOptions, tagOf, themeNames, usePages, WebviewPage } from './webviewPage';

/** The panel of a new session in a page of a real Chromium. */
class StartPage extends WebviewPage<FromStart, ToStart, PanelState> {
  static async open(state: Partial<StartState> = {}, options: PageOptions<PanelState> = {}): Promise<StartPage> {
    const page = new StartPage();
    await page.start('session', { fromHost: { connection: 'Lab' }, ...options }, [startOf(state)]);
    await page.rendered();
    return page;
  }
}

function startOf(changes: Partial<StartState> = {}): StartState {
  const chip = (part: StartState['chips'][number]['part'], label: string, value = '') => ({ part, label, value });
  return {
    ...{ type: 'start', heading: 'New Session', source: 'Lab (127.0.0.1:80)', notes: [], button: 'Start' },
    chips: [chip('agent', 'Agent', 'Careful Operator v3'), chip('environment', 'Environment', 'Default'), chip('files', 'Files')],
    isBusy: false,
    ...changes,
  };
}

const unknown = {
  button: 'Check Again',
  failure: {
    text: 'The session may have been started. The service did not answer.',
    isUnknown: true,
    appeared: [{ id: 'sesn_1', title: 'Deploy' }],
  },
};

describe('webview/session/start', () => {
  usePages();
  let page: StartPage;
  const field = () => page.page.getByRole('textbox', { name: 'Message to the agent' });
  const button = (name: string) => page.page.getByRole('button', { name, exact: true });

  it('has the focus in the message, starts with Enter, and keeps the text', async () => {
    page = await StartPage.open();
    await becomes(() => page.focused(), 'Message to the agent');
    await page.page.keyboard.press('Enter');
    await page.stays(() => page.posted('start'), []);
    await page.page.keyboard.type('one');
    await page.page.keyboard.press('Shift+Enter');
    await page.page.keyboard.type('two');
    await page.page.keyboard.press('Enter');
    assert.deepEqual(await page.message('start'), { type: 'start', text: 'one\ntwo' });
    await page.stays(() => field().inputValue(), 'one\ntwo');
    await page.post(startOf({ isBusy: true }));
    await page.rendered();
    await becomes(() => button('Start').isDisabled(), true);
    await page.page.keyboard.press('Enter');
    await page.stays(async () => (await page.posted('start')).length, 1);
  });

  it('starts without a message by its button alone', async () => {
    page = await StartPage.open();
    await button('Start').click();
    assert.deepEqual(await page.message('start'), { type: 'start', text: '' });
  });

  it('opens the picker of a chip, and takes the focus back afterwards', async () => {
    page = await StartPage.open();
    await button('Agent: Careful Operator v3').click();
    await button('Files…').click();
    await becomes(async () => (await page.posted('choose')).map(({ part }) => part), ['agent', 'files']);
    await page.post({ type: 'focus', target: 'composer' });
    await becomes(() => page.focused(), 'Message to the agent');
  });

  it('completes files and prompts, but no session actions', async () => {
    page = await StartPage.open();
    await field().pressSequentially('/');
    await page.post({ type: 'prompts', prompts: [{ name: 'review', detail: 'Reviews a change' }] });
    await page.page.getByRole('option').first().waitFor();
    await page.stays(() => page.page.getByRole('option').count(), 1);
    await field().fill('');
    await field().pressSequentially('@a');
    await page.post({ type: 'filesFound', query: 'a', files: [{ id: 'file-1', name: 'app.ts', folder: 'src' }] });
    await page.page.getByRole('option', { name: /app\.ts/ }).waitFor();
    await page.page.keyboard.press('Enter');
    assert.equal((await page.message('attachFile')).id, 'file-1');
    await becomes(() => field().inputValue(), '@src/app.ts ');
  });

  it('offers the sessions that appeared after a lost response, with the text, and asks before it creates another', async () => {
    page = await StartPage.open(unknown, { fromHost: { given: 'deploy it' } });
    await page.page.keyboard.press('Enter');
    assert.equal((await page.message('start')).text, 'deploy it');
    await button('Open Deploy').click();
    assert.deepEqual(await page.message('openStarted'), { type: 'openStarted', id: 'sesn_1', text: 'deploy it' });
    await button('Mark as Not Started').click();
    assert.equal((await page.message('choose')).part, 'another');
  });

  it('restores the text after a reload, not the initial one', async () => {
    page = await StartPage.open({}, { fromHost: { given: 'at first' } });
    await field().fill('mine');
    const kept = await page.kept();
    page = await StartPage.open({}, { fromHost: { given: 'at first' }, kept });
    await becomes(() => field().inputValue(), 'mine');
  });

  for (const theme of themeNames) {
    it(`has no axe violations and fits in ${theme}${tagOf(theme)}`, async () => {
      const notes = ["This is an approximation, because the service can't fork sessions."];
      for (const width of [1440, 1024, 320]) {
        page = await StartPage.open({ ...unknown, notes }, { theme, width });
        assert.equal(await page.page.evaluate('document.documentElement.scrollWidth - innerWidth > 0'), false);
        await page.screenshot(`new-session-${theme}-${width}`);
      }
      await isFlawless(page);
      assert.deepEqual(await page.unseenFocus(8), []);
    });
  }
});
