import assert from 'node:assert/strict';
import { Lazy } from '../../../src/common/lazy';

describe('common/lazy', () => {
  function counted() {
    const counts = { made: 0, disposed: 0 };
    return { counts, make: () => ({ number: ++counts.made, dispose: () => void counts.disposed++ }) };
  }

  it('creates its value once, on first use', async () => {
    const { counts, make } = counted();
    const lazy = new Lazy(async () => make());
    assert.equal(lazy.current, undefined);
    assert.equal(counts.made, 0);
    const [first, second] = await Promise.all([lazy.get(), lazy.get()]);
    assert.equal(first, second);
    assert.equal(lazy.current, first);
    assert.equal(counts.made, 1);
  });

  it('retries after a failure', async () => {
    const { make } = counted();
    let fails = true;
    const lazy = new Lazy(async () => {
      if (fails) {
        throw new Error('not now');
      }
      return make();
    });
    await assert.rejects(lazy.get(), /not now/);
    fails = false;
    assert.equal((await lazy.get()).number, 1);
  });

  it('disposes the value once, also when it arrives late', async () => {
    const { counts, make } = counted();
    const early = new Lazy(async () => make());
    await early.get();
    early.dispose();
    early.dispose();
    assert.equal(counts.disposed, 1);
    const late = new Lazy(async () => make());
    const asked = late.get();
    late.dispose();
    assert.equal(counts.disposed, 1);
    await asked;
    assert.equal(counts.disposed, 2);
  });

  it('creates nothing just to dispose it', () => {
    const { counts, make } = counted();
    new Lazy(async () => make()).dispose();
    assert.equal(counts.made, 0);
  });
});
