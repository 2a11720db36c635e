import assert from 'node:assert/strict';
import { environmentProxy, isExcluded } from '../../../../src/client/transport/environmentProxy';

describe('client/transport/environmentProxy', () => {
  const https = new URL('https://service.test/');
  const http = new URL('http://service.test/');

  it("uses the scheme's variable, lower case first, ALL_PROXY last", () => {
    assert.equal(environmentProxy(https, { HTTPS_PROXY: 'a', HTTP_PROXY: 'b' }), 'a');
    assert.equal(environmentProxy(http, { HTTPS_PROXY: 'a', HTTP_PROXY: 'b' }), 'b');
    assert.equal(environmentProxy(https, { HTTPS_PROXY: 'a', https_proxy: 'c' }), 'c');
    assert.equal(environmentProxy(https, { ALL_PROXY: 'd', HTTP_PROXY: 'b' }), 'd');
    assert.equal(environmentProxy(https, {}), undefined);
  });

  it('connects directly to this machine and to NO_PROXY hosts', () => {
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
    ['::2', 'http://[::2]:80', true],
    ['10.0.0.0/8', 'https://10.1.2.3', true],
    ['10.0.0.0/8', 'https://11.1.2.3', false],
    ['a.test, 192.168.1.0/24', 'http://192.168.1.77:8080', true],
    ['192.168.1.0/24', 'http://192.168.2.1', false],
    ['192.168.1.7', 'http://192.168.1.7', true],
    ['fd00::/8', 'http://[fd12::1]', true],
    ['[fd00::]/8', 'http://[fe80::1]', false],
    ['10.0.0.0/8', 'https://ten.test', false],
    ['10.0.0.0/99', 'https://10.0.0.1', false],
    ['0.0.0.0/0', 'https://8.8.8.8', true],
    ['', 'https://a.test', false],
    [' , ', 'https://a.test', false],
  ];
  for (const [list, url, excluded] of cases) {
    it(`${excluded ? 'excludes' : 'includes'} ${url} with NO_PROXY "${list}"`, () => {
      assert.equal(isExcluded(new URL(url), list), excluded);
    });
  }
});
