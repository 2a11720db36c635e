import assert from 'node:assert/strict';
import { parseSampleSize, toArrangements } from '../../../../../src/features/requests/arranging/arrangeRequests';
import { parseSplitWish } from '../../../../../src/features/requests/arranging/splitFile';
import { fillPlaceholders } from '../fillPlaceholders';

const limits = { maxRequests: 100_000, maxBytes: 256_000_000 };
const part = { requests: 10, bodyBytes: 1000, firstLine: 0, lastLine: 9 };
const noneTooLarge = { count: 0, first: [] };

describe('features/requests/arranging/arrangeRequests', () => {
  const of = (repeats: { params: number; request: number; id: number }, parts = [part], tooLarge = noneTooLarge) =>
    toArrangements({ requests: 25, repeats }, { parts, tooLarge }, 'q', fillPlaceholders, 'en');

  it('previews what each arrangement writes, and removes duplicates only if there are any', () => {
    const plain = of({ params: 0, request: 0, id: 0 });
    assert.deepEqual(
      plain.map(({ value }) => value),
      ['split', 'sample', 'shuffle', 'merge'],
    );
    assert.equal(plain[0]?.detail, 'Fits in one batch. The parts are named q.part-001.jsonl and so on');
    const found = of({ params: 3, request: 1, id: 0 });
    assert.deepEqual(
      found.slice(4).map(({ value, detail }) => [value, detail]),
      [
        ['showDuplicates', 'Same params: 3, same ID: 0'],
        ['params', 'Writes 22 of 25 requests to q.unique.jsonl'],
        ['request', 'Writes 24 of 25 requests to q.unique.jsonl'],
      ],
    );
  });

  it('counts the batches that a file needs, and reports requests that are too large for any', () => {
    const nothing = { params: 0, request: 0, id: 0 };
    assert.match(of(nothing, [part, part])[0]?.detail ?? '', /^Needs 2 batches\./);
    assert.match(of(nothing, [], { count: 2, first: [] })[0]?.detail ?? '', /^2 requests are too large for a batch\./);
    assert.match(of(nothing, [], { count: 1, first: [] })[0]?.detail ?? '', /^1 request is too large for a batch\./);
  });

  it('parses how to split, within the limits', () => {
    assert.deepEqual(parseSplitWish(' 3 parts ', limits), { limits, parts: 3 });
    assert.deepEqual(parseSplitWish('1000 requests', limits), { limits: { ...limits, maxRequests: 1000 } });
    assert.deepEqual(parseSplitWish('1 request', limits)?.limits.maxRequests, 1);
    assert.deepEqual(parseSplitWish('999999 requests', limits)?.limits.maxRequests, 100_000);
    assert.deepEqual(parseSplitWish('50MB', limits)?.limits.maxBytes, 50_000_000);
    for (const text of ['', '0 parts', '3', '-1 requests', '1.5 MB', 'parts']) {
      assert.equal(parseSplitWish(text, limits), undefined, text);
    }
  });

  it('parses a number or a percentage of requests', () => {
    assert.deepEqual(parseSampleSize('10'), { count: 10 });
    assert.deepEqual(parseSampleSize('2,5 %'), { share: 0.025 });
    for (const text of ['', '0', '0 %', '101 %', '1.5', 'ten']) {
      assert.equal(parseSampleSize(text), undefined, text);
    }
  });
});
