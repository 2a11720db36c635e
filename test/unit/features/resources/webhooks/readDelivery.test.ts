import assert from 'node:assert/strict';
import { readDelivery } from '../../../../../src/features/resources/webhooks/readDelivery';

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
