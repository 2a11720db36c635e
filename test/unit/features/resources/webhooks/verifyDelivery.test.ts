import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  keyOf,
  type ReceivedDelivery,
  readDelivery,
  signatureOf,
  signedContent,
  verifyDelivery,
} from '../../../../../src/features/resources/webhooks/verifyDelivery';
import { runs } from '../../../../helpers/runs';
import { context } from '../presenting';

/** Test vector of the Standard Webhooks libraries. */
const standard = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const other = 'whsec_JO8TMMOgeELo/EUnjJ3mv+/3sbrc8QZkWYGZensREEY=';
const at = Number(standard.timestamp) * 1000;

function delivery(change: Partial<typeof standard> = {}): ReceivedDelivery {
  const { id, timestamp, body, signature } = { ...standard, ...change };
  return {
    headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
    body: Buffer.from(body),
  };
}
const verify = (received: ReceivedDelivery, secrets = [standard.secret], now = at) =>
  verifyDelivery(received, secrets, now, context.translate);
/** Asserts that the findings match these patterns, in this order. */
const finds = (patterns: readonly RegExp[], ...args: Parameters<typeof verify>) => {
  const { findings } = verify(...args);
  assert.equal(findings.length, patterns.length, findings.join('\n'));
  for (const [index, pattern] of patterns.entries()) {
    assert.match(findings[index] ?? '', pattern);
  }
};
const signed = (content: Buffer, secret = standard.secret) => `v1,${signatureOf(keyOf(secret) ?? Buffer.of(), content)}`;
const contentOf = (body: string) => signedContent(standard.id, standard.timestamp, Buffer.from(body));

