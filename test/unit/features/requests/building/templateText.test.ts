import assert from 'node:assert/strict';
import { toTemplateText } from '../../../../../src/features/requests/building/rowsBuilding';
import { RequestBuilder } from '../../../../../src/jsonl/building/requestBuilder';
import { parseTemplate } from '../../../../../src/jsonl/building/requestTemplate';
import { checkRequestLine } from '../../../../../src/jsonl/checking/requestRules';
import { contractRules } from '../../../../../src/jsonl/rules/ruleOptions';

const csv = { kind: 'csv', delimiter: ',', hasHeader: true } as const;
const columns = (...names: string[]) => names.map(name => ({ name, filled: 1, isId: /^(?:name|id|key.*)$/.test(name) }));

/** Returns id and content of a request from a new template. Each cell of the row is the name of its column. */
function first(...names: string[]) {
  const template = parseTemplate(toTemplateText({ columns: columns(...names), format: csv }));
  assert.deepEqual(template.problems, []);
  const values = new Map(names.map(name => [name, JSON.stringify(name)]));
  const line = new RequestBuilder(template, names).build({ number: 3, line: 3, values });
  assert.deepEqual(checkRequestLine(line, 0, contractRules('2026-01-01')).problems, []);
  const { custom_id, params } = JSON.parse(line);
  return [custom_id, params.messages[0].content];
}

describe('features/requests/building/templateText', () => {
  it('uses a column of IDs for the ID, and lists the other columns in the message', () => {
    assert.deepEqual(first('name', 'id', 'question'), ['id', 'name: name\nquestion: question']);
    assert.deepEqual(first('name', 'question'), ['name', 'question']);
    assert.deepEqual(first('question', 'text'), ['row-3', 'question: question\ntext: text']);
    assert.deepEqual(first('id'), ['id', 'id']);
    assert.deepEqual(first('a {{b', 'c "d"'), ['row-3', 'c "d"']);
  });

  it('lets JSON rows omit a key', () => {
    assert.match(toTemplateText({ columns: columns('q', 'r'), format: { kind: 'jsonl' } }), /q: \{\{q\?\}\}\\nr: \{\{r\?\}\}/);
  });
});
