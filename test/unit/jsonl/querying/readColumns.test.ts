import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { QueryError } from '../../../../src/jsonl/querying/parseQuery';
import { type QuerySource, queryResults } from '../../../../src/jsonl/querying/queryResults';
import { readColumns } from '../../../../src/jsonl/querying/readColumns';
import { surveyResults } from '../../../../src/jsonl/querying/surveyResults';
import type { ValueColumnName } from '../../../../src/jsonl/querying/valueColumns';
import { errored, makeJoined, quiet, succeeded } from './joinedFile';

const answer = (json: unknown, model: string, more = {}) =>
  succeeded(typeof json === 'string' ? json : JSON.stringify(json), { more: { model, ...more } });

describe('jsonl/querying/readColumns', () => {
  let joined: Awaited<ReturnType<typeof makeJoined>>;
  let expectationsPath: string;

  beforeEach(async () => {
    joined = await makeJoined([
      ['a', answer({ label: 'Spam', score: 10, parts: [{ name: 'x' }] }, 'small')],
      ['b', answer('```json\n{"label":"ham","score":9}\n```', 'large')],
      ['c', answer('No JSON, but "model":"wrong" in it', 'large', { stop_reason: 'max_tokens' })],
      ['d', errored('No.')],
      ['e', answer({ label: null, score: 9.5, toString: 1, text: '{"model":"no"}' }, 'large')],
      ['f', answer(['first'], '')],
    ]);
    expectationsPath = path.join(joined.folder, 'a.expect.jsonl');
    await writeFile(expectationsPath, '{"contains":"label"}\n');
  });

  afterEach(() => joined.remove());

  const read = (...names: ValueColumnName[]) => {
    const columns = readColumns({ ...joined, names, expectationsPath }, quiet);
    assert.deepEqual(
      columns.map(({ name }) => name),
      names,
    );
    assert.ok(columns.every(({ of }) => of.buffer instanceof SharedArrayBuffer));
    return columns.map(({ values, of }) => Array.from(of, place => values[place]));
  };
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const ask = async (query: string, sort?: QuerySource['sort']) => {
    const { rows } = await queryResults({ ...joined, query, expectationsPath, ...(sort && { sort }) }, quiet);
    return Array.from(rows, row => ids[row]).join('');
  };

  it('reads the model of each answer, and values at paths of its JSON', () => {
    assert.deepEqual(read('model', '$.label', '$.score', '$.parts.0.name', '$.0', '$.__proto__.x', '$.valueOf'), [
      ['small', 'large', 'large', '', 'large', ''],
      ['Spam', 'ham', '', '', 'null', ''],
      ['10', '9', '', '', '9.5', ''],
      ['x', '', '', '', '', ''],
      ['', '', '', '', '', 'first'],
      ['', '', '', '', '', ''],
      ['', '', '', '', '', ''],
    ]);
  });

  it('reads the model only from the message itself, at any position and beside anything', async () => {
    const decoy = { model: 'wrong', message: { model: 'wrong' }, result: { message: { model: 'wrong' } } };
    const lines = [
      succeeded('x', { more: { decoy, model: 'right', after: [decoy, { decoy }] } }),
      { decoy, ...succeeded('x', { more: { 'model"': 'wrong', Model: 'wrong', model: 'r"\u00e9"ight' } }), decoys: [decoy] },
      succeeded('x', { more: { model: decoy } }),
      succeeded('x', { more: { decoy } }),
      { ...succeeded('x'), message: 'model', model: 'wrong' },
    ];
    const others = await makeJoined(lines.map((line, at) => [String(at), line] as const));
    try {
      const [model] = readColumns({ ...others, names: ['model'] }, quiet);
      assert.deepEqual(
        Array.from(model?.of ?? [], place => model?.values[place]),
        ['right', 'r"é"ight', '', '', ''],
      );
    } finally {
      await others.remove();
    }
  });

  it('reports which answers are as expected', () => {
    assert.deepEqual(read('test'), [['passed', 'passed', 'failed', 'failed', 'passed', 'failed']]);
  });

  it('reads extra fields of requests from the fields file', async () => {
    const fieldsPath = path.join(joined.folder, 'a.fields.jsonl');
    await writeFile(fieldsPath, '{"custom_id":"a","sku":"s-1","meta":{"n":9007199254740993}}\n{"custom_id":"d","sku":"s-2"}\n');
    const columns = readColumns({ ...joined, names: ['fields.sku', 'fields.meta.n'], fieldsPath }, quiet);
    assert.deepEqual(
      columns.map(({ values, of }) => Array.from(of, at => values[at])),
      [
        ['s-1', '', '', 's-2', '', ''],
        ['9007199254740993', '', '', '', '', ''],
      ],
    );
    const { rows } = await queryResults({ ...joined, query: 'fields.sku~s- not fields.meta.n=9007199254740993', fieldsPath }, quiet);
    assert.deepEqual([...rows], [3]);
  });

  it('returns nothing without expectations', async () => {
    const values = () =>
      readColumns({ ...joined, names: ['test'], expectationsPath }, quiet).map(({ values, of }) => Array.from(of, at => values[at]));
    await writeFile(expectationsPath, '');
    assert.deepEqual(values(), [['', '', '', '', '', '']]);
    await writeFile(
      expectationsPath,
      '{"custom_id":"a","contains":"Spam"}\n{"custom_id":"b","contains":"Spam"}\n{"custom_id":"d","contains":"x"}\n',
    );
    assert.deepEqual(values(), [['passed', 'failed', '', 'failed', '', '']]);
    assert.deepEqual(
      readColumns({ ...joined, names: ['test'] }, quiet).map(({ values }) => values),
      [['']],
    );
  });

  it('shortens long values, and stores each once', async () => {
    const long = 'word '.repeat(1000);
    const other = await makeJoined([
      ['a', answer({ text: long }, 'm')],
      ['b', answer({ text: long }, 'm')],
    ]);
    const [column] = readColumns({ ...other, names: ['$.text'] }, quiet);
    await other.remove();
    assert.deepEqual([...(column?.of ?? [])], [1, 1]);
    assert.equal(column?.values.length, 2);
    assert.equal(column?.values[1]?.length, 200);
  });

  it('lets queries use them, and sorts rows by them', async () => {
    assert.equal(await ask('model=LARGE'), 'bce');
    assert.equal(await ask('model~/^s/'), 'a');
    assert.equal(await ask('model!=large'), 'adf');
    assert.equal(await ask('test=failed and status=succeeded'), 'f');
    assert.equal(await ask('expected=pass $.label=ham,spam'), 'ab');
    assert.equal(await ask('$.label~a or $.parts[0].name=x'), 'ab');
    assert.equal(await ask('', { by: '$.score', isDescending: false }), 'beacdf', 'numbers as numbers, then those without');
    assert.equal(await ask('status=succeeded', { by: 'model', isDescending: true }), 'abef');
    assert.equal(await ask('', { by: 'test', isDescending: false }), 'cdfabe');
  });

  it('compares numbers in JSON answers with numbers, and not with strings', async () => {
    assert.equal(await ask('$.score>9'), 'ae');
    assert.equal(await ask('$.score>=9'), 'abe');
    assert.equal(await ask('$.score<9.5'), 'b');
    assert.equal(await ask('$.score<=9.5 model=large'), 'be');
    assert.equal(await ask('$.score>1e1,9.2'), 'ae', 'any of several');
    assert.equal(await ask('$.score>-2'), 'abe');
    assert.equal(await ask('$.score<1k'), 'abe');
    assert.equal(await ask('$.label<1 or $.label>=1'), '');
    assert.equal(await ask('not $.score>9'), 'bcdf');
    for (const value of ['many', '/9/', '1..2', '""']) {
      await assert.rejects(ask(`$.score>${value}`), (error: unknown) => {
        assert.ok(error instanceof QueryError);
        assert.match(error.message, /Use a number such as/);
        return error.start === 8;
      });
    }
    await assert.rejects(ask('model>3'), QueryError);
  });

  it('reuses columns that were read before', async () => {
    const columns = readColumns({ ...joined, names: ['model'] }, quiet).map(column => ({
      ...column,
      values: column.values.map(value => value && 'other'),
    }));
    const { rows } = await queryResults({ ...joined, query: 'model=other', columns }, quiet);
    assert.deepEqual([...rows], [0, 1, 2, 4]);
  });

  it('breaks results down by model', async () => {
    assert.deepEqual((await surveyResults({ ...joined, expectationsPath }, quiet)).models, [
      { model: 'large', rows: 3, succeeded: 2, outputTokens: 9, passed: 2 },
      { model: 'small', rows: 1, succeeded: 1, outputTokens: 3, passed: 1 },
    ]);
    assert.deepEqual((await surveyResults({ ...joined, query: 'model=small' }, quiet)).models, [
      { model: 'small', rows: 1, succeeded: 1, outputTokens: 3, passed: undefined },
    ]);
  });
});
