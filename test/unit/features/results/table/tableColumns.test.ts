import assert from 'node:assert/strict';
import {
  askedColumns,
  readColumnLayout,
  toTableColumns,
  usualColumns,
  valuesIn,
  withColumns,
  writeColumnLayout,
} from '../../../../../src/features/results/table/tableColumns';
import type { ColumnLayout } from '../../../../../src/shared/results/resultsProtocol';
import { toJsonPaths } from '../../../../../src/features/results/table/panelColumns';
import { columnLayoutSchema } from '../../../../../src/shared/results/fromResultsSchema';

const namesOf = (layout: ColumnLayout) => layout.map(({ name }) => name);
const translate = (text: string) => text;

/** Storage of a workspace. */
function memento() {
  const values = new Map<string, unknown>();
  return { get: (key: string) => values.get(key), update: async (key: string, value: unknown) => void values.set(key, value) };
}

describe('features/results/table/tableColumns', () => {
  it('shows the ID, the status and the answer, and expectations if there are any', () => {
    assert.deepEqual(namesOf(usualColumns('results', false)), ['id', 'status', 'words']);
    assert.deepEqual(namesOf(usualColumns('results', true)), ['id', 'status', 'words', 'test']);
    assert.deepEqual(valuesIn(usualColumns('results', true)), ['test']);
  });

  it('shows the session and the requested fields, in a layout of the file alone', async () => {
    const asked = { source: 'file:///why.jsonl', fields: ['cause', 'fix'] };
    assert.deepEqual(namesOf(askedColumns(asked)), ['fields.title', 'fields.state', 'status', '$.cause', '$.fix']);
    const stored = memento();
    await writeColumnLayout(stored, 'results', [{ name: '$.fix' }], asked);
    assert.deepEqual(readColumnLayout(stored, 'results', asked), [{ name: '$.fix' }]);
    assert.equal(readColumnLayout(stored, 'results'), undefined);
    assert.equal(readColumnLayout(stored, 'results', { ...asked, source: 'file:///other.jsonl' }), undefined);
  });

  it('shows for requests what is known before they are sent, and stores that layout separately', async () => {
    const columns = usualColumns('requests', true);
    assert.deepEqual(namesOf(columns), ['id', 'problem', 'words', 'line', 'model', 'input_tokens', 'output_tokens']);
    assert.deepEqual(valuesIn(columns), ['problem', 'model']);
    const state = memento();
    await writeColumnLayout(state, 'requests', [{ name: 'problem', width: 90 }]);
    assert.equal(readColumnLayout(state, 'results'), undefined);
    assert.deepEqual(readColumnLayout(state, 'requests'), [{ name: 'problem', width: 90 }]);
  });

  it('stores columns, order and widths', async () => {
    const state = memento();
    assert.equal(readColumnLayout(state, 'results'), undefined);
    const layout: ColumnLayout = [{ name: 'words', width: 300 }, { name: '$.label' }, { name: 'id' }];
    await writeColumnLayout(state, 'results', layout);
    assert.deepEqual(readColumnLayout(state, 'results'), layout);
    await writeColumnLayout(state, 'results', undefined);
    assert.equal(readColumnLayout(state, 'results'), undefined);
  });

  it('ignores an invalid layout', async () => {
    for (const wrong of [[], 'id', [{ name: 'secret' }], [{ name: 'id', width: 0 }], [{ name: 'id', width: 'wide' }], [{ name: '$' }]]) {
      const state = memento();
      await state.update('managedAgents.results.columns', wrong);
      assert.equal(readColumnLayout(state, 'results'), undefined, JSON.stringify(wrong));
    }
  });

  it('keeps the position of chosen columns, and adds others at the end', () => {
    const layout: ColumnLayout = [{ name: 'id', width: 80 }, { name: 'words' }, { name: 'line' }];
    assert.deepEqual(withColumns(layout, ['line', 'id', 'model', '$.score', 'words']), [
      { name: 'id', width: 80 },
      { name: 'words' },
      { name: 'line' },
      { name: 'model' },
      { name: '$.score' },
    ]);
    assert.deepEqual(namesOf(withColumns(layout, ['line', 'test'])), ['line', 'test']);
  });

  it('gives each column a title, and shows none twice', () => {
    const columns = toTableColumns([{ name: 'id' }, { name: '$.items.0.score' }, { name: 'id', width: 90 }], translate);
    assert.deepEqual(columns, [
      { name: 'id', width: 90, title: 'ID' },
      { name: '$.items.0.score', title: 'items.0.score' },
    ]);
  });
});

describe('features/results/table/tableColumns chooseColumns', () => {
  it('accepts several fields at once', () => {
    assert.deepEqual(toJsonPaths('label, $.items[0].score ,'), ['$.label', '$.items.0.score']);
    assert.deepEqual(toJsonPaths(' '), []);
    assert.equal(toJsonPaths('label, a..b'), undefined);
    assert.equal(toJsonPaths('a b'), undefined);
  });

  it('keeps as many columns as are offered', () => {
    const layout = Array.from({ length: 320 }, (_, at) => ({ name: `$.f${at}` as const }));
    assert.deepEqual(columnLayoutSchema.parse(layout), layout);
  });
});
