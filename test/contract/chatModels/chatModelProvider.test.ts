import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { Consents, consentKeys } from '../../../src/common/consents';
import { Log } from '../../../src/common/log';
import type { Fault } from '../../../src/emulator/faults';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { ChatModelProvider } from '../../../src/features/chatModels/chatModelProvider';
import type { Connection, Connections } from '../../../src/features/connection';
import { contractClient } from '../../helpers/emulatorClient';
import { until } from '../../helpers/until';
import { settings, setVersion } from '../../helpers/vscode';
import { MemoryMemento } from '../../unit/features/sessions/memoryMemento';

const canary = 'sk-9fK2mQ7xLw4TzB8vR3nY6cHd';

describe('chatModels/chatModelProvider', () => {
  let emulator: Emulator;
  let client: ServiceClient;
  const lines: string[] = [];
  const created: ChatModelProvider[] = [];
  const changed = new vscode.EventEmitter<void>();
  const connectionsChanged = new vscode.EventEmitter<void>();
  const { showWarningMessage } = vscode.window;
  let questions: string[];

  before(async () => {
    emulator = await startEmulator({ key: canary, scenario: { streamPause: 1 } });
    client = contractClient(emulator);
  });
  beforeEach('decline', () => {
    questions = [];
    Object.assign(vscode.window, { showWarningMessage: async (message: string) => void questions.push(message) });
  });
  afterEach(() => {
    Object.assign(vscode.window, { showWarningMessage });
    for (const provider of created.splice(0)) {
      provider.dispose();
    }
  });
  after(async () => {
    changed.dispose();
    connectionsChanged.dispose();
    await client.close();
    await emulator.stop();
  });

  /** Creates a provider for a connection that costs money, or for a free one. */
  async function provide({
    isConsented = true,
    isEmulator = false,
    isOn = (): boolean => true,
    ask = undefined as undefined | ((change: (connection: Partial<Connection>) => void) => Promise<boolean>),
  } = {}) {
    const connection: Connection = {
      ...{ name: 'Lab', baseUrl: emulator.url, auth: 'x-api-key', dialect: 'contract', extraBetas: [] },
      ...{ limits: { maxRequests: 1, maxBytes: 1 }, allowInsecureHttp: false, isEmulator },
    };
    let current: Connection | undefined = connection;
    const switchTo = (other: Connection | undefined) => {
      current = other;
    };
    const connections: Connections = {
      get current() {
        return current;
      },
      ...{
        state: 'ready',
        access: 'Lab',
        reason: undefined,
        served: { has: () => undefined, note: () => {}, onDidChange: () => ({ dispose: () => {} }) },
        whenKnown: Promise.resolve(),
      },
      onDidChange: connectionsChanged.event,
      all: () => [connection],
      find: () => connection,
      setUserProfile: async () => {},
      client: async () => client,
    };
    const globalState = new MemoryMemento();
    if (isConsented) {
      await new Consents(globalState, consentKeys.chat, async () => true).demand(connection);
    }
    const note = (line: string) => void lines.push(line);
    const log = new Log({ info: note, warn: note, error: note } as unknown as vscode.LogOutputChannel);
    // The provider only reads `globalState`.
    const provider = new ChatModelProvider(
      { context: { globalState } as unknown as vscode.ExtensionContext, connections, log },
      isOn,
      changed,
      ask && (async () => await ask(change => switchTo({ ...connection, ...change }))),
    );
    created.push(provider);
    const respond = async (text: string, token = new vscode.CancellationTokenSource().token, onText = () => {}) => {
      const parts: unknown[] = [];
      const model = (await provider.list())[0] ?? assert.fail('no model is offered');
      const progress = {
        report: (part: unknown) => {
          parts.push(part);
          onText();
        },
      };
      await provider.respond(
        model,
        [{ role: vscode.LanguageModelChatMessageRole.User, content: [new vscode.LanguageModelTextPart(text)], name: undefined }],
        { toolMode: vscode.LanguageModelChatToolMode.Auto },
        progress,
        token,
      );
      return parts.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
    };
    return { provider, respond, connection, connections, switchTo };
  }

  const posts = () => emulator.requests.filter(({ method }) => method === 'POST');

  it('are offered only if VS Code cancels unused requests, and never while they are turned off', async () => {
    const count = async (options: Parameters<typeof provide>[0]) => (await (await provide(options)).provider.list()).length;
    assert.ok((await count({})) > 0);
    assert.equal(await count({ isOn: () => false }), 0);
    const { version } = vscode;
    setVersion('1.126.0');
    try {
      assert.equal(await count({}), 0);
      assert.ok((await count({ isEmulator: true })) > 0);
    } finally {
      setVersion(version);
    }
  });

  it("are listed without asking the user, and without calling a service that has no key or isn't trusted by the workspace", async () => {
    const { provider, connections } = await provide({ isEmulator: true, ask: () => assert.fail('the user was asked') });
    const before = emulator.requests.length;
    for (const state of ['none', 'noKey', 'untrusted'] as const) {
      Object.assign(connections, { state });
      assert.deepEqual(await provider.list(), [], state);
    }
    Object.assign(connections, { state: 'ready' });
    Object.assign(vscode.workspace, { isTrusted: false });
    try {
      assert.deepEqual(await provider.list(), []);
    } finally {
      Object.assign(vscode.workspace, { isTrusted: true });
    }
    assert.equal(emulator.requests.length, before);
    assert.ok((await provider.list()).length > 0);
    const asked = emulator.requests.slice(before);
    assert.ok(asked.length > 0 && asked.every(({ method, path }) => method === 'GET' && path.startsWith('/v1/models')));
  });

  it('include only models with a price while the service is down or replaced, and all afterwards', async () => {
    const prices = 'managedAgents.estimate.prices';
    const unset = settings[prices];
    const faults: readonly Fault[] = [
      { name: 'html', status: 200 },
      { name: 'html', status: 403 },
      { name: 'badJson' },
      { name: 'redirect', location: 'http://127.0.0.1:9' },
      { name: 'notFound' },
    ];
    settings[prices] = { 'priced-1': { input: 1, output: 2 } };
    try {
      for (const fault of faults) {
        const { provider } = await provide({ isEmulator: true });
        emulator.setScenario({ faults: [{ ...fault, route: 'models.list' }] });
        const listed = (await provider.list()).map(({ model }) => model);
        emulator.setScenario({ faults: [] });
        assert.deepEqual(listed, ['priced-1'], fault.name);
        assert.ok((await provider.list()).length > 1, fault.name);
      }
    } finally {
      settings[prices] = unset;
      emulator.setScenario({ faults: [] });
    }
  });

  it('explain why an answer is incomplete, and return its text', async () => {
    const { respond } = await provide({ isEmulator: true });
    await assert.rejects(respond('[emulate: max_tokens] A question whose answer is cut'), /The answer reached the token limit/);
    await assert.rejects(respond('[emulate: cut] and some words before it'), /connection/i);
    emulator.setScenario({ faults: [{ name: 'rateLimit', route: 'messages.create', seconds: 7 }] });
    try {
      await assert.rejects(respond('Hi'), /asks to wait 7 s/);
    } finally {
      emulator.setScenario({ faults: [] });
    }
  });

  it('send nothing before the user agreed, and close the connection when they are stopped', async () => {
    const before = posts().length;
    await assert.rejects((await provide({ isConsented: false })).respond('Hi'), /Requests to models of "Lab" aren't allowed/);
    assert.deepEqual(questions, ['Allow chats and extensions to use the models of "Lab"?']);
    assert.equal(posts().length, before);

    const { respond } = await provide();
    assert.equal(await respond('[emulate: text Agreed.]'), 'Agreed.');
    const cancelling = new vscode.CancellationTokenSource();
    await assert.rejects(
      respond('[emulate: long 1000000]', cancelling.token, () => cancelling.cancel()),
      vscode.CancellationError,
    );
    const sent = posts().slice(before);
    await until(() => sent.every(({ isWhole }) => isWhole !== undefined));
    assert.deepEqual(
      sent.map(({ isWhole }) => isWhole),
      [true, false],
    );
  });

  it('are announced again only when the list or the setting changed, after the first request for them', async () => {
    const { provider, connection, switchTo } = await provide({ isEmulator: true });
    let count = 0;
    const listening = changed.event(() => count++);
    switchTo(undefined);
    connectionsChanged.fire();
    switchTo(connection);
    assert.ok((await provider.list()).length > 0);
    assert.equal(count, 0);

    connectionsChanged.fire();
    switchTo({ ...connection, name: 'Other' });
    connectionsChanged.fire();
    await until(() => count > 0);
    assert.equal(count, 1);
    assert.ok((await provider.list()).every(model => model.connection === 'Other'));

    const lists = () => emulator.requests.filter(({ path }) => path.startsWith('/v1/models')).length;
    const before = lists();
    await provider.list();
    assert.equal(lists(), before);
    await provider.startOver();
    await provider.list();
    assert.deepEqual([count, lists() - before], [2, 1]);
    listening.dispose();
  });

  it('ask once, and send only to the connection that the user agreed to', async () => {
    const before = posts().length;
    let count = 0;
    const says = (isAllowed: boolean) => async () => {
      count++;
      return isAllowed;
    };
    const { respond: declined } = await provide({ isConsented: false, ask: says(false) });
    await assert.rejects(declined('Hi'), /Requests to models of "Lab" aren't allowed/);
    await assert.rejects(declined('Hi'), { code: vscode.LanguageModelError.NoPermissions('').code });
    assert.deepEqual([count, posts().length - before], [1, 0]);

    const { respond: allowed } = await provide({ isConsented: false, ask: says(true) });
    assert.equal(await allowed('[emulate: text Agreed.]'), 'Agreed.');
    assert.equal(await allowed('[emulate: text Again.]'), 'Again.');
    assert.deepEqual([count, posts().length - before], [2, 2]);

    let isOn = true;
    for (const change of [{ name: 'Other' }, { baseUrl: 'https://elsewhere.example' }, undefined]) {
      const { respond } = await provide({
        isConsented: false,
        isOn: () => isOn,
        ask: async switchTo => {
          switchTo(change ?? {});
          isOn = change !== undefined;
          return true;
        },
      });
      await assert.rejects(respond('Hi'), { code: vscode.LanguageModelError.NotFound('').code });
    }
    assert.equal(posts().length - before, 2);
  });

  it('stop waiting for the user when nobody waits for the model', async () => {
    const cancelling = new vscode.CancellationTokenSource();
    const before = posts().length;
    const { respond } = await provide({
      isConsented: false,
      ask: async () => {
        cancelling.cancel();
        return await new Promise<boolean>(() => {});
      },
    });
    await assert.rejects(respond('Hi', cancelling.token), vscode.CancellationError);
    assert.equal(posts().length, before);
  });

  it('ask again after the user withdrew consent', async () => {
    const { provider, respond } = await provide();
    await provider.startOver();
    const before = posts().length;
    await assert.rejects(respond('Hi'), /Requests to models of "Lab" aren't allowed/);
    assert.equal(questions.length, 1);
    assert.equal(posts().length, before);
  });

  it('never reveal the key, in a log or an error', async () => {
    const { provider, respond } = await provide({ isEmulator: true });
    const told: string[] = [JSON.stringify(await provider.list())];
    for (const marker of ['text Hi', 'error authentication_error', 'error api_error', 'stream-error api_error', 'refusal']) {
      const failure: unknown = await respond(`[emulate: ${marker}] The key is ${canary}`).catch((error: unknown) => error);
      told.push(failure instanceof Error ? `${failure.message} ${failure.stack} ${String(failure.cause)}` : '');
    }
    assert.ok(
      lines.some(line => /input and \d+ output tokens/.test(line)),
      lines.join('\n'),
    );
    assert.doesNotMatch([...told, ...lines].join('\n'), new RegExp(canary));
  });
});
