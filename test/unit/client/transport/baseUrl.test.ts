import assert from 'node:assert/strict';
import { type BaseUrl, isLoopback, parseBaseUrl } from '../../../../src/client/transport/baseUrl';

const accept = (text: string): BaseUrl => {
  const parsed = parseBaseUrl(text);
  assert.equal(typeof parsed, 'object', `${text}: ${parsed}`);
  return parsed as BaseUrl;
};

describe('client/transport/baseUrl', () => {
  it('recognizes this machine by its names and addresses', () => {
    for (const url of ['http://localhost', 'http://a.localhost', 'http://127.0.0.1', 'http://127.9.9.9', 'http://[::1]']) {
      assert.equal(isLoopback(new URL(url).hostname), true, url);
    }
    for (const url of ['http://localhost.test', 'http://127.0.0.1.test', 'http://128.0.0.1', 'http://[::2]', 'http://10.0.0.1']) {
      assert.equal(isLoopback(new URL(url).hostname), false, url);
    }
  });

  it('removes what resources add themselves: slashes and /v1', () => {
    for (const text of [
      'https://a.example',
      'https://a.example/',
      ' https://a.example/v1 ',
      'https://A.example/v1/',
      'https://a.example:443/',
    ]) {
      assert.equal(accept(text).url, 'https://a.example');
    }
    assert.equal(accept('https://a.example/team/api/v1').url, 'https://a.example/team/api');
    assert.equal(accept('https://a.example/team/api//').path, '/team/api');
  });

  it('adds the scheme: https, and http for this machine', () => {
    assert.equal(accept('a.example').url, 'https://a.example');
    assert.equal(accept('a.example:8443/x').url, 'https://a.example:8443/x');
    assert.equal(accept('localhost:8080').url, 'http://localhost:8080');
    assert.equal(accept('127.0.0.1').url, 'http://127.0.0.1');
  });

  it('marks plain http to another machine, and only that', () => {
    assert.equal(accept('http://a.example').isInsecure, true);
    assert.equal(accept('http://10.0.0.8:80').isInsecure, true);
    assert.equal(accept('http://localhost.example.com').isInsecure, true);
    assert.equal(accept('http://127.0.0.1.example.com').isInsecure, true);
    for (const text of ['https://a.example', 'http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1', 'http://x.localhost']) {
      assert.equal(accept(text).isInsecure, false, text);
    }
  });

  it('returns the origin that a key is bound to', () => {
    assert.equal(accept('https://a.example/x').origin, 'https://a.example');
    assert.equal(accept('https://a.example:8443/x').origin, 'https://a.example:8443');
    assert.equal(accept('https://a.example:8443/x').host, 'a.example:8443');
  });

  it('rejects invalid addresses, each with its reason', () => {
    assert.equal(parseBaseUrl('  '), 'noAddress');
    assert.equal(parseBaseUrl('my service'), 'noAddress');
    assert.equal(parseBaseUrl('https://'), 'noAddress');
    assert.equal(parseBaseUrl('https://a.example:99999'), 'noAddress');
    assert.equal(parseBaseUrl('ftp://a.example'), 'noAddress');
    assert.equal(parseBaseUrl('javascript:alert(1)'), 'noAddress');
    assert.equal(parseBaseUrl('file:///etc/passwd'), 'noAddress');
    assert.equal(parseBaseUrl('https://key@a.example'), 'extras');
    assert.equal(parseBaseUrl('https://user:pass@a.example'), 'extras');
    assert.equal(parseBaseUrl('user:pass@a.example'), 'extras');
    assert.equal(parseBaseUrl('https://a.example?key=sk-1'), 'extras');
    assert.equal(parseBaseUrl('https://a.example#sk-1'), 'extras');
  });
});
