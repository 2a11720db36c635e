import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createServiceClient } from '../../../src/client/createServiceClient';
import { dialects } from '../../../src/client/dialect';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { Consents, consentKeys } from '../../../src/common/consents';
import { Log } from '../../../src/common/log';
import type { Emulator } from '../../../src/emulator/emulator';
import type { Fault } from '../../../src/emulator/faults';
import { startEmulator } from '../../../src/emulator/http/server';
import { ChatModelProvider } from '../../../src/features/chatModels/chatModelProvider';
import { endsRequests } from '../../../src/features/chatModels/offeredChatModels';
import type { Connection, Connections } from '../../../src/features/connection';
import { MemoryMemento } from '../../unit/features/sessions/memoryMemento';
import { eventuallyHolds } from '../eventually';
import { withSetting } from '../useExtension';

const canary = 'sk-9fK2mQ7xLw4TzB8vR3nY6cHd';
const { User } = vscode.LanguageModelChatMessage;

describe('models of a service that costs, for chats', () => {
  let emulator: Emulator;
  let client: ServiceClient;
  let channel: vscode.LogOutputChannel;
  const lines: string[] = [];
  const made: ChatModelProvider[] = [];
  const changed = new vscode.EventEmitter<void>();
  const connectionsChanged = new vscode.EventEmitter<void>();

  before(async () => {
    emulator = await startEmulator({ key: canary, scenario: { streamPause: 1 } });
    client = createServiceClient({
      baseUrl: emulator.url,
      auth: 'x-api-key',
      dialect: dialects.contract,
      credential: async () => ({ key: canary, origin: new URL(emulator.url).origin }),
    });
    channel = vscode.window.createOutputChannel('Chat model tests', { log: true });
  });
  afterEach(() => {
    for (const provider of made.splice(0)) {
      provider.dispose();
    }
  });
  after(async () => {
    channel.dispose();
    changed.dispose();
    connectionsChanged.dispose();
    await client.close();
    await emulator.stop();
  });

  /** A provider of a connection that costs, or of one that does not. */
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
      ...{ state: 'ready', access: 'Lab', reason: undefined, whenKnown: Promise.resolve() },
      onDidChange: connectionsChanged.event,
      all: () => [connection],
      find: () => connection,
      client: async () => client,
    };
    const globalState = new MemoryMemento();
    if (isConsented) {
      await new Consents(globalState, consentKeys.chat, async () => true).demand(connection);
    }
    const log = new Log(channel);
    log.info = line => lines.push(line);
    // Of the context only its memory is read.
    const provider = new ChatModelProvider(
      { context: { globalState } as unknown as vscode.ExtensionContext, connections, log },
      isOn,
      changed,
      ask && (async () => await ask(change => switchTo({ ...connection, ...change }))),
    );
    made.push(provider);
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
        [{ ...User(text), role: User('').role, content: User(text).content, name: undefined }],
        { toolMode: vscode.LanguageModelChatToolMode.Auto },
        progress,
        token,
      );
      return parts.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
    };
    return { provider, respond, connection, connections, switchTo };
  }

  const posts = () => emulator.requests.filter(({ method }) => method === 'POST');

  it('are offered only where VS Code ends what nobody waits for, and never while they are off', async () => {
    const count = async (options: Parameters<typeof provide>[0]) => (await (await provide(options)).provider.list()).length;
    assert.equal((await count({})) > 0, endsRequests(vscode.version));
    assert.ok((await count({ isEmulator: true })) > 0);
    assert.equal(await count({ isOn: () => false }), 0);
  });

  it('are listed without a question, and without asking a service that has no key or that the workspace may not reach', async () => {
    const { provider, connections } = await provide({ isEmulator: true, ask: () => assert.fail('the person was asked') });
    const before = emulator.requests.length;
    for (const state of ['none', 'noKey', 'untrusted'] as const) {
      Object.assign(connections, { state });
      assert.deepEqual(await provider.list(), [], state);
    }
    Object.assign(connections, { state: 'ready' });
    const isTrusted = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted') ?? assert.fail();
    Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, get: () => false });
    try {
      assert.deepEqual(await provider.list(), []);
    } finally {
      Object.defineProperty(vscode.workspace, 'isTrusted', isTrusted);
    }
    assert.equal(emulator.requests.length, before);
    assert.ok((await provider.list()).length > 0);
    const asked = emulator.requests.slice(before);
    assert.ok(asked.length > 0 && asked.every(({ method, path }) => method === 'GET' && path.startsWith('/v1/models')));
  });

  it('are those that have a price where the service is dead or somebody else answers for it, and all once it is back', async () => {
    const prices = 'managedAgents.estimate.prices';
    const faults: readonly Fault[] = [
      { name: 'html', status: 200 },
      { name: 'html', status: 403 },
      { name: 'badJson' },
      { name: 'redirect', location: 'http://127.0.0.1:9' },
      { name: 'notFound' },
    ];
    await withSetting(prices, { 'priced-1': { input: 1, output: 2 } }, async () => {
      for (const fault of faults) {
        const { provider } = await provide({ isEmulator: true });
        emulator.setScenario({ faults: [{ ...fault, route: 'models.list' }] });
        try {
          await eventuallyHolds(async () =>
            assert.deepEqual(
              (await provider.list()).map(({ model }) => model),
              ['priced-1'],
            ),
          );
        } finally {
          emulator.setScenario({ faults: [] });
        }
        assert.ok((await provider.list()).length > 1, fault.name);
      }
    });
  });

  it('say in words why an answer is not whole, with what there is of it', async () => {
    const { respond } = await provide({ isEmulator: true });
    await assert.rejects(respond('[emulate: max_tokens] A question whose answer is cut'), /The answer was cut: it reached the most tokens/);
    await assert.rejects(respond('[emulate: cut] and some words before it'), /connection/i);
    emulator.setScenario({ faults: [{ name: 'rateLimit', route: 'messages.create', seconds: 7 }] });
    try {
      await assert.rejects(respond('Hi'), /asks to wait 7 s/);
    } finally {
      emulator.setScenario({ faults: [] });
    }
  });

  it('send nothing before the person agreed, and close the connection when they are stopped', async () => {
    if (!endsRequests(vscode.version)) {
      return;
    }
    const before = posts().length;
    // VS Code refuses to ask inside tests, which is no agreement.
    await assert.rejects((await provide({ isConsented: false })).respond('Hi'));
    assert.equal(posts().length, before);

    const { respond } = await provide();
    assert.equal(await respond('[emulate: text Agreed.]'), 'Agreed.');
    const cancelling = new vscode.CancellationTokenSource();
    await assert.rejects(
      respond('[emulate: long 1000000]', cancelling.token, () => cancelling.cancel()),
      vscode.CancellationError,
    );
    await eventuallyHolds(() =>
      assert.deepEqual(
        posts()
          .slice(before)
          .map(({ isWhole }) => isWhole),
        [true, false],
      ),
    );
  });

  it('are told anew when there are others, or the setting changed, and not before somebody asked for them', async () => {
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
    await eventuallyHolds(() => assert.equal(count, 1));
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

  it('ask once, and send to nobody but whom the person agreed to', async () => {
    if (!endsRequests(vscode.version)) {
      return;
    }
    const before = posts().length;
    let count = 0;
    const says = (isAllowed: boolean) => async () => {
      count++;
      return isAllowed;
    };
    const { respond: declined } = await provide({ isConsented: false, ask: says(false) });
    await assert.rejects(declined('Hi'), /You did not allow requests to the models of the connection "Lab"/);
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

  it('wait for no answer of the person when nobody waits for that of the model any more', async () => {
    if (!endsRequests(vscode.version)) {
      return;
    }
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

  it('ask again after the person took it back', async () => {
    if (!endsRequests(vscode.version)) {
      return;
    }
    const { provider, respond } = await provide();
    await provider.startOver();
    const before = posts().length;
    await assert.rejects(respond('Hi'));
    assert.equal(posts().length, before);
  });

  it('say nothing of the key, in a log or an error', async () => {
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
