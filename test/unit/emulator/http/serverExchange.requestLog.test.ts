import assert from 'node:assert/strict';
import { RequestLog } from '../../../../src/emulator/http/serverExchange';

describe('emulator/http/serverExchange', () => {
  it('records which header contained the key and never the key', () => {
    const log = new RequestLog();
    log.add('GET', '/v1/models', { 'x-api-key': 'canary-1', authorization: 'Bearer canary-2', accept: '*/*' }, 'req_1');
    assert.deepEqual(log.requests[0]?.auth, ['x-api-key', 'bearer']);
    assert.deepEqual(log.requests[0]?.headers, { accept: '*/*' });
    assert.doesNotMatch(JSON.stringify(log.requests), /canary/);
  });

  it('forgets the oldest', () => {
    const log = new RequestLog();
    for (let n = 0; n < 2500; n++) {
      log.add('GET', `/${n}`, {}, 'req');
    }
    assert.equal(log.requests.length, 2000);
    assert.equal(log.requests.at(-1)?.path, '/2499');
  });
});
