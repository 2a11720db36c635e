import assert from 'node:assert/strict';
import { runTasks } from '../../runner/workers.mjs';

const outcome = { passed: 1, failed: 0, failures: [], evidence: [], milliseconds: 0, startup: 0 };

describe('project/workers', () => {
  it('do tasks side by side in their order, and each tells what it printed when it has ended', async () => {
    const running = new Set<string>();
    let most = 0;
    const begun: string[] = [];
    const ended: string[] = [];
    const tasks = ['a', 'b', 'c', 'd', 'e'].map(name => ({
      kind: 'unit',
      name,
      async run(_worker: unknown, print: (text: string) => void) {
        begun.push(name);
        running.add(name);
        most = Math.max(most, running.size);
        await new Promise(resolve => setImmediate(resolve));
        print(`${name}!`);
        running.delete(name);
        return new Map([[name, outcome]]);
      },
    }));
    await runTasks({ workers: 2, besides: 0 }, tasks, ({ name }, outcomes, printed) =>
      ended.push(`${name} ${[...outcomes.keys()]} ${printed}`),
    );
    assert.deepEqual(begun, ['a', 'b', 'c', 'd', 'e']);
    assert.equal(most, 2);
    assert.deepEqual(ended.sort(), ['a a a!', 'b b b!', 'c c c!', 'd d d!', 'e e e!']);
  });

  it('do those besides only what waits now and then', async () => {
    const begun: string[] = [];
    let letGo = () => {};
    const held = new Promise<void>(resolve => {
      letGo = resolve;
    });
    const tasks = ['busy 1', 'busy 2', 'waits 1', 'waits 2', 'busy 3'].map(name => ({
      kind: 'unit',
      name,
      waits: name.startsWith('waits'),
      async run() {
        begun.push(name);
        if (name === 'waits 2') {
          letGo();
        }
        await (name === 'busy 1' ? held : undefined);
        return new Map([[name, outcome]]);
      },
    }));
    // Without one besides, the first would wait forever for what comes after it.
    await runTasks({ workers: 1, besides: 1 }, tasks, () => {});
    assert.deepEqual(begun.slice(0, 3), ['busy 1', 'waits 1', 'waits 2']);
    assert.deepEqual([...begun].sort(), tasks.map(({ name }) => name).sort());
  });

  it('count a task that cannot be run as failed, and go on', async () => {
    const seen = new Map<string, readonly string[]>();
    const failing = { kind: 'host', name: 'none', run: async () => Promise.reject(new Error('VS Code could not be installed')) };
    const good = { kind: 'host', name: 'one', run: async () => new Map([['one', outcome]]) };
    await runTasks({ workers: 1, besides: 0 }, [failing, good], (_task, outcomes) => {
      for (const [name, { failures }] of outcomes) {
        seen.set(name, failures);
      }
    });
    assert.match(seen.get('none')?.[0] ?? '', /VS Code could not be installed/);
    assert.deepEqual(seen.get('one'), []);
  });
});
