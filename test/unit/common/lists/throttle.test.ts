import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Throttle } from '../../../../src/common/lists/throttle';

describe('common/lists/throttle', () => {
  it('serves a thousand calls with one run, and later ones with another', async () => {
    const runs = new EventTarget();
    let count = 0;
    const throttle = new Throttle(() => {
      count++;
      runs.dispatchEvent(new Event('run'));
    });
    const keptAwake = setInterval(() => {}, 1_000);
    try {
      for (let round = 1; round <= 2; round++) {
        const ran = once(runs, 'run');
        for (let call = 0; call < 1_000; call++) {
          throttle.ask();
        }
        assert.equal(count, round - 1);
        await ran;
        assert.equal(count, round);
      }
    } finally {
      clearInterval(keptAwake);
      throttle.dispose();
    }
  });
});
