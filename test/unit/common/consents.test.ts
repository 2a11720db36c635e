import assert from 'node:assert/strict';
import { Consents, consentKeys } from '../../../src/common/consents';

const consentsKey = consentKeys.read;

const lab = { name: 'Lab', baseUrl: 'https://lab.example/v1', isEmulator: false };

function start(answers: readonly boolean[], kept?: unknown) {
  const memory = new Map<string, unknown>(kept === undefined ? [] : [[consentsKey, kept]]);
  const asked: string[] = [];
  const store = {
    get: <T>(key: string) => memory.get(key) as T | undefined,
    update: async (key: string, value: unknown) => void (value === undefined ? memory.delete(key) : memory.set(key, value)),
  };
  const consents = new Consents(store as ConstructorParameters<typeof Consents>[0], consentsKey, async ({ name }) => {
    asked.push(name);
    return answers[asked.length - 1] ?? assert.fail('asked again');
  });
  return { consents, asked, memory };
}

describe('common/consents', () => {
  it('asks once, and remembers the decision on this machine', async () => {
    const { consents, asked, memory } = start([true]);
    assert.equal(consents.has(lab), false);
    assert.deepEqual(await Promise.all([consents.demand(lab), consents.demand(lab)]), [true, true]);
    assert.equal(await consents.demand(lab), true);
    assert.deepEqual(asked, ['Lab']);
    assert.equal(start([], memory.get(consentsKey)).consents.has(lab), true);
  });

  it("doesn't ask again after a refusal, until the user agrees elsewhere", async () => {
    const { consents, asked } = start([false]);
    assert.equal(await consents.demand(lab), false);
    assert.equal(await consents.demand(lab), false);
    assert.deepEqual(asked, ['Lab']);
    await consents.set([lab]);
    assert.equal(await consents.demand(lab), true);
  });

  it('is bound to the address, except for the emulator, whose address changes with each start', async () => {
    const { consents } = start([true, true]);
    await consents.demand(lab);
    assert.equal(consents.has({ ...lab, baseUrl: 'https://lab.example/v2' }), true);
    assert.equal(consents.has({ ...lab, baseUrl: 'https://elsewhere.example/v1' }), false);
    assert.equal(consents.has({ ...lab, name: 'Other' }), false);
    await consents.demand({ name: 'Emulator', baseUrl: 'http://127.0.0.1:1', isEmulator: true });
    assert.equal(consents.has({ name: 'Emulator', baseUrl: 'http://127.0.0.1:2', isEmulator: true }), true);
    assert.equal(consents.has({ name: 'Emulator', baseUrl: 'http://127.0.0.1:2', isEmulator: false }), false);
  });

  it('is withdrawn, and leaves nothing in memory', async () => {
    const { consents, memory } = start([true]);
    await consents.demand(lab);
    await consents.set([]);
    assert.equal(consents.has(lab), false);
    assert.equal(memory.size, 0);
  });

  it("covers one purpose: reading data doesn't cover cost", async () => {
    const { memory } = start([true], [JSON.stringify(['Lab', 'https://lab.example'])]);
    const store = { get: <T>(key: string) => memory.get(key) as T | undefined, update: async () => undefined };
    const toCost = new Consents(store as ConstructorParameters<typeof Consents>[0], consentKeys.chat, async () => false);
    assert.equal(start([], memory.get(consentsKey)).consents.has(lab), true);
    assert.equal(await toCost.demand(lab), false);
  });

  it('reads any stored value', () => {
    for (const kept of ['Lab', { a: 1 }, [7, null]]) {
      assert.equal(start([], kept).consents.has(lab), false);
    }
  });
});
