import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { surveyFields } from '../../../../src/jsonl/querying/surveyFields';
import { errored, makeJoined, quiet, succeeded } from './joinedFile';

describe('jsonl/querying/surveyFields', () => {
  const fieldsOf = async (...answers: readonly unknown[]) => {
    const texts = answers.map(answer => (typeof answer === 'string' ? answer : JSON.stringify(answer)));
    const joined = await makeJoined([...texts.map((text, at) => [`n${at}`, succeeded(text)] as const), ['bad', errored('{"x":1}')]]);
    try {
      const { read, fields } = surveyFields(joined, quiet);
      return { read, fields: fields.map(({ name, count }) => `${name} ${count}`) };
    } finally {
      await joined.remove();
    }
  };

  it('finds fields at any level, most frequent first', async () => {
    assert.deepEqual(
      await fieldsOf(
        { label: 'spam', items: [{ score: 1, names: [] }, { other: 2 }] },
        '```json\n{"score":1,"label":"ham","deep":{"a":{"b":null}}}\n```',
        'No JSON',
        { 'with space': 1, 'a.b': 2, '': 3, label: {} },
        [{ first: 1 }],
      ),
      {
        read: 5,
        fields: ['$.label 3', '$.items 1', '$.items.0.score 1', '$.items.0.names 1', '$.score 1', '$.deep.a.b 1', '$.0.first 1'],
      },
    );
  });

  it('starts with extra fields of the requests', async () => {
    const joined = await makeJoined([['a', succeeded('{"label":1}')]]);
    try {
      const fieldsPath = `${joined.folder}/a.fields.jsonl`;
      await writeFile(fieldsPath, '{"custom_id":"a","sku":1}\n');
      const { fields } = surveyFields({ ...joined, fieldsPath }, quiet);
      assert.deepEqual(
        fields.map(({ name }) => name),
        ['fields.sku', '$.label'],
      );
    } finally {
      await joined.remove();
    }
  });

  it('finds up to 300 fields', async () => {
    const { fields } = await fieldsOf(Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`f${at}`, at])));
    assert.deepEqual([fields.length, fields[0], fields[299]], [300, '$.f0 1', '$.f299 1']);
  });

  it('reads a sample of very many answers, and none that is nested too deeply', async () => {
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    assert.deepEqual((await fieldsOf(deep)).fields, ['$.a.a.a.a.a.a 1']);
  });
});
