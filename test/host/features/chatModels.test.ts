import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { endsRequests } from '../../../src/features/chatModels/toChatModels';
import { eventually, eventuallyHolds } from '../eventually';
import { useExtension, withSetting } from '../useExtension';

const setting = 'managedAgents.ai.models';
const vendor = 'managed-agents';
const settings = () => vscode.workspace.getConfiguration();
/** True if VS Code fires the event for changed models. The oldest supported version has the event but never fires it. */
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

  it("are off by default, and can't be turned on by a workspace", async () => {
    assert.equal(settings().get(setting), false);
    assert.deepEqual(await vscode.lm.selectChatModels({ vendor }), []);
    await assert.rejects(Promise.resolve(settings().update(setting, true, vscode.ConfigurationTarget.Workspace)));
    assert.deepEqual(await vscode.lm.selectChatModels({ vendor }), []);
  });

  it('are offered while they are turned on, and VS Code is notified', async () => {
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

  it('answer, call a tool and use its result', async () => {
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

  it('stop when nobody waits for the answer', async () => {
    if (!endsRequests(vscode.version)) {
      // Before 1.127, VS Code doesn't tell a provider that a request was canceled, so only free models are offered.
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
      // Only the provider can end this answer early. The complete answer would take hours.
      await reading.catch((error: unknown) => assert.match(String(error), /cancel/i));
      assert.ok(characters > 0 && characters < 500_000, String(characters));
      assert.equal((await read(await model.sendRequest([User('[emulate: text Still here.]')]))).text, 'Still here.');
    });
  });

  it('explain failures, with a kind that VS Code knows', async () => {
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
