import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createServiceClient } from '../../../src/client/createServiceClient';
import { dialects } from '../../../src/client/dialect';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { Consents, consentKeys } from '../../../src/common/consents';
import { Log } from '../../../src/common/log';
import type { Emulator } from '../../../src/emulator/emulator';
import { startEmulator } from '../../../src/emulator/http/server';
import { ChatModelProvider } from '../../../src/features/chatModels/chatModelProvider';
import { endsRequests } from '../../../src/features/chatModels/offeredChatModels';
import type { Connection, Connections } from '../../../src/features/connection';
import { MemoryMemento } from '../../unit/features/sessions/memoryMemento';
import { eventually, eventuallyHolds } from '../eventually';
import { useExtension, withSetting } from '../useExtension';

const canary = 'sk-9fK2mQ7xLw4TzB8vR3nY6cHd';
const setting = 'managedAgents.ai.models';
const vendor = 'managed-agents';
const settings = () => vscode.workspace.getConfiguration();
/** The oldest supported VS Code has the event, and never fires it: whoever wants to know asks again. */
const tellsOfModels = !vscode.version.startsWith('1.105.');
const { User, Assistant } = vscode.LanguageModelChatMessage;
const clock: vscode.LanguageModelChatTool = {
  name: 'test_clock',
  description: 'Tells the time.',
  inputSchema: { type: 'object', properties: { zone: { type: 'string' } }, required: ['zone'] },
};

async function offered(): Promise<vscode.LanguageModelChat> {
  return await eventually(async () => (await vscode.lm.selectChatModels({ vendor }))[0]);
}

async function read(response: vscode.LanguageModelChatResponse): Promise<{ text: string; calls: vscode.LanguageModelToolCallPart[] }> {
  let text = '';
  const calls: vscode.LanguageModelToolCallPart[] = [];
  for await (const part of response.stream) {
    if (part instanceof vscode.LanguageModelTextPart) {
      text += part.value;
    } else if (part instanceof vscode.LanguageModelToolCallPart) {
      calls.push(part);
    }
  }
  return { text, calls };
}

describe('models of the emulator for chats', () => {
  useExtension('chatModels');
  before('use the emulator', async () => {
    await vscode.commands.executeCommand('managedAgents.emulator.start');
    await settings().update('managedAgents.connection', 'Emulator', vscode.ConfigurationTarget.Global);
  });
  after(async () => {
    await settings().update('managedAgents.connection', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('managedAgents.emulator.stop');
  });

  it('are not offered before somebody turns them on, and no workspace can', async () => {
    assert.equal(settings().get(setting), false);
    assert.deepEqual(await vscode.lm.selectChatModels({ vendor }), []);
    await assert.rejects(Promise.resolve(settings().update(setting, true, vscode.ConfigurationTarget.Workspace)));
    assert.deepEqual(await vscode.lm.selectChatModels({ vendor }), []);
  });

  it('are offered while they are on, VS Code is told, and go when they are turned off', async () => {
    let changes = 0;
    const subscription = vscode.lm.onDidChangeChatModels(() => changes++);
    await withSetting(setting, true, async () => {
      const model = await offered();
      assert.match(model.name, /\(emulated\)$/);
      assert.match(model.id, /^Emulator\//);
      assert.ok(model.maxInputTokens >= 100_000);
      if (tellsOfModels) {
        await eventuallyHolds(() => assert.ok(changes > 0));
      }
      const tokens = await model.countTokens('How many tokens are these?');
      assert.ok(tokens > 4 && tokens < 20, String(tokens));
      assert.ok((await model.countTokens(User('How many?'))) > (await model.countTokens('How many?')));
    });
    await eventuallyHolds(async () => assert.deepEqual(await vscode.lm.selectChatModels({ vendor }), []));
    subscription.dispose();
  });

  it('answer, call a tool and take its result', async () => {
    await withSetting(setting, true, async () => {
      const model = await offered();
      const said = await read(await model.sendRequest([User('[emulate: text One word, and then some more.]')]));
      assert.deepEqual(said, { text: 'One word, and then some more.', calls: [] });

      const question = User('Which time is it?');
      const toolMode = vscode.LanguageModelChatToolMode.Required;
      const { calls } = await read(await model.sendRequest([question], { tools: [clock], toolMode }));
      const [call] = calls;
      assert.ok(call?.name === 'test_clock', JSON.stringify(calls));
      assert.deepEqual(call.input, { zone: 'emulated' });
      const result = new vscode.LanguageModelToolResultPart(call.callId, [new vscode.LanguageModelTextPart('12:00')]);
      const history = [question, Assistant([call]), User([result]), User('[emulate: text It is noon.]')];
      assert.equal((await read(await model.sendRequest(history, { tools: [clock] }))).text, 'It is noon.');
    });
  });

  it('stop in the middle when nobody waits for the answer any more', async () => {
    if (!endsRequests(vscode.version)) {
      // VS Code tells no provider of it before 1.127; there only what costs nothing is offered.
      return;
    }
    await withSetting(setting, true, async () => {
      const model = await offered();
      const cancelling = new vscode.CancellationTokenSource();
      const response = await model.sendRequest([User('[emulate: long 1000000]')], {}, cancelling.token);
      let characters = 0;
      const reading = (async () => {
        for await (const text of response.text) {
          characters += text.length;
          cancelling.cancel();
        }
      })();
      // Its end comes from the provider alone; whole it takes hours.
      await reading.catch((error: unknown) => assert.match(String(error), /cancel/i));
      assert.ok(characters > 0 && characters < 500_000, String(characters));
      assert.equal((await read(await model.sendRequest([User('[emulate: text Still here.]')]))).text, 'Still here.');
    });
  });

  it('tell in words what failed, of a kind that VS Code knows', async () => {
    await withSetting(setting, true, async () => {
      const model = await offered();
      const failure = async (marker: string) => {
        try {
          await read(await model.sendRequest([User(`[emulate: ${marker}]`)]));
        } catch (error) {
          return error as vscode.LanguageModelError;
        }
        return assert.fail('it was answered');
      };
      assert.equal((await failure('refusal')).code, vscode.LanguageModelError.Blocked('').code);
      assert.equal((await failure('error not_found_error')).code, vscode.LanguageModelError.NotFound('').code);
      assert.equal((await failure('error permission_error')).code, vscode.LanguageModelError.NoPermissions('').code);
      assert.match((await failure('error overloaded_error')).message, /Emulated failure, asked for by the request/);
    });
  });
});

describe('models of a service that costs, for chats', () => {
  let emulator: Emulator;
  let client: ServiceClient;
  let channel: vscode.LogOutputChannel;
  const lines: string[] = [];
  const made: ChatModelProvider[] = [];

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
    let current = connection;
    const connections: Connections = {
      get current() {
        return current;
      },
      ...{ state: 'ready', access: 'Lab', reason: undefined, whenKnown: Promise.resolve() },
      onDidChange: () => new vscode.Disposable(() => undefined),
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
      ask && (async () => await ask(change => (current = { ...connection, ...change }))),
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
    return { provider, respond };
  }

  const posts = () => emulator.requests.filter(({ method }) => method === 'POST');

  it('are offered only where VS Code ends what nobody waits for, and never while they are off', async () => {
    const count = async (options: Parameters<typeof provide>[0]) => (await (await provide(options)).provider.list()).length;
    assert.equal((await count({})) > 0, endsRequests(vscode.version));
    assert.ok((await count({ isEmulator: true })) > 0);
    assert.equal(await count({ isOn: () => false }), 0);
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
