import assert from 'node:assert/strict';
import { environmentProxy, isExcluded } from '../../../src/client/environmentProxy';

describe('client/environmentProxy', () => {
  const https = new URL('https://service.test/');
  const http = new URL('http://service.test/');

  it('takes the variable of the scheme, small letters first, ALL_PROXY last', () => {
    assert.equal(environmentProxy(https, { HTTPS_PROXY: 'a', HTTP_PROXY: 'b' }), 'a');
    assert.equal(environmentProxy(http, { HTTPS_PROXY: 'a', HTTP_PROXY: 'b' }), 'b');
    assert.equal(environmentProxy(https, { HTTPS_PROXY: 'a', https_proxy: 'c' }), 'c');
    assert.equal(environmentProxy(https, { ALL_PROXY: 'd', HTTP_PROXY: 'b' }), 'd');
    assert.equal(environmentProxy(https, {}), undefined);
  });

  it('goes straight to this machine and to what NO_PROXY names', () => {
    for (const url of ['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1']) {
      assert.equal(environmentProxy(new URL(url), { HTTP_PROXY: 'a' }), undefined);
    }
    assert.equal(environmentProxy(https, { HTTPS_PROXY: 'a', NO_PROXY: 'other.test, service.test' }), undefined);
  });

  const cases: readonly (readonly [list: string, url: string, excluded: boolean])[] = [
    ['*', 'https://a.test', true],
    ['a.test', 'https://a.test', true],
    ['A.Test', 'https://a.test', true],
    ['a.test', 'https://b.a.test', true],
    ['.a.test', 'https://b.a.test', true],
    ['*.a.test', 'https://b.a.test', true],
    ['a.test', 'https://ba.test', false],
    ['a.test:8443', 'https://a.test', false],
    ['a.test:443', 'https://a.test', true],
    ['[::2]', 'http://[::2]:80', true],
    ['', 'https://a.test', false],
    [' , ', 'https://a.test', false],
  ];
  for (const [list, url, excluded] of cases) {
    it(`${excluded ? 'excludes' : 'includes'} ${url} with NO_PROXY "${list}"`, () => {
      assert.equal(isExcluded(new URL(url), list), excluded);
    });
  }
});
