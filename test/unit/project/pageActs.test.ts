import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { PageActs } from '../../host/page/pageActs';

/** An element that is or isn't on a page. `waitFor` resolves or rejects immediately. */
function thing(isThere: boolean, canGo = true) {
  const state = { isThere };
  const locator = {
    first: () => locator,
    isVisible: async () => state.isThere,
    waitFor: async ({ state: wanted = 'visible' }: { state?: string } = {}) => {
      if (wanted === 'hidden' && canGo) {
        state.isThere = false;
      }
      if ((wanted === 'hidden') === state.isThere) {
        throw new Error(`It is never ${wanted}.`);
      }
    },
    toString: () => 'the thing',
  };
  return { state, locator: locator as unknown as Locator };
}

describe('project/pageActs', () => {
  const acts = new PageActs({} as Page, undefined);

  it('acts until the effect is visible', async () => {
    const { state, locator } = thing(false);
    let times = 0;
    await acts.untilSeen(locator, async () => {
      state.isThere = ++times === 2;
    });
    assert.equal(times, 2);
  });

  it("doesn't act again for a late effect", async () => {
    const { state, locator } = thing(false);
    let times = 0;
    await acts.untilSeen(locator, async () => {
      times++;
      state.isThere = true;
      throw new Error('It took too long.');
    });
    assert.equal(times, 1);
  });

  it('waits for an existing effect to disappear, and acts then', async () => {
    const { state, locator } = thing(true);
    let times = 0;
    await acts.untilSeen(locator, async () => {
      times++;
      state.isThere = true;
    });
    assert.equal(times, 1);
  });

  it('does nothing for an effect that appeared by itself and stays, or that is optional', async () => {
    for (const act of ['untilSeen', 'untilThere'] as const) {
      const { locator } = thing(true, false);
      await acts[act](locator, async () => assert.fail('it was done'));
    }
  });
});
