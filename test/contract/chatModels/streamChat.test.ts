import assert from 'node:assert/strict';
import type { LanguageModelChatTool } from 'vscode';
import { dialects } from '../../../src/client/dialect';
import type { ServiceClient } from '../../../src/client/serviceClient';
import type { Fault } from '../../../src/emulator/faults';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { streamChat, type ToolCall } from '../../../src/features/chatModels/streamChat';
import type { ChatRequest, ChatTurn } from '../../../src/features/chatModels/toMessageRequest';
import { StreamedAnswer } from '../../../src/features/requests/running/streamedAnswer';
import { contractClient } from '../../helpers/emulatorClient';
import { until } from '../../helpers/until';

const clock: LanguageModelChatTool = {
  name: 'the clock',
  description: 'Tells the time.',
  inputSchema: { type: 'object', properties: { zone: { type: 'string' } }, required: ['zone'] },
};

describe('chats with models of the emulator', () => {
  let emulator: Emulator;
  let client: ServiceClient;

  before(async () => {
    emulator = await startEmulator({ scenario: { streamPause: 0 } });
    client = contractClient(emulator);
  });
  after(async () => {
    await client.close();
    await emulator.stop();
  });

  /** Sends a user's message after the earlier ones. */
  async function chat(
    said: string | readonly ChatTurn[],
    { signal = new AbortController().signal, onText = () => {}, ...change }: Partial<ChatRequest> & Partial<Hooks> = {},
  ) {
    const turns: readonly ChatTurn[] = typeof said === 'string' ? [{ role: 'user', parts: [{ kind: 'text', text: said }] }] : said;
    const request: ChatRequest = {
      ...{ model: 'vendor-sonnet-5', turns, tools: [], mustCall: false, options: {}, maxOutputTokens: 32_000 },
      naming: dialects.contract,
      ...change,
    };
    const answer = new StreamedAnswer();
    const texts: string[] = [];
    const calls: ToolCall[] = [];
    const text = (added: string) => {
      texts.push(added);
      onText();
    };
    const end = await streamChat(client, request, answer, { text, call: call => calls.push(call) }, signal);
    return { ...end, texts, text: texts.join(''), calls, answer };
  }

  interface Hooks {
    readonly signal: AbortSignal;
    readonly onText: () => void;
  }

  it('are streamed in parts, without thinking', async () => {
    const { kind, requestId, texts, text, answer } = await chat('[emulate: text One word after the other, and then some more.]');
    assert.deepEqual([kind, text], ['whole', 'One word after the other, and then some more.']);
    assert.ok(texts.length > 3);
    assert.ok(requestId?.startsWith('req_'));
    assert.equal(typeof answer.usage.output_tokens, 'number');
  });

  it("call a tool by the chat's name, accept its result, and stream the answer", async () => {
    const question: ChatTurn = { role: 'user', parts: [{ kind: 'text', text: 'Which time is it?' }] };
    const first = await chat([question], { tools: [clock], mustCall: true });
    const [call, ...others] = first.calls;
    assert.deepEqual([first.kind, others.length, call?.name, call?.input], ['whole', 0, 'the clock', { zone: 'emulated' }]);
    const { id, name, input } = call ?? assert.fail('no call');
    const second = await chat(
      [
        question,
        { role: 'assistant', parts: [{ kind: 'call', id, name, input }] },
        {
          role: 'user',
          parts: [
            { kind: 'result', id, isError: false, content: [{ kind: 'text', text: '12:00' }] },
            { kind: 'text', text: '[emulate: text It is noon.]' },
          ],
        },
      ],
      { tools: [clock] },
    );
    assert.deepEqual([second.kind, second.text, second.calls], ['whole', 'It is noon.', []]);
  });

  it('close the connection when nobody waits for the answer', async () => {
    emulator.setScenario({ streamPause: 1 });
    const controller = new AbortController();
    const before = emulator.requests.length;
    await assert.rejects(chat('[emulate: long 1000000]', { signal: controller.signal, onText: () => controller.abort() }), {
      kind: 'aborted',
    });
    emulator.setScenario({ streamPause: 0 });
    const [request, ...others] = emulator.requests.slice(before);
    await until(() => request?.isWhole !== undefined);
    assert.deepEqual([others, request?.status, request?.isWhole], [[], 200, false]);
    await chat('Hi');
    const next = emulator.requests.at(-1);
    await until(() => next?.isWhole !== undefined);
    assert.equal(next?.isWhole, true);
  });

  it('report a refusal', async () => {
    assert.equal((await chat('[emulate: refusal]')).kind, 'refused');
  });

  it('return the partial answer when it runs out of tokens, and report that unless the caller set the limit', async () => {
    const said = '[emulate: max_tokens] A question whose answer is cut';
    const short = await chat(said);
    assert.deepEqual([short.kind, short.answer.stopReason], ['tooLong', 'max_tokens']);
    assert.match(short.text, /^Emulated answer/);
    assert.equal((await chat(said, { options: { max_tokens: 50 } })).kind, 'whole');
  });

  it("call once, whatever the failure, and return the service's message", async () => {
    const fails = async (fault: Fault, expected: object) => {
      emulator.setScenario({ faults: [{ ...fault, route: 'messages.create' }] });
      const before = emulator.requests.length;
      try {
        await assert.rejects(chat('Hi'), expected);
      } finally {
        emulator.setScenario({ faults: [] });
      }
      assert.equal(emulator.requests.length, before + 1, fault.name);
    };
    await fails({ name: 'rateLimit', seconds: 7 }, { kind: 'rate_limit', message: /Emulated rate limit.*asks to wait 7 s/ });
    await fails({ name: 'overloaded' }, { kind: 'overloaded' });
    await fails({ name: 'html', status: 502 }, { message: /502/ });
    await fails({ name: 'html', status: 200 }, { message: /HTML|not the service/i });
    await fails({ name: 'redirect', location: 'http://127.0.0.1:9' }, { message: /redirect/i });
    await fails({ name: 'cutResponse' }, { kind: 'connection_lost' });
  });

  it('send nothing for an empty chat', async () => {
    const before = emulator.requests.length;
    assert.equal((await chat(' ')).kind, 'nothingToSend');
    assert.equal(emulator.requests.length, before);
  });

  it("fail with the service's error, before and during an answer", async () => {
    await assert.rejects(chat('[emulate: error not_found_error]'), { kind: 'not_found' });
    await assert.rejects(chat('[emulate: stream-error overloaded_error] and some words before it'), { kind: 'overloaded' });
    await assert.rejects(chat('[emulate: cut] and some words before it'), { kind: 'connection_lost' });
  });
});
