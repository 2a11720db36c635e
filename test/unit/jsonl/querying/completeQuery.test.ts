import assert from 'node:assert/strict';
import { completeQuery } from '../../../../src/jsonl/querying/completeQuery';
import { parseQuery } from '../../../../src/jsonl/querying/parseQuery';

describe('jsonl/querying/completeQuery', () => {
  const offers = (text: string, known = {}) => completeQuery(text, text.length, known);
  const texts = (text: string, known = {}) => offers(text, known).offers.map(offer => offer.text);

  it('offers fields at the start of a condition', () => {
    assert.deepEqual(texts('').slice(0, 3), ['status', 'stop', 'error']);
    assert.deepEqual(offers('status=errored st'), {
      start: 15,
      end: 17,
      offers: [
        { kind: 'field', text: 'status', about: { template: 'Status of the result', args: [] } },
        { kind: 'field', text: 'stop', about: { template: 'Stop reason', args: [] } },
      ],
    });
    assert.deepEqual(texts('status=errored ').slice(0, 3), ['and', 'or', 'not']);
    assert.deepEqual(texts('(').slice(0, 1), ['status']);
  });

  it('offers operators after a field and values after an operator, most frequent first', () => {
    assert.deepEqual(texts('status'), ['=', '!=']);
    assert.deepEqual(offers('status').start, 6);
    assert.deepEqual(texts('out '), ['=', '!=', '>', '>=', '<', '<=']);
    assert.deepEqual(texts('status=e'), ['empty', 'expired']);
    assert.deepEqual(texts('status=errored,ex'), ['expired']);
    assert.deepEqual(texts('stop=', { stop: ['end_turn', 'odd one'] }).slice(0, 2), ['end_turn', '"odd one"']);
    assert.deepEqual(texts('text~"so'), []);
    assert.deepEqual(texts('out>4'), []);
  });

  it('offers only valid texts: every field with every operator and value is parsed', () => {
    for (const field of texts('').filter(text => text !== 'not')) {
      for (const operator of texts(field)) {
        for (const value of [...texts(`${field}${operator}`), '1']) {
          const written = `${field}${operator}${value}`;
          const isValid = value !== '1' || !['status', 'test'].includes(field);
          assert[isValid ? 'doesNotThrow' : 'throws'](() => parseQuery(written), written);
        }
      }
    }
  });
});
