import assert from 'node:assert/strict';
import { addressProblem } from '../../../../../src/features/resources/webhooks/webhookDesk';
import { context } from '../presenting';

describe('features/resources/webhooks/sendAgain', () => {
  it('accepts an address of this machine, and no other', () => {
    for (const text of [
      'http://127.0.0.1:3000/hook',
      'http://localhost/hook?x=1',
      'http://[::1]:8080',
      'http://127.9.9.9',
      'http://0x7f.1/',
    ]) {
      assert.equal(addressProblem(text, context.translate), undefined, text);
    }
    for (const text of [
      '',
      'hook',
      'https://127.0.0.1',
      'http://example.com',
      'http://127.0.0.1.example.com',
      'http://localhost.example.com',
      'http://10.0.0.1',
      'file:///etc',
    ]) {
      assert.notEqual(addressProblem(text, context.translate), undefined, text);
    }
  });
});
