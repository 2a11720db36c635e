import assert from 'node:assert/strict';
import { parseApiKey } from '../../../../../src/features/connection/flows/apiKey';

describe('features/connection/flows/apiKey', () => {
  it('removes white space around a key', () => {
    assert.deepEqual(parseApiKey(' \tsk-abc_123.x~\r\n'), { key: 'sk-abc_123.x~' });
  });

  it('rejects text that no header can contain or that is more than a key', () => {
    assert.equal(parseApiKey(' \n'), 'empty');
    assert.equal(parseApiKey('sk-a\nsk-b'), 'whitespace');
    assert.equal(parseApiKey('sk-a b'), 'whitespace');
    assert.equal(parseApiKey('sk-ä'), 'invalid');
    assert.equal(parseApiKey('sk-a\u200bb'), 'invalid');
    assert.equal(parseApiKey('sk-a\u0007b'), 'invalid');
    assert.equal(parseApiKey('Bearer sk-a'), 'headerLine');
    assert.equal(parseApiKey('X-Api-Key: sk-a'), 'headerLine');
    assert.equal(parseApiKey('Authorization:sk-a'), 'headerLine');
    assert.equal(parseApiKey('k'.repeat(4097)), 'invalid');
  });
});