describe('features/resources/webhooks/verifyDelivery', () => {
  it("matches the standard's test vectors", () => {
    assert.deepEqual(verify(delivery()), { isValid: true, findings: [] });
    assert.equal(signed(contentOf(standard.body)), standard.signature);
    assert.equal(verify(delivery({ body: '{"test": 2432232315}' })).isValid, false);
    assert.equal(verify(delivery({ id: 'msg_other' })).isValid, false);
  });

  it('accepts every delivery of a real server', () => {
    const [head = '', ...parts] = readFileSync('test/fixtures/webhooks/deliveries.txt', 'utf8').split(/^### DELIVERY .*\n/m);
    const [secret = ''] = /whsec_\S+/.exec(head) ?? [];
    assert.equal(parts.length, 7);
    for (const part of parts) {
      const received = readDelivery(part.replace(/\n+$/, ''));
      assert.ok(received !== undefined);
      const now = Number(received.headers['webhook-timestamp']) * 1000;
      assert.deepEqual(verify(received, [secret], now), { isValid: true, findings: [] });
    }
  });

  it('names missing headers, under all their names', () => {
    finds([/^The header webhook-\w+ is missing/, /^The header webhook-\w+ is missing/, /^The header webhook-\w+ is missing/], {
      headers: {},
      body: Buffer.of(),
    });
    const { 'webhook-id': id = '', 'webhook-timestamp': time = '', 'webhook-signature': signature = '' } = delivery().headers;
    const headers = { 'x-webhook-id': id, 'x-webhook-timestamp': time, 'x-webhook-signature': signature };
    assert.equal(verify({ ...delivery(), headers }).isValid, true);
  });

  it('names a malformed secret', () => {
    finds([/^The secret isn't valid Base64/, /^Signature doesn't match/], delivery({ signature: 'v1,x' }), ['whsec_short*']);
    assert.match(verify(delivery({ signature: 'v1,x' }), ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']).findings[0] ?? '', /must start with/);
    assert.match(verify(delivery({ signature: 'v1,x' }), [`${standard.secret}\n`]).findings[0] ?? '', /Remove spaces/);
    const asText = `v1,${signatureOf(Buffer.from(standard.secret), contentOf(standard.body))}`;
    finds([/^Decode the part/], delivery({ signature: asText }));
  });

  it('names a wrong order of the signed parts', () => {
    const { id, timestamp, body } = standard;
    for (const [name, content] of [
      ['timestamp.id.body', `${timestamp}.${id}.${body}`],
      ['timestamp.body', `${timestamp}.${body}`],
      ['id.body.timestamp', `${id}.${body}.${timestamp}`],
      ['body', body],
    ] as const) {
      const [finding] = verify(delivery({ signature: signed(Buffer.from(content)) })).findings;
      assert.ok(finding?.startsWith(`The signature covers "${name}" instead of`), name);
    }
  });

  it('names a body that was serialized again', () => {
    const sent = '{"a": "ä", "b": [1, 2, {"c": null}], "d": "<"}';
    const value = JSON.parse(sent);
    const signature = signed(contentOf(sent));
    for (const body of [JSON.stringify(value), JSON.stringify(value, null, 2), `${sent}\n`, sent.replace('ä', '\\u00e4')]) {
      finds([/^The body was changed/], delivery({ body, signature }));
    }
    const escaping = JSON.stringify(value).replace('<', '\\u003c');
    finds([/^The body was changed/], delivery({ body: sent, signature: signed(contentOf(escaping)) }));
  });

  it('names an old, future, or invalid time', () => {
    finds([], delivery(), undefined, at + 300_000);
    finds([/5 minutes old\. /], delivery(), undefined, at + 301_000);
    finds([/ahead of/], delivery(), undefined, at - 301_000);
    assert.equal(verify(delivery(), undefined, at + 301_000).isValid, false);
    assert.match(verify(delivery({ timestamp: `${standard.timestamp}000` })).findings.join(' '), /must be in seconds/);
    assert.match(verify(delivery({ timestamp: 'yesterday' })).findings.join(' '), /must be in seconds/);
  });

  it('names a key that is being rotated, and a rotated one', () => {
    const both = `${signed(contentOf(standard.body), other)} ${standard.signature}`;
    assert.equal(verify(delivery({ signature: both })).isValid, true);
    finds([/is being rotated/], delivery({ signature: both }));
    const neither = `${signed(contentOf(standard.body), other)} v1,${'A'.repeat(43)}=`;
    assert.equal(verify(delivery({ signature: neither })).isValid, false);
    finds([/^None of 2 signatures matches/], delivery({ signature: neither }));
    const unlike = delivery({ signature: signed(contentOf(standard.body), other) });
    finds([/^Signature doesn't match/], unlike);
    assert.match(verify(unlike).findings[0] ?? '', /Wrong secret, or the body was changed/);
  });

  it('names signatures of another version or encoding', () => {
    finds([/No signature starts with/], delivery({ signature: 'v1a,abc' }));
    const hex = Buffer.from(standard.signature.slice(3), 'base64').toString('hex');
    finds([/padding is missing/], delivery({ signature: `v1,${hex}` }));
  });

  it('never shows a secret', () => {
    for (const secret of [standard.secret, other, 'whsec_short*', ` ${other}`]) {
      for (const signature of [standard.signature, 'v1,x', 'v1a,x', '']) {
        const words = JSON.stringify(verify(delivery({ signature }), [secret]));
        assert.ok(!words.includes(secret.trim().slice(6)), words);
      }
    }
  });

  it('accepts everything that was signed correctly, and nothing that was changed afterwards', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(texts, texts, fc.uint8Array({ minLength: 24, maxLength: 64 }), (body, change, key) => {
        const secret = `whsec_${Buffer.from(key).toString('base64')}`;
        const signature = signed(contentOf(body), secret);
        assert.equal(verify(delivery({ body, signature }), [secret]).isValid, true);
        assert.equal(verify(delivery({ body: `${body}${change}x`, signature }), [secret]).isValid, false);
      }),
      { numRuns: runs(300) },
    );
  });
});

const read = (text: string) => {
  const found = readDelivery(text);
  return found && { ...found, body: Buffer.from(found.body).toString() };
};

describe('features/resources/webhooks/verifyDelivery readDelivery', () => {
  it('reads an HTTP request with or without its first line, and keeps every byte of the body', () => {
    const expected = { headers: { 'webhook-id': 'e1', host: 'h:1' }, body: '{"a": 1}\n\n' };
    assert.deepEqual(read('POST /hook HTTP/1.1\r\nWebhook-Id: e1\r\nHost: h:1\r\n\r\n{"a": 1}\n\n'), expected);
    assert.deepEqual(read('webhook-id: e1\nhost: h:1\n\n{"a": 1}\n\n'), expected);
    assert.deepEqual(read('### one\nPOST http://x/hook\nWebhook-Id: e1\nHost: h:1\n\n{"a": 1}\n\n'), expected);
    assert.deepEqual(read('Webhook-Id: e1'), { headers: { 'webhook-id': 'e1' }, body: '' });
  });

  it("reads JSON of headers and a body, and reports a body that isn't text", () => {
    assert.deepEqual(read('{"headers": {"Webhook-Id": ["e1", "e2"], "N": 7}, "body": "{ }"}'), {
      headers: { 'webhook-id': 'e1', n: '7' },
      body: '{ }',
    });
    assert.deepEqual(read('{"headers": {}, "body": {"a": 1}}'), { headers: {}, body: '{"a":1}', isReserialised: true });
    assert.deepEqual(read('{"headers": {}, "rawBody": "x", "body": {"a": 1}}'), { headers: {}, body: 'x' });
  });

  it('returns undefined for anything else', () => {
    for (const text of ['', 'hello world', '{', '{"a": 1}', '{"headers": []}', '{"headers": {}}', '[]', '\n\nbody only']) {
      assert.equal(readDelivery(text), undefined, text);
    }
  });
});
