import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterStart, registerAfterStart } from '../../../src/common/afterStart';

describe('common/afterStart', () => {
  it('runs in a later turn, and not if it is disposed before', async () => {
    const done: string[] = [];
    afterStart(() => done.push('kept'));
    afterStart(() => done.push('disposed')).dispose();
    assert.deepEqual(done, []);
    await nextTurn();
    assert.deepEqual(done, ['kept']);
  });

  it('disposes late registrations, and registers nothing after it was disposed', async () => {
    const done: string[] = [];
    const register = (name: string) =>
      registerAfterStart(() => {
        done.push(name);
        return { dispose: () => done.push(`no ${name}`) };
      });
    const kept = register('kept');
    register('disposed').dispose();
    await nextTurn();
    kept.dispose();
    assert.deepEqual(done, ['kept', 'no kept']);
  });
});
