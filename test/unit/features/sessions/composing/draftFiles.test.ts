import assert from 'node:assert/strict';
import { DraftFiles } from '../../../../../src/features/sessions/composing/composerHost';
import { MemoryMemento } from '../memoryMemento';

describe('features/sessions/composing/draftFiles', () => {
  const of = (memento: MemoryMemento, sessionId: string) => new DraftFiles(memento, { connection: 'A', sessionId });
  const file = { uri: 'file:///files/a.ts', as: 'text' as const };

  it('keeps the files of each session over a reload, until there are none', async () => {
    const memento = new MemoryMemento();
    await of(memento, 's').write([file]);
    await of(memento, 't').write([{ ...file, as: 'upload' }]);
    assert.deepEqual(of(memento, 's').read(), [file]);
    assert.deepEqual(of(memento, 't').read(), [{ ...file, as: 'upload' }]);
    assert.deepEqual(of(memento, 'u').read(), []);
    await of(memento, 's').write([]);
    assert.deepEqual([of(memento, 's').read().length, of(memento, 't').read().length], [0, 1]);
  });

  it('is bounded: the sessions that were left longest go first', async () => {
    const memento = new MemoryMemento();
    for (let number = 0; number < 60; number++) {
      await of(memento, `s${number}`).write(Array.from({ length: 30 }, () => file));
    }
    assert.deepEqual([of(memento, 's9').read().length, of(memento, 's10').read().length], [0, 20]);
  });

  it('takes what it cannot read for nothing', async () => {
    const memento = new MemoryMemento();
    await memento.update('managedAgents.attachedFiles', [null, ['A\ns'], ['A\ns', [null, { uri: 3 }, { uri: 'x', as: 'run' }]]]);
    assert.deepEqual(of(memento, 's').read(), []);
    await memento.update('managedAgents.attachedFiles', 'broken');
    assert.deepEqual(of(memento, 's').read(), []);
  });
});
