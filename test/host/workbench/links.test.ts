import assert from 'node:assert/strict';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, Questions } from './questions';
import { ServedSessions } from './servedSessions';
import { SessionPanels } from './sessionPanels';
import { useWorkbench } from './workbench';

const key = 'key-of-the-link-tests';
const dialog = '.monaco-dialog-box';

describe('links', () => {
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const sessions = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({ settings: connectedTo(emulator()) }));
  const questions = new Questions(workbench);
  const panels = new SessionPanels(workbench);
  const host = () => new URL(emulator().url).host;
  before('give the key', () => workbench().setKey(key));

  /** Opens a link as VS Code opens one that the system hands it, and lets VS Code hand it on. */
  const follow = async (link: string) => {
    const w = workbench();
    await w.beginCommand(asks('URL to open'), 'workbench.action.url.openUrl');
    await questions.write('URL to open', link, dialog);
    assert.match(await w.dialogText(), /Managed Agents.*open this URI/s);
    await w.dialogButton(/^Open$/);
  };
  /** What was asked about the session of a link. */
  const readsOf = (id: string) => emulator().requests.filter(({ path }) => path.includes(id)).length;

  it('lead from a row of a panel to it, once the host was named and agreed to', async () => {
    const w = workbench();
    const { id } = await sessions.create('Linked to', 'hello');
    const frame = await panels.open('Linked to', id);
    const row = frame.getByRole('article').filter({ hasText: 'You wrote: "hello"' }).first();
    await row.waitFor();
    await w.page.evaluate(() => navigator.clipboard.writeText('before'));
    let link = '';
    await w.untilDone(async timeout => {
      await row.hover({ timeout });
      await row.getByRole('button', { name: 'Copy Link' }).click({ timeout });
      link = await w.page.evaluate(() => navigator.clipboard.readText());
      assert.notEqual(link, 'before');
    });
    const [, event = ''] =
      /^[a-z-]+:\/\/managed-agents\.managed-agents\/session\/[^?]+\?connection=Lab&host=[\d.:]+&event=(\w+)$/.exec(link) ??
      assert.fail(link);
    assert.ok(link.includes(id) && link.includes(host()) && !link.includes(key), link);
    assert.ok(
      (await sessions.events(id)).some(one => one.id === event),
      link,
    );
    await w.closeEditors();
    const before = readsOf(id);
    await follow(link);
    assert.match(await w.dialogText(), new RegExp(`Open session ${id} on ${host()}\\?.*Event: ${event}.*connection "Lab"`, 's'));
    await w.screenshot('link-question');
    assert.equal(readsOf(id), before);
    await w.dialogButton(/^Open$/);
    await panels.live('Linked to');
    assert.ok(readsOf(id) > before);
  });

  it('are opened by nobody else than the user, and lead nowhere that no connection leads', async () => {
    const w = workbench();
    const { id } = await sessions.create('Never opened');
    const start = 'code-oss://managed-agents.managed-agents/session';
    await follow(`${start}/${id}?connection=Lab&host=${host()}`);
    assert.match(await w.dialogText(), new RegExp(`Open session ${id} on`));
    await w.dialogButton(/^Cancel$/);
    await follow(`${start}/${id}?connection=Lab&host=evil.example`);
    assert.match(await w.dialogText(), /None of your connections leads to evil\.example\..*Your connection "Lab" leads to/s);
    await w.screenshot('link-elsewhere');
    await w.dialogButton(/^Cancel$/);
    assert.equal(readsOf(id), 0);
  });

  it('are followed by other extensions through the API', async () => {
    const w = workbench();
    const { id } = await sessions.create('Shown by another', 'hello');
    assert.equal(await w.callApi('openSession', { connection: 'Lab', sessionId: id }), true);
    await panels.live('Shown by another');
    assert.deepEqual(await w.callApi('listBatches'), []);
    await assert.rejects(w.callApi('openSession', { connection: 'Lab', sessionId: '../..' }), /Not as the API of Managed Agents says/);
  });
});
