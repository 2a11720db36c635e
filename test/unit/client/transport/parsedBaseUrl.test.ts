import assert from 'node:assert/strict';
import { isLoopback, parseBaseUrl } from '../../../../src/client/transport/parsedBaseUrl';

describe('client/transport/parsedBaseUrl', () => {
  it('knows this machine by its names and addresses', () => {
    for (const url of ['http://localhost', 'http://a.localhost', 'http://127.0.0.1', 'http://127.9.9.9', 'http://[::1]']) {
      assert.equal(isLoopback(new URL(url).hostname), true, url);
    }
    for (const url of ['http://localhost.test', 'http://127.0.0.1.test', 'http://128.0.0.1', 'http://[::2]', 'http://10.0.0.1']) {
      assert.equal(isLoopback(new URL(url).hostname), false, url);
    }
  });

  it('keeps the path of a base URL without /v1 and slashes at its end', () => {
    assert.deepEqual(
      ['https://a', 'https://a/', 'https://a/v1/', 'https://a/b//', ' https://a/b/v1 '].map(text => parseBaseUrl(text)?.path),
      ['', '', '', '/b', '/b'],
    );
  });
});
