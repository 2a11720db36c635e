import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  keyOf,
  readDelivery,
  type ReceivedDelivery,
  signatureOf,
  signedContent,
  verifyDelivery,
} from '../../../../../src/features/resources/webhooks/verifyDelivery';
import { runs } from '../../../../helpers/runs';
import { context } from '../presenting';

/** Test vector that libraries of the standard share. */
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
  verifyDelivery(received, secrets, { ...context, now });
const findings = (...args: Parameters<typeof verify>) => verify(...args).findings;
const signed = (content: Buffer, secret = standard.secret) => `v1,${signatureOf(keyOf(secret) ?? Buffer.of(), content)}`;
const contentOf = (body: string) => signedContent(standard.id, standard.timestamp, Buffer.from(body));

describe('features/resources/webhooks/verifyDelivery', () => {
  it('knows the answers of the standard', () => {
    assert.deepEqual(verify(delivery()), { isValid: true, findings: [] });
    assert.equal(signed(contentOf(standard.body)), standard.signature);
    assert.equal(verify(delivery({ body: '{"test": 2432232315}' })).isValid, false);
    assert.equal(verify(delivery({ id: 'msg_other' })).isValid, false);
  });

  it('takes every delivery that a real server made', () => {
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

  it('names headers that are missing, under any of their names', () => {
    assert.deepEqual(
      findings({ headers: {}, body: Buffer.of() }),
      ['id', 'timestamp', 'signature'].map(name => `The header webhook-${name} is missing.`),
    );
    const { 'webhook-id': id = '', 'webhook-timestamp': time = '', 'webhook-signature': signature = '' } = delivery().headers;
    const headers = { 'x-webhook-id': id, 'x-webhook-timestamp': time, 'x-webhook-signature': signature };
    assert.equal(verify({ ...delivery(), headers }).isValid, true);
  });

  it('names the form of a secret', () => {
    const wrong = (secret: string) => findings(delivery({ signature: 'v1,x' }), [secret]);
    assert.deepEqual(wrong('whsec_short*'), [
      "The secret isn't valid Base64. Copy it again.",
      "Signature doesn't match. Wrong secret, or the body was changed.",
    ]);
    assert.match(wrong('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')[0] ?? '', /must start with/);
    assert.match(wrong(`${standard.secret}\n`)[0] ?? '', /Remove spaces/);
  });

  it('names what is too old, of the future, and no time', () => {
    assert.deepEqual(findings(delivery(), undefined, at + 300_000), []);
    assert.deepEqual(findings(delivery(), undefined, at + 301_000), ['5 min old: receivers refuse deliveries older than 5 minutes.']);
    assert.deepEqual(findings(delivery(), undefined, at - 301_000), ["5 min ahead of this machine's clock."]);
    assert.equal(verify(delivery(), undefined, at + 301_000).isValid, false);
    for (const timestamp of [`${standard.timestamp}000`, 'yesterday']) {
      assert.match(findings(delivery({ timestamp })).join(' '), /must be in seconds since 1970/);
    }
  });

  it('names a key that is being rotated, and one that was', () => {
    const both = delivery({ signature: `${signed(contentOf(standard.body), other)} ${standard.signature}` });
    assert.deepEqual(verify(both), { isValid: true, findings: ['One of 2 signatures matches: the key is being rotated.'] });
    const neither = delivery({ signature: `${signed(contentOf(standard.body), other)} v1,${'A'.repeat(43)}=` });
    assert.deepEqual(verify(neither).findings, ['None of 2 signatures matches. Wrong secret, or the body was changed.']);
    const unlike = delivery({ signature: signed(contentOf(standard.body), other) });
    assert.deepEqual(verify(unlike).findings, ["Signature doesn't match. Wrong secret, or the body was changed."]);
  });

  it('names signatures of another version', () => {
    assert.deepEqual(findings(delivery({ signature: 'v1a,abc' })), ['No signature starts with "v1,".']);
  });

  it('never says a secret', () => {
    for (const secret of [standard.secret, other, 'whsec_short*', ` ${other}`]) {
      for (const signature of [standard.signature, 'v1,x', 'v1a,x', '']) {
        const words = JSON.stringify(verify(delivery({ signature }), [secret]));
        assert.ok(!words.includes(secret.trim().slice(6)), words);
      }
    }
  });

  it('takes whatever was signed by the scheme, and nothing that was changed since', () => {
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

describe('features/resources/webhooks/readDelivery', () => {
  it('reads an HTTP request with or without its first line, and keeps every byte of the body', () => {
    const expected = { headers: { 'webhook-id': 'e1', host: 'h:1' }, body: '{"a": 1}\n\n' };
    assert.deepEqual(read('POST /hook HTTP/1.1\r\nWebhook-Id: e1\r\nHost: h:1\r\n\r\n{"a": 1}\n\n'), expected);
    assert.deepEqual(read('webhook-id: e1\nhost: h:1\n\n{"a": 1}\n\n'), expected);
    assert.deepEqual(read('### one\nPOST http://x/hook\nWebhook-Id: e1\nHost: h:1\n\n{"a": 1}\n\n'), expected);
    assert.deepEqual(read('Webhook-Id: e1'), { headers: { 'webhook-id': 'e1' }, body: '' });
  });

  it('reads JSON of headers and a body, and tells a body that is no text', () => {
    assert.deepEqual(read('{"headers": {"Webhook-Id": ["e1", "e2"], "N": 7}, "body": "{ }"}'), {
      headers: { 'webhook-id': 'e1', n: '7' },
      body: '{ }',
    });
    assert.deepEqual(read('{"headers": {}, "body": {"a": 1}}'), { headers: {}, body: '{"a":1}', isReserialised: true });
    assert.deepEqual(read('{"headers": {}, "rawBody": "x", "body": {"a": 1}}'), { headers: {}, body: 'x' });
  });

  it('is undefined for what is no delivery', () => {
    for (const text of ['', 'hello world', '{', '{"a": 1}', '{"headers": []}', '{"headers": {}}', '[]', '\n\nbody only']) {
      assert.equal(readDelivery(text), undefined, text);
    }
  });
});
