import assert from 'node:assert/strict';
import {
  type ConversionNames,
  toConversionMessage,
  toConversionReport,
} from '../../../../../src/features/requests/converting/conversionPresentation';
import type { ConversionReport } from '../../../../../src/jsonl/converting/convertFile';
import { fillPlaceholders } from '../fillPlaceholders';

const at = (line: number, column = 0, number = line) => ({ line, column, number });
const names = { source: 'a.jsonl', out: 'a.requests.jsonl', rest: undefined };
const whole: ConversionReport = {
  layout: 'lines',
  items: 2,
  converted: 2,
  kinds: { request: 0, params: 2, 'batch-line': 0, chat: 0 },
  notes: [],
  failures: [],
  changedIds: { count: 0, first: [] },
  hasRest: false,
};

describe('features/requests/converting/conversionPresentation', () => {
  it('reports that everything was converted', () => {
    const { text, links } = toConversionReport(names, whole, fillPlaceholders, 'en');
    assert.equal(
      text,
      [
        'Conversion of a.jsonl',
        '',
        '2 of 2 items were converted.',
        '',
        'Requests written to  a.requests.jsonl',
        'Message params       2',
        '',
        'Nothing was left out.',
        '',
      ].join('\n'),
    );
    assert.deepEqual(links, []);
  });

  it("reports in a message how many items couldn't be converted", () => {
    const rest = { ...names, rest: 'a.not-converted.jsonl' };
    const message = (report: Partial<ConversionReport>, of: ConversionNames = rest) =>
      toConversionMessage(of, { ...whole, ...report }, fillPlaceholders, 'en');
    assert.equal(message({ items: 2 }, names), 'Wrote 2 requests to a.requests.jsonl.');
    assert.equal(message({ items: 2, converted: 1 }), 'Wrote 1 request to a.requests.jsonl. Not converted, in a.not-converted.jsonl: 1.');
    assert.equal(
      message({ items: 1502, converted: 2 }),
      'Wrote 2 requests to a.requests.jsonl. Not converted, in a.not-converted.jsonl: 1,500.',
    );
  });

  it('lists what was left out, with links to the lines', () => {
    const { text, links } = toConversionReport(
      { ...names, rest: 'a.not-converted.jsonl' },
      {
        ...whole,
        items: 1502,
        converted: 1500,
        notes: [
          {
            field: 'body.se\u202eed',
            text: { template: 'Not supported, left out.', args: ['x\ny'] },
            count: 1400,
            first: [at(0), at(1233)],
          },
        ],
        failures: [{ text: { template: 'max_tokens is missing.', args: [] }, count: 1, first: [at(7)] }],
        changedIds: { count: 2, first: [{ ...at(4), from: 'a/b', to: 'a-b-12345678' }] },
      },
      fillPlaceholders,
      'en',
    );
    const lines = text.split('\n');
    assert.ok(lines.includes('1,500 of 1,502 items were converted.'));
    assert.ok(lines.includes('  body.se\\u{202e}ed'));
    assert.ok(lines.includes('      Not supported, left out.'));
    assert.ok(lines.includes('      Lines 1, 1,234 and 1,398 more'));
    assert.ok(lines.includes('Changed IDs (1 of 2)'));
    assert.deepEqual(
      links.map(({ reportLine, start = 0, length, line }) => [lines[reportLine]?.slice(start, start + length), line]),
      [
        ['8', 7],
        ['1', 0],
        ['1,234', 1233],
        ['5', 4],
      ],
    );
  });

  it('numbers the items of an array, with links to their start', () => {
    const { text, links } = toConversionReport(
      { ...names, rest: 'a.not-converted.jsonl' },
      {
        ...whole,
        layout: 'elements',
        items: 1300,
        converted: 1299,
        failures: [{ text: { template: 'Expected a JSON object.', args: [] }, count: 1, first: [at(0, 77, 2)] }],
        notes: [
          { field: 'seed', text: { template: 'Not supported, left out.', args: [] }, count: 2, first: [at(0, 5, 0), at(0, 9000, 1233)] },
        ],
        changedIds: { count: 1, first: [{ ...at(0, 40, 1), from: 'a/b', to: 'a-b-12345678' }] },
      },
      fillPlaceholders,
      'en',
    );
    const lines = text.split('\n');
    assert.ok(lines.includes('      Requests 3'), text);
    assert.ok(lines.includes('      Requests 1, 1,234'), text);
    assert.ok(lines.includes('  request 2: a/b -> a-b-12345678'), text);
    assert.deepEqual(
      links.map(({ reportLine, start = 0, length, line, column }) => [lines[reportLine]?.slice(start, start + length), line, column]),
      [
        ['3', 0, 77],
        ['1', 0, 5],
        ['1,234', 0, 9000],
        ['2', 0, 40],
      ],
    );
  });
});
