import assert from 'node:assert/strict';
import type { Problem } from '../../../../../src/contract/problem';
import { toCheckReport } from '../../../../../src/features/requests/checking/checkReportPresentation';
import type { BatchFileReport } from '../../../../../src/jsonl/checking/batchFileReport';
import { fillPlaces } from '../fillPlaces';

const clean: BatchFileReport = {
  fileBytes: 1_203_332,
  sha256: 'ab12',
  lineCount: 413,
  requestCount: 412,
  bareCount: 2,
  bodyBytes: 1_203_400,
  models: [
    ['m-large', 400],
    ['m-small', 12],
  ],
  problems: [],
  problemCounts: { error: 0, warning: 0, information: 0, hint: 0 },
  ruleCounts: [],
  invalidCount: 0,
  unjoinableCount: 0,
  refusedCount: 0,
};
const file = {
  name: '/data/questions.jsonl',
  place: 'disk',
  limits: { maxRequests: 100_000, maxBytes: 268_435_456 },
  connection: 'Work',
} as const;

function problemAt(line: number, start: number, rule: string): Problem {
  return { rule, severity: 'error', text: { template: 'Other use of {0}', args: [rule] }, line, start, end: start + 1, path: [] };
}

describe('features/requests/checking/checkReportPresentation', () => {
  it('begins with the verdict and gives every fact', () => {
    const { text, links } = toCheckReport(file, clean, fillPlaces, 'en');
    assert.equal(
      text,
      [
        'Check of /data/questions.jsonl',
        '',
        'A batch can be made from this file. Nothing is wrong with it.',
        '',
        'Requests    412 of at most 100,000',
        'Batch body  1.2 MB (1,203,400 bytes) of at most 268 MB',
        'Limits      those of connection Work',
        'File        1.2 MB (1,203,332 bytes)',
        'Lines       413',
        'Ids made    2',
        'Models      m-large (400), m-small (12)',
        'SHA-256     ab12',
        'Problems    none',
        '',
      ].join('\n'),
    );
    assert.deepEqual(links, []);
  });

  it('lists problems with their places and links to them', () => {
    const problems = [problemAt(9, 4, 'wrong-type'), problemAt(1233, 0, 'json-syntax'), problemAt(5, 0, 'json-syntax')];
    const report = {
      ...clean,
      problems,
      problemCounts: { error: 3, warning: 0, information: 0, hint: 0 },
      ruleCounts: [
        { rule: 'json-syntax', count: 2, firstLine: 5 },
        { rule: 'wrong-type', count: 1, firstLine: 9 },
      ],
    };
    const { text, links } = toCheckReport(file, report, fillPlaces, 'en');
    assert.match(text, /^Fix 3 errors before/m);
    assert.match(text, /By rule\n {2}json-syntax {2}2 {2}Broken JSON {2}first on line 6\n {2}wrong-type {3}1 {2}Wrong type {3}line 10\n/);
    const lines = text.split('\n');
    assert.deepEqual(
      links.map(({ reportLine, start = 0, length, line, column }) => [lines[reportLine]?.slice(start, start + length), line, column]),
      [
        ['first on line 6', 5, 0],
        ['line 10', 9, 0],
        ['10:5', 9, 4],
        ['1234:1', 1233, 0],
        ['6:1', 5, 0],
      ],
    );
    assert.equal(lines[links[2]?.reportLine ?? 0], '10:5    error  wrong-type   Other use of wrong-type');
  });

  it('says when not all problems are listed', () => {
    const report = {
      ...clean,
      problems: [problemAt(0, 0, 'x')],
      problemCounts: { error: 1345, warning: 0, information: 0, hint: 0 },
      ruleCounts: [{ rule: 'duplicate-id', count: 1345, firstLine: 0 }],
    };
    const { text } = toCheckReport(file, report, fillPlaces, 'en');
    assert.match(text, /Problems: the first 1 of 1,345/);
    assert.match(text, /duplicate-id {2}1,345 {2}Duplicate ID/);
  });

  it('says that no batch can be made of lines without a request, whatever weight the user gives them', () => {
    assert.match(toCheckReport(file, { ...clean, invalidCount: 2 }, fillPlaces, 'en').text, /^No batch can be made from this file: 2 of/m);
  });

  it('says that unsaved text was checked', () => {
    assert.match(toCheckReport({ ...file, place: 'editor' }, clean, fillPlaces, 'en').text, /It is not saved\./);
  });
});
