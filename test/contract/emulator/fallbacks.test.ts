import assert from 'node:assert/strict';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { call } from '../../helpers/emulatorClient';

const refused = 'vendor-opus-5';
const fallback = 'vendor-opus-4-6';
const objectBeta = { 'vendor-beta': 'fallback-credit-2026-07-01' };
const minute = 60_000;

const asked = (content: string, rest: object = {}) => ({
  model: refused,
  max_tokens: 100,
  messages: [{ role: 'user', content }],
  ...rest,
});

describe('emulator/messages/fallbacks', () => {
  let emulator: Emulator;

  beforeEach(async () => {
    emulator = await startEmulator({ scenario: { streamPause: 0, batchDuration: minute } });
  });
  afterEach(() => emulator.stop());

  const send = (body: object, headers: Record<string, string> = {}) => call(emulator, 'POST', '/v1/messages', body, headers);
  const refuse = async (body: object) => {
    const { json, text } = await send(body);
    assert.equal(json.stop_reason, 'refusal', text);
    return json;
  };
  const tokenFor = async (body: object): Promise<string> => (await refuse(body)).stop_details.fallback_credit_token;
  const redeem = (body: object, token: string | object, headers: Record<string, string> = {}) =>
    send({ ...body, model: fallback, fallback_credit_token: token }, headers);
  /** Asserts that strict mode gets a 400 with `message`, and that best-effort mode gets an answer whose usage has `reason`. */
  const assertNotRedeemed = async (body: object, token: string, reason: string, message: RegExp) => {
    for (const strict of [token, { token }, { token, mode: 'strict' }]) {
      const { status, json } = await send({ ...body, fallback_credit_token: strict }, objectBeta);
      assert.deepEqual([status, json.error.type], [400, 'invalid_request_error']);
      assert.match(json.error.message, message);
    }
    const { status, json, text } = await send({ ...body, fallback_credit_token: { token, mode: 'best_effort' } }, objectBeta);
    assert.equal(status, 200, text);
    assert.deepEqual(json.usage.fallback_credit, { status: { type: 'not_applied', reason } });
    assert.notEqual(json.stop_reason, 'refusal');
  };

  it('issues a credit with a refusal, in a message, a stream and a batch', async () => {
    const body = asked('[emulate: refusal]');
    assert.match(await tokenFor(body), /^.{1,2048}$/);
    const { text } = await send({ ...body, stream: true });
    assert.match(text, /"message_delta".*"stop_reason":"refusal".*"fallback_credit_token":"[^"]+"/);
    const requests = [{ custom_id: 'a', params: body }];
    const { id } = (await call(emulator, 'POST', '/v1/messages/batches?beta=true', { requests })).json;
    await emulator.advanceClock(minute);
    const { json } = await call(emulator, 'GET', `/v1/messages/batches/${id}/results`);
    assert.equal(typeof json.result.message.stop_details.fallback_credit_token, 'string');
    assert.equal((await redeem(body, json.result.message.stop_details.fallback_credit_token)).status, 200);
  });

  it('redeems a credit for the same body in both modes, and reports it in the usage', async () => {
    const body = asked('[emulate: refusal]', { system: 'Be brief.' });
    const token = await tokenFor(body);
    for (const form of [token, { token }, { token, mode: 'strict' }, { mode: 'best_effort', token }]) {
      const { status, json, text } = await redeem(body, form, objectBeta);
      assert.equal(status, 200, text);
      assert.deepEqual(json.usage.fallback_credit, { status: { type: 'redeemed' } });
      assert.deepEqual([json.model, json.stop_reason], [fallback, 'end_turn']);
    }
    assert.equal((await send({ ...body, messages: [{ role: 'user', content: 'x' }] })).json.usage.fallback_credit, null);
  });

  it('redeems a credit in a batch, where the vendor accepts and ignores it', async () => {
    const inBatch = async (to: Emulator, prefix: 'vendor' | 'claude', token: string) => {
      const headers = { 'anthropic-version': '2026-10-21' };
      const params = { ...asked('[emulate: refusal]'), model: `${prefix}-opus-4-6`, fallback_credit_token: token };
      const requests = [
        { custom_id: 'same', params },
        { custom_id: 'other', params: { ...params, max_tokens: 99 } },
      ];
      const { id } = (await call(to, 'POST', '/v1/messages/batches?beta=true', { requests }, headers)).json;
      await to.advanceClock(minute);
      const { text } = await call(to, 'GET', `/v1/messages/batches/${id}/results`, undefined, headers);
      const lines = text.trim().split('\n');
      return new Map(lines.map(line => [JSON.parse(line).custom_id, JSON.parse(line).result]));
    };
    const results = await inBatch(emulator, 'vendor', await tokenFor(asked('[emulate: refusal]')));
    assert.deepEqual(results.get('same').message.usage.fallback_credit, { status: { type: 'redeemed' } });
    assert.match(results.get('other').error.error.message, /not the one that was refused/);

    const vendor = await startEmulator({ dialect: 'anthropic-2026', scenario: { batchDuration: minute } });
    try {
      const body = { ...asked('[emulate: refusal]'), model: 'claude-opus-5' };
      const { json } = await call(vendor, 'POST', '/v1/messages', body, { 'anthropic-version': '2026-10-21' });
      for (const { message } of (await inBatch(vendor, 'claude', json.stop_details.fallback_credit_token)).values()) {
        assert.deepEqual([message.stop_reason, message.usage.fallback_credit], ['end_turn', null]);
      }
    } finally {
      await vendor.stop();
    }
  });

  it('redeems no credit for another body, model or key, or after 5 minutes', async () => {
    const body = asked('[emulate: refusal]');
    const token = await tokenFor(body);
    await assertNotRedeemed({ ...body, model: fallback, max_tokens: 99 }, token, 'body_mismatch', /not the one that was refused/);
    await assertNotRedeemed(body, token, 'invalid_target_model', /not an eligible fallback model/);
    await assertNotRedeemed({ ...body, model: 'some-model' }, token, 'invalid_target_model', /not an eligible fallback model/);
    const other = await startEmulator();
    try {
      const { json } = await call(other, 'POST', '/v1/messages', body);
      const foreign = json.stop_details.fallback_credit_token;
      await assertNotRedeemed({ ...body, model: fallback }, foreign, 'wrong_workspace', /another workspace/);
    } finally {
      await other.stop();
    }
    await emulator.advanceClock(4 * minute);
    assert.equal((await redeem(body, token)).status, 200);
    await emulator.advanceClock(minute + 1);
    await assertNotRedeemed({ ...body, model: fallback }, token, 'expired', /older than 5 minutes/);
  });

  it('redeems the extended form: the partial text without trailing white space, in one assistant message', async () => {
    const body = asked('[emulate: partial-refusal Emulated answer]');
    const { content, stop_details: details } = await refuse(body);
    assert.deepEqual(content, [{ type: 'text', text: 'Emulated answer', citations: null }]);
    const token = details.fallback_credit_token;
    assert.equal((await redeem(body, token)).status, 200);
    const extended = (text: string, rest: object = {}) => ({
      ...body,
      ...rest,
      messages: [...body.messages, { role: 'assistant', content: text }],
    });
    const { json } = await redeem(extended('Emulated answer'), token);
    assert.equal(json.content[0].text, ' to: [emulate: partial-refusal Emulated answer]');
    assert.deepEqual(json.usage.fallback_credit, { status: { type: 'redeemed' } });
    const other = { ...extended('Another answer'), model: fallback };
    await assertNotRedeemed(other, token, 'body_mismatch', /not the one that was refused/);
    const output_format = { type: 'json_schema', schema: { type: 'object' } };
    for (const rest of [{ output_format }, { tool_choice: { type: 'any' } }]) {
      const given = await tokenFor({ ...body, ...rest });
      await assertNotRedeemed(
        { ...extended('Emulated answer', rest), model: fallback },
        given,
        'continuation_excluded',
        /output_format or a forced tool_choice/,
      );
    }
  });

  it('redeems a credit of a server-tool loop only in the extended form', async () => {
    const body = asked('[emulate: tool-refusal]');
    const { content, stop_details: details } = await refuse(body);
    assert.deepEqual(
      content.map((block: { type: string }) => block.type),
      ['text', 'server_tool_use', 'web_search_tool_result'],
    );
    const token = details.fallback_credit_token;
    await assertNotRedeemed({ ...body, model: fallback }, token, 'continuation_only', /retry in the extended form/);
    const extended = { ...body, messages: [...body.messages, { role: 'assistant', content }] };
    assert.deepEqual((await redeem(extended, token)).json.usage?.fallback_credit, { status: { type: 'redeemed' } });
  });

  it('rejects a malformed credit, and one beside fallbacks, in both modes', async () => {
    const body = asked('[emulate: refusal]');
    const token = await tokenFor(body);
    for (const mode of ['strict', 'best_effort']) {
      for (const malformed of ['x', 'fct_a.b', `${token}.`]) {
        const { status, json } = await redeem(body, { token: malformed, mode }, objectBeta);
        assert.deepEqual([status, json.error.message], [400, 'fallback_credit_token: malformed token']);
      }
      const both = await redeem({ ...body, fallbacks: 'default' }, { token, mode }, objectBeta);
      assert.deepEqual([both.status, both.json.error.message], [400, 'fallback_credit_token: cannot be combined with fallbacks']);
    }
  });

  it('rejects the object form without its beta header, in a message and in a batch', async () => {
    const body = asked('[emulate: refusal]');
    const token = await tokenFor(body);
    assert.equal((await redeem(body, token)).status, 200);
    const { status, json } = await redeem(body, { token });
    assert.deepEqual([status, json.error.message], [400, 'fallback_credit_token: Input should be a valid string']);
    const requests = [{ custom_id: 'a', params: { ...body, model: fallback, fallback_credit_token: { token } } }];
    const create = (beta: string) =>
      call(emulator, 'POST', '/v1/messages/batches?beta=true', { requests }, { 'vendor-beta': `message-batches-2024-09-24${beta}` });
    assert.equal((await create('')).status, 400);
    assert.equal((await create(', fallback-credit-2026-07-01')).status, 200);
  });

  it("tries the fallbacks in order, each with its overrides, until one isn't refused", async () => {
    const fallbacks = [{ model: 'vendor-opus-4-8' }, { model: 'vendor-sonnet-4-6', max_tokens: 4 }];
    const first = (await send(asked('[emulate: refusal]', { fallbacks }))).json;
    assert.deepEqual([first.model, first.stop_reason], ['vendor-opus-4-8', 'end_turn']);
    assert.deepEqual(
      first.content.map((block: { type: string }) => block.type),
      ['fallback', 'text'],
    );
    const second = (await send(asked('[emulate: refusal 2]', { fallbacks }))).json;
    assert.deepEqual([second.model, second.stop_reason, second.usage.output_tokens], ['vendor-sonnet-4-6', 'max_tokens', 4]);
    assert.deepEqual(
      second.usage.iterations.map(({ type, model }: { type: string; model: string }) => [type, model]),
      [
        ['message', refused],
        ['fallback_message', 'vendor-opus-4-8'],
        ['fallback_message', 'vendor-sonnet-4-6'],
      ],
    );
    const none = (await send(asked('[emulate: refusal 3]', { fallbacks }))).json;
    assert.deepEqual([none.model, none.stop_reason], ['vendor-sonnet-4-6', 'refusal']);
    const chosen = (await send(asked('[emulate: refusal]', { fallbacks: 'default' }))).json;
    assert.deepEqual([chosen.model, chosen.stop_reason], [fallback, 'end_turn']);
    assert.equal((await send(asked('Hello', { fallbacks }))).json.model, refused);
  });

  it('validates each override against its model', async () => {
    const { status, json } = await send(asked('x', { fallbacks: [{ model: 'vendor-sonnet-4-6', max_tokens: 65_000 }] }));
    assert.deepEqual([status, json.error.message.slice(0, 26)], [400, 'max_tokens: 65000 > 64000,']);
    assert.equal((await send(asked('x', { fallbacks: [{ model: fallback, temperature: 1 }] }))).status, 400);
  });

  it('continues a trailing assistant turn', async () => {
    const prefill = async (content: unknown, rest: object = {}) => {
      const body = asked('Hello', rest);
      return (await send({ ...body, messages: [...body.messages, { role: 'assistant', content }] })).json.content[0].text;
    };
    assert.equal(await prefill('Emulated answer'), ' to: Hello');
    assert.equal(await prefill([{ type: 'text', text: 'Emulated' }]), ' answer to: Hello');
    assert.equal(await prefill('Certainly,'), ' (continued) Emulated answer to: Hello');
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
    assert.equal(await prefill('{', { output_format: { type: 'json_schema', schema } }), '"ok":true}');
  });
});
