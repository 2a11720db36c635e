import assert from 'node:assert/strict';
import { type AskedFields, PanelColumns } from '../../../../../src/features/results/table/panelColumns';
import type { OpenTable } from '../../../../../src/features/results/table/resultsTable';
import type { ColumnLayout, TableSubject } from '../../../../../src/shared/results/resultsProtocol';

const namesOf = (layout: ColumnLayout) => layout.map(({ name }) => name);

/** Returns an in-memory workspace storage. */
function memento() {
  const values = new Map<string, unknown>();
  return {
    get: (key: string) => values.get(key),
    update: async (key: string, value: unknown) => void values.set(key, value),
    keys: () => [...values.keys()],
  };
}

/** Returns the columns of a panel, whose results can have expectations. */
async function columnsOf(subject: TableSubject, state = memento(), { hasExpectations = false, asked }: Partial<Facts> = {}) {
  const table = { columns: { hasExpectations: async () => hasExpectations } } as unknown as OpenTable['table'];
  const columns = new PanelColumns(state, { table, asked: async () => asked }, subject);
  await columns.refresh();
  return columns;
}

interface Facts {
  readonly hasExpectations: boolean;
  readonly asked: AskedFields;
}

const usual = ['id', 'status', 'words'];

describe('features/results/table/panelColumns', () => {
  it('shows the ID, the status and the answer, and expectations if there are any', async () => {
    assert.deepEqual(namesOf((await columnsOf('results')).shown), usual);
    const { shown, values } = await columnsOf('results', memento(), { hasExpectations: true });
    assert.deepEqual([namesOf(shown), values], [['id', 'status', 'words', 'test'], ['test']]);
  });

  it('shows the session and the requested fields, in a layout of the file alone', async () => {
    const asked = { source: 'file:///why.jsonl', fields: ['cause', 'fix'] };
    const state = memento();
    const columns = await columnsOf('results', state, { asked });
    assert.deepEqual(namesOf(columns.shown), ['fields.title', 'fields.state', 'status', '$.cause', '$.fix']);
    await columns.set([{ name: '$.fix' }]);
    assert.deepEqual(namesOf((await columnsOf('results', state, { asked })).shown), ['$.fix']);
    assert.deepEqual(namesOf((await columnsOf('results', state)).shown), usual);
    const other = { ...asked, source: 'file:///other.jsonl' };
    assert.equal((await columnsOf('results', state, { asked: other })).shown.length, 5);
  });

  it('shows for requests what is known before they are sent, and stores that layout separately', async () => {
    const state = memento();
    const columns = await columnsOf('requests', state, { hasExpectations: true });
    assert.deepEqual(namesOf(columns.shown), ['id', 'problem', 'words', 'line', 'model', 'input_tokens', 'output_tokens']);
    assert.deepEqual(columns.values, ['problem', 'model']);
    await columns.set([{ name: 'problem', width: 90 }]);
    assert.deepEqual(namesOf((await columnsOf('results', state)).shown), usual);
    assert.deepEqual((await columnsOf('requests', state)).shown, [{ name: 'problem', width: 90, title: 'Problems' }]);
  });

  it('stores columns, order and widths', async () => {
    const state = memento();
    await (await columnsOf('results', state)).set([{ name: 'words', width: 300 }, { name: '$.label' }, { name: 'id' }]);
    const columns = await columnsOf('results', state);
    assert.deepEqual(
      columns.shown.map(({ name, width }) => [name, width]),
      [
        ['words', 300],
        ['$.label', undefined],
        ['id', undefined],
      ],
    );
    await columns.set(undefined);
    assert.deepEqual(namesOf(columns.shown), usual);
  });

  it('ignores an invalid layout', async () => {
    for (const wrong of [[], 'id', [{ name: 'secret' }], [{ name: 'id', width: 0 }], [{ name: 'id', width: 'wide' }], [{ name: '$' }]]) {
      const state = memento();
      await state.update('managedAgents.results.columns', wrong);
      assert.deepEqual(namesOf((await columnsOf('results', state)).shown), usual, JSON.stringify(wrong));
    }
  });

  it('shows the status column of a layout stored under its old name', async () => {
    const state = memento();
    await state.update('managedAgents.results.columns', [{ name: 'id' }, { name: 'state', width: 120 }, { name: '$.state' }]);
    assert.deepEqual((await columnsOf('results', state)).shown, [
      { name: 'id', title: 'ID' },
      { name: 'status', width: 120, title: 'Status' },
      { name: '$.state', title: 'state' },
    ]);
  });

  it('gives each column a title, and shows none twice', async () => {
    const columns = await columnsOf('results');
    await columns.set([{ name: 'id' }, { name: '$.items.0.score' }, { name: 'id', width: 90 }]);
    assert.deepEqual(columns.shown, [
      { name: 'id', width: 90, title: 'ID' },
      { name: '$.items.0.score', title: 'items.0.score' },
    ]);
  });
});
