import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { dialects } from '../../../src/client/dialect';
import { createServiceClient, type ServiceClient } from '../../../src/client/serviceClient';
import type { Emulator } from '../../../src/emulator/emulator';
import { startEmulator } from '../../../src/emulator/server';
import { tidyUp } from './tidyUp';
import { Workbench } from './workbench';

const port = 41_000 + (process.pid % 9_000);
const key = 'local-test-key-0007';
const names = ['talk', 'operate', 'shop', 'delegate', 'hostile', 'lost'] as const;
type Name = (typeof names)[number];

describe('the session panel', function () {
  this.timeout(60_000);
  let emulator: Emulator;
  let client: ServiceClient;
  let workbench: Workbench;
  const ids = new Map<Name, string>();

  before('start a service with sessions, and VS Code', async function () {
    this.timeout(120_000);
    emulator = await startEmulator({ port, key, scenario: { sessionPause: 0 } });
    client = createServiceClient({
      baseUrl: emulator.url,
      auth: 'x-api-key',
      dialect: dialects.contract,
      credential: async () => ({ key, origin: new URL(emulator.url).origin }),
    });
    const agents = new Map((await client.agents.list()).items.map(({ name, id }) => [name ?? '', id]));
    const [environment] = (await client.environments.list()).items;
    const agentOf: Record<Name, string> = {
      talk: 'Researcher',
      operate: 'Careful Operator',
      shop: 'Shopkeeper',
      delegate: 'Researcher',
      hostile: 'Researcher',
      lost: 'Researcher',
    };
    for (const name of names) {
      const { data } = await client.sessions.create({
        agent: agents.get(agentOf[name]),
        environment_id: environment?.id,
        title: `Session ${name}`,
      });
      ids.set(name, data.id);
    }
    workbench = await Workbench.start({
      settings: {
        'managedAgents.connections': { Lab: { baseUrl: emulator.url } },
        'managedAgents.connection': 'Lab',
      },
      files: { 'price.json': '{"price": 3.2}\n' },
      keybindings: names.map((name, index) => ({
        key: `ctrl+alt+${index + 1}`,
        command: 'managedAgents.session.open',
        args: { connection: 'Lab', sessionId: ids.get(name) },
      })),
    });
    await workbench.runCommand('Managed Agents: Set API Key');
    await workbench.inputBox(key);
  });
  after(() => client.close());
  tidyUp(() => ({ workbench, emulator }));

  const id = (name: Name) => ids.get(name) ?? '';
  const say = async (name: Name, text: string) => {
    await client.sessions.send(id(name), [{ type: 'user.message', content: [{ type: 'text', text }] }]);
    await emulator.advanceClock(0);
  };
  const events = async (name: Name, ...types: readonly string[]) => {
    const { items } = await client.sessions.events(id(name)).list({ order: 'asc', limit: 1000 });
    return items.filter(({ type }) => types.includes(type));
  };
  const frameOf = () => workbench.webview('main.panel .timelineArea');
  const open = async (name: Name): Promise<Frame> => {
    await workbench.press(`Control+Alt+${names.indexOf(name) + 1}`);
    await workbench.waitFor(`.tab.active[aria-label*="Session ${name}"]`);
    const frame = await frameOf();
    await frame.getByText('Live', { exact: true }).first().waitFor();
    return frame;
  };
  const composer = (frame: Frame) => frame.getByRole('textbox', { name: 'Message to the agent' });
  /** Waits for the dialog to show a path, and chooses another instead. */
  const chooseFile = async (shown: string, file: string) => {
    const input = workbench.page.locator('.quick-input-widget .quick-input-box input').first();
    const value = async () => ((await input.isVisible()) ? await input.inputValue() : '');
    const wanted = path.join(workbench.folder, file);
    await workbench.untilDone(async timeout => {
      const end = Date.now() + timeout;
      // It completes what is typed before it has read the folder.
      for (let now = await value(); now !== path.join(workbench.folder, shown) && now !== wanted; now = await value()) {
        assert.ok(Date.now() < end, `the dialog shows ${now}`);
        await workbench.page.waitForTimeout(50);
      }
      await input.fill(wanted);
      await workbench.page.waitForTimeout(300);
      assert.equal(await value(), wanted);
    });
    await input.press('Enter');
  };

  it('opens, shows what was said, and what is said while it is open', async () => {
    await say('talk', 'markdown');
    const frame = await open('talk');
    await frame.getByText('Fermat', { exact: false }).first().waitFor();
    await workbench.screenshot('session-panel-talk');
    await say('talk', 'hello again');
    await frame.getByText('You wrote: "hello again"').first().waitFor();
    await workbench.screenshot('session-panel-live');
  });

  it('sends what is typed, once, and shows the answer', async () => {
    const frame = await open('talk');
    await composer(frame).fill('hello from the panel');
    await composer(frame).press('Enter');
    await frame.getByText('You wrote: "hello from the panel"').first().waitFor();
    const sent = (await events('talk', 'user.message')).filter(event => JSON.stringify(event).includes('hello from the panel'));
    assert.equal(sent.length, 1);
    assert.equal(await composer(frame).inputValue(), '');
  });

  it('gives the words back when they could not be sent, and says why', async () => {
    const frame = await open('talk');
    emulator.setScenario({ faults: [{ name: 'serverError', route: 'sessions.events.send', times: 1 }] });
    await composer(frame).fill('these words stay');
    await composer(frame).press('Enter');
    await frame
      .getByText(/answered 500/)
      .first()
      .waitFor();
    await workbench.screenshot('session-panel-not-sent');
    assert.equal(await composer(frame).inputValue(), 'these words stay');
    assert.equal((await events('talk', 'user.message')).filter(event => JSON.stringify(event).includes('these words stay')).length, 0);
  });

  it('finds out by itself that words arrived though no answer came', async () => {
    const frame = await open('talk');
    emulator.setScenario({ faults: [{ name: 'lostReplyAfterCommit', route: 'sessions.events.send', times: 1 }] });
    await composer(frame).fill('hello without an answer');
    await composer(frame).press('Enter');
    await frame.getByText('You wrote: "hello without an answer"').first().waitFor();
    const sent = (await events('talk', 'user.message')).filter(event => JSON.stringify(event).includes('hello without an answer'));
    assert.equal(sent.length, 1);
    assert.equal(await composer(frame).inputValue(), '');
  });

  it('misses nothing when the stream is cut', async () => {
    const frame = await open('talk');
    emulator.cutStreams();
    await say('talk', 'said while nobody listened');
    await frame.getByText('You wrote: "said while nobody listened"').first().waitFor();
    await frame.getByText('Live', { exact: true }).first().waitFor();
  });

  it('allows what a tool asks, by the event that waits, once', async () => {
    await say('operate', 'ask rm -rf build');
    const frame = await open('operate');
    const allow = frame.getByRole('button', { name: 'Allow', exact: true });
    await allow.waitFor();
    await workbench.screenshot('session-panel-ask');
    await allow.dblclick();
    await frame.getByText('emulated: nothing was run').first().waitFor();
    const [asked] = (await events('operate', 'agent.tool_use')).filter(event => event.evaluated_permission === 'ask');
    const answers = await events('operate', 'user.tool_confirmation');
    assert.deepEqual(
      answers.map(({ tool_use_id, result }) => [tool_use_id, result]),
      [[asked?.id, 'allow']],
    );
    await workbench.screenshot('session-panel-allowed');
  });

  it('denies with a reason that the agent reads', async () => {
    await say('operate', 'ask rm -rf node_modules');
    const frame = await open('operate');
    await frame.getByRole('button', { name: 'Deny with Reason…' }).click();
    await frame.getByRole('textbox', { name: 'Reason, for the agent to read' }).fill('Keep the packages.');
    await workbench.screenshot('session-panel-deny');
    await frame.getByRole('button', { name: 'Deny with This Reason' }).click();
    await frame.getByText('I leave it as it is.').first().waitFor();
    const answer = (await events('operate', 'user.tool_confirmation')).at(-1);
    assert.equal(answer?.result, 'deny');
    assert.equal(answer?.deny_message, 'Keep the packages.');
  });

  it('gives a custom tool a result from a file', async () => {
    await say('shop', 'price of tea');
    const frame = await open('shop');
    await frame
      .getByRole('button', { name: /From File|File…|from a File/i })
      .first()
      .click();
    await chooseFile('/', 'price.json');
    await frame.getByText('says').first().waitFor();
    const [result] = await events('shop', 'user.custom_tool_result');
    assert.match(JSON.stringify(result?.content), /3\.2/);
    await workbench.screenshot('session-panel-custom');
  });

  it('shows the threads of sub-agents, each with its own log', async () => {
    await say('delegate', 'delegate both look around');
    const frame = await open('delegate');
    await frame.getByText('That is all.').first().waitFor();
    const tabs = frame.getByRole('tab');
    assert.ok((await tabs.count()) >= 3, `${await tabs.count()} tabs`);
    await tabs.nth(1).click();
    await frame.getByText('TODO').first().waitFor();
    await workbench.screenshot('session-panel-thread');
    await tabs.nth(0).click();
    await frame.getByText('That is all.').first().waitFor();
  });

  it('opens an event as JSON', async () => {
    const frame = await open('talk');
    await frame.getByText('You wrote: "said while nobody listened"').first().click();
    await frame.getByRole('button', { name: 'Open as JSON' }).first().click();
    await workbench.waitFor('.tab.active[aria-label*=".json"]');
    assert.match(await workbench.editorText(), /"type": "agent\.message"/);
    await workbench.screenshot('session-panel-raw');
  });

  it('asks before it opens a link, and names the host', async () => {
    await say('hostile', 'markdown');
    const frame = await open('hostile');
    await frame.getByRole('link', { name: 'link to the contract' }).first().click();
    const text = await workbench.dialogText();
    assert.match(text, /Open a link to example\.com that a model wrote\?/);
    assert.match(text, /https:\/\/example\.com\/contract/);
    await workbench.screenshot('session-panel-link');
    await workbench.dialogButton('Cancel');
  });

  it('lets nothing run or hide that an agent says', async () => {
    const frame = await open('hostile');
    await say('hostile', 'hostile');
    await frame.getByText('{{constructor.constructor("alert(1)")()}}').first().waitFor();
    assert.doesNotMatch(await workbench.page.title(), /owned/);
    assert.equal(await frame.locator('img, iframe, svg[onload]').count(), 0);
    await workbench.screenshot('session-panel-hostile');
  });

  it('comes back after the window was reloaded, with what was being written', async () => {
    const frame = await open('talk');
    await composer(frame).fill('an unfinished thought');
    // A VS Code in a browser writes down every five seconds what is open, and nothing when it is left.
    await workbench.page.waitForTimeout(7000);
    await workbench.reloadWindow();
    await workbench.waitFor('.tab.active[aria-label*="Session talk"]');
    const again = await frameOf();
    await again.getByText('You wrote: "said while nobody listened"').first().waitFor({ state: 'attached' });
    await again.getByText('Live', { exact: true }).first().waitFor();
    assert.equal(await composer(again).inputValue(), 'an unfinished thought');
    await composer(again).fill('');
    await workbench.screenshot('session-panel-reloaded');
  });

  it('exports the whole log, and shows the file without a service', async () => {
    await open('delegate');
    await workbench.runCommand('Managed Agents: Export Session');
    await workbench.quickPick('JSON Lines');
    await chooseFile('Session delegate.session.jsonl', 'delegated.session.jsonl');
    await workbench.notification('The session was exported');
    const lines = readFileSync(path.join(workbench.folder, 'delegated.session.jsonl'), 'utf8').trimEnd().split('\n');
    const types = lines.map(line => JSON.parse(line).type);
    assert.equal(types[0], 'export.header');
    assert.ok(types.includes('export.thread'));
    const { items } = await client.sessions.events(id('delegate')).list({ order: 'asc', limit: 1000 });
    const own = lines.slice(1, types.indexOf('export.thread')).map(line => JSON.parse(line).id);
    assert.deepEqual(
      own,
      items.map(event => event.id),
    );
    await workbench.notificationButton('The session was exported', 'Open');
    await workbench.waitFor('.tab.active[aria-label*="delegated.session.jsonl"]');
    const frame = await frameOf();
    await frame.getByText('Exported file').first().waitFor();
    await frame.getByText('That is all.').first().waitFor();
    await workbench.screenshot('session-panel-replay');
  });

  it('exports only what is shown', async () => {
    const frame = await open('operate');
    await frame.getByRole('button', { name: /^Status, / }).click();
    await frame.getByRole('button', { name: 'Export…' }).click();
    await workbench.quickPick('JSON Lines, only what is shown');
    await chooseFile('Session operate.session.jsonl', 'shown.session.jsonl');
    await workbench.notification('The session was exported');
    const types = readFileSync(path.join(workbench.folder, 'shown.session.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).type);
    assert.ok(types.includes('user.message') && types.includes('agent.tool_result'));
    assert.ok(types.every(type => !/^session\.(?:thread_)?status_/.test(type)));
    await workbench.clearNotifications();
    await frame.getByRole('button', { name: 'Show All', exact: true }).click();
  });

  it('exports Markdown to read', async () => {
    await open('operate');
    await workbench.runCommand('Managed Agents: Export Session');
    await workbench.quickPick('Markdown');
    await chooseFile('Session operate.session.md', 'operated.md');
    await workbench.notification('The session was exported');
    const text = readFileSync(path.join(workbench.folder, 'operated.md'), 'utf8');
    assert.match(text, /Session operate/);
    assert.match(text, /rm -rf build/);
    assert.match(text, /Keep the packages\./);
    await workbench.clearNotifications();
  });

  it('stays readable when the session is deleted, and says so', async () => {
    await say('lost', 'hello');
    const frame = await open('lost');
    await frame.getByText('You wrote: "hello"').first().waitFor();
    await client.sessions.delete(id('lost'));
    await frame.getByText('The session was deleted', { exact: false }).first().waitFor();
    assert.ok(await frame.getByText('You wrote: "hello"').first().isVisible());
    await frame.getByText('This session was deleted.').first().waitFor();
    await workbench.pictures('session-panel-deleted');
  });

  it('leaves no stream behind when it is closed', async () => {
    await open('talk');
    assert.ok(emulator.openStreams >= 1);
    await workbench.tidy();
    const end = Date.now() + 5000;
    while (emulator.openStreams > 0 && Date.now() < end) {
      await workbench.page.waitForTimeout(50);
    }
    assert.equal(emulator.openStreams, 0);
  });
});
