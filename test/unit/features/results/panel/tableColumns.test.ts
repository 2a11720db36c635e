import assert from 'node:assert/strict';
import {
  readColumnLayout,
  toTableColumns,
  usualColumns,
  valuesIn,
  withColumns,
  writeColumnLayout,
} from '../../../../../src/features/results/panel/tableColumns';
import type { ColumnLayout } from '../../../../../src/shared/results/resultsProtocol';

const namesOf = (layout: ColumnLayout) => layout.map(({ name }) => name);
const translate = (text: string) => text;

/** What a workspace remembers, through JSON as VS Code does. */
function memento(): { get(key: string): unknown; update(key: string, value: unknown): Promise<void> } {
  const kept = new Map<string, string>();
  return {
    get: key => JSON.parse(kept.get(key) ?? 'null') ?? undefined,
    update: async (key, value) => {
      if (value === undefined) {
        kept.delete(key);
      } else {
        kept.set(key, JSON.stringify(value));
      }
    },
  };
}

describe('features/results/panel/tableColumns', () => {
  it('shows the model where there are several, and expectations where there are some', () => {
    const plain = ['line', 'id', 'state', 'stop_reason', 'input_tokens', 'output_tokens', 'words'];
    assert.deepEqual(namesOf(usualColumns({ subject: 'results', models: 1, hasExpectations: false, isKnown: true })), plain);
    assert.deepEqual(namesOf(usualColumns({ subject: 'results', models: 3, hasExpectations: true, isKnown: true })), [
      ...plain.slice(0, 6),
      'model',
      'test',
      'words',
    ]);
    assert.deepEqual(valuesIn(usualColumns({ subject: 'results', models: 3, hasExpectations: false, isKnown: true })), ['model']);
  });

  it('shows of results whose batch is not known the model, and no lines', () => {
    assert.deepEqual(namesOf(usualColumns({ subject: 'results', models: 0, hasExpectations: false, isKnown: false })), [
      ...['id', 'state', 'stop_reason', 'input_tokens', 'output_tokens', 'model', 'words'],
    ]);
  });

  it('shows of requests what is known before they are sent, and remembers that apart', async () => {
    const columns = usualColumns({ subject: 'requests', models: 1, hasExpectations: true, isKnown: true });
    assert.deepEqual(namesOf(columns), ['line', 'id', 'model', 'problem', 'input_tokens', 'output_tokens', 'words']);
    assert.deepEqual(valuesIn(columns), ['model', 'problem']);
    const kept = memento();
    await writeColumnLayout(kept, 'requests', [{ name: 'problem', width: 90 }]);
    assert.equal(readColumnLayout(kept, 'results'), undefined);
    assert.deepEqual(readColumnLayout(kept, 'requests'), [{ name: 'problem', width: 90 }]);
  });

  it('remembers which columns, in which order and how wide', async () => {
    const kept = memento();
    assert.equal(readColumnLayout(kept, 'results'), undefined);
    const layout: ColumnLayout = [{ name: 'words', width: 300 }, { name: '$.label' }, { name: 'id' }];
    await writeColumnLayout(kept, 'results', layout);
    assert.deepEqual(readColumnLayout(kept, 'results'), layout);
    await writeColumnLayout(kept, 'results', undefined);
    assert.equal(readColumnLayout(kept, 'results'), undefined);
  });

  it('takes nothing for a layout that is none', async () => {
    for (const wrong of [[], 'id', [{ name: 'secret' }], [{ name: 'id', width: 0 }], [{ name: 'id', width: 'wide' }], [{ name: '$' }]]) {
      const kept = memento();
      await kept.update('managedAgents.results.columns', wrong);
      assert.equal(readColumnLayout(kept, 'results'), undefined, JSON.stringify(wrong));
    }
  });

  it('keeps chosen columns where they are, and puts others before the words', () => {
    const layout: ColumnLayout = [{ name: 'id', width: 80 }, { name: 'words' }, { name: 'line' }];
    assert.deepEqual(withColumns(layout, ['line', 'id', 'model', '$.score', 'words']), [
      { name: 'id', width: 80 },
      { name: 'model' },
      { name: '$.score' },
      { name: 'words' },
      { name: 'line' },
    ]);
    assert.deepEqual(namesOf(withColumns(layout, ['line', 'test'])), ['line', 'test']);
  });

  it('gives each column a title, and shows none twice', () => {
    const columns = toTableColumns([{ name: 'id' }, { name: '$.items.0.score' }, { name: 'id', width: 90 }], translate);
    assert.deepEqual(columns, [
      { name: 'id', width: 90, title: 'Id' },
      { name: '$.items.0.score', title: 'items.0.score' },
    ]);
  });
});
