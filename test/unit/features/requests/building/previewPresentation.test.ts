import assert from 'node:assert/strict';
import { type PreviewContent, toBuildReport, toNoRows, toPreview } from '../../../../../src/features/requests/building/previewPresentation';
import type { Row, RowsSurvey } from '../../../../../src/jsonl/building/rowsReport';
import { contractRules } from '../../../../../src/jsonl/rules/ruleOptions';

const t = (message: string, ...args: readonly (string | number)[]) =>
  message.replace(/\{(\d+)\}/g, (_, index) => String(args[Number(index)]));

const names = ['id', 'question', 'n'];

function row(number: number, line: number, ...cells: readonly string[]): Row {
  return { number, line, values: new Map(cells.map((cell, index) => [names[index] as string, JSON.stringify(cell)])) };
}

const survey: RowsSurvey = {
  format: { kind: 'csv', delimiter: ';', hasHeader: true },
  fileBytes: 1200,
  rowCount: 1234,
  columns: names.map(name => ({ name, filled: 1234, isId: name === 'id' })),
  first: row(1, 1, 'a', 'One "1"?\nTwo?\u2028', '5'),
  last: row(1234, 1300, 'b c', 'Last?', 'x'),
  wanted: undefined,
  random: [row(1, 1, 'a', 'One?', '5'), row(7, 8, 'g', 'Seven?'), row(9, 10, 'i', 'Nine?', '9')],
  stop: undefined,
};

const template = (content: string, tokens: string) =>
  JSON.stringify({ custom_id: '{{id}}', params: { model: 'vendor-sonnet-5', max_tokens: tokens, messages: [{ role: 'user', content }] } });

function preview(more: Partial<PreviewContent>) {
  const content = {
    rowsName: 'rows.csv',
    templateName: 'ask.batch-template.json',
    template: template('{{question}}', '{{n|json}}'),
    survey,
    report: undefined,
    isChecking: true,
    random: 0,
    rules: contractRules('2026-01-01'),
  };
  return toPreview({ ...content, ...more }, t, 'en');
}

/** Parses the requests in a preview. Ignores comments. */
function requests(text: string): { custom_id: string }[] {
  return JSON.parse(text.replace(/^\s*\/\/.*$/gm, ''));
}

describe('features/requests/building/previewPresentation', () => {
  it('gives advice for a file without rows', () => {
    assert.equal(
      toNoRows('none.csv', { kind: 'csv', delimiter: ',', hasHeader: true }, t),
      'none.csv has no rows. Add rows, or choose another delimiter.',
    );
    assert.equal(toNoRows('none.jsonl', { kind: 'jsonl' }, t), 'none.jsonl has no rows. Add rows.');
  });

  it('shows the first, the last and a random row as JSON with comments, and their errors', () => {
    const { text, errors } = preview({});
    assert.equal(errors, 0);
    assert.match(
      text,
      /^\/\/ rows\.csv × ask\.batch-template\.json\n\/\/\n\/\/ Rows: 1,234 \(CSV \(Semicolons\), 1\.2 KB\)\n\/\/ Columns: id, question, n\n/,
    );
    assert.match(text, /Building and checking every row…/);
    assert.match(preview({ isChecking: false }).text, /Save the template to check all rows\./);
    assert.match(text, /First row: row 1 on line 2\n/);
    assert.match(text, /Last row: row 1234 on line 1301\n\s*\/\/ ✗ Couldn't build the request: n is invalid JSON\./);
    assert.match(text, /A random row: row 7 on line 9\n\s*\/\/ ✗ Couldn't build the request: n is empty\./);
    assert.deepEqual(
      requests(text).map(({ custom_id }) => custom_id),
      ['a'],
    );
    assert.ok(text.includes('"One \\"1\\"?\\nTwo?\u2028"'));
    assert.match(preview({ random: 1 }).text, /A random row: row 9/);
    assert.deepEqual(
      requests(preview({ random: 3 }).text).map(({ custom_id }) => custom_id),
      ['a', 'i'],
    );
    assert.match(preview({ template: template('{{question}}', '5') }).text, /✗ Use .* for "custom_id"/);
  });

  it('lists missing and unused columns and the errors of a template, without requests', () => {
    const { text, errors } = preview({ template: template('{{questoin}} {{}}', '5') });
    assert.equal(errors, 2);
    assert.match(text, /✗ Missing columns: questoin \(did you mean question\?\)\n\/\/ Not used: question, n\n/);
    assert.match(text, /✗ Template, line 1: The rows have no column questoin\./);
    assert.deepEqual(requests(text), []);
  });

  it('reports the outcome of building every row, worst first', () => {
    const problems = [
      {
        severity: 'error' as const,
        text: { template: '{0} must be a number.', args: ['max_tokens'] },
        count: 1200,
        rows: Array.from({ length: 20 }, (_, index) => ({ row: index + 1, line: index + 1 })),
      },
    ];
    const report = { rowCount: 1234, requestCount: 1230, skippedRows: 4, badRequests: 1200, bytes: 250_000, problems, stop: undefined };
    const { text } = preview({ report });
    assert.match(text, /Requests: 1,230 \(250 KB\)\n\/\/ ✗ Requests with errors: 1,200\n\/\/ ✗ Rows left out: 4\n/);
    assert.match(text, /Use \{\{column\|json\}\}/);
    assert.match(text, /✗ error ×1,200: max_tokens must be a number\.\n\/\/ +row 1 on line 2, row 2 on line 3/);
    const whole = toBuildReport('out.jsonl, built from rows.csv', report, t, 'en');
    assert.equal(whole.links.length, 20);
    const lines = whole.text.split('\n');
    for (const { reportLine, start = 0, length, line } of whole.links) {
      assert.equal(lines[reportLine]?.slice(start, start + length), `${line + 1}`);
    }
    assert.match(whole.text, /and 1,180 more/);
    const good = { ...report, requestCount: 150_000, badRequests: 0, skippedRows: 0, problems: [] };
    assert.match(preview({ report: good }).text, /✓ All 150,000 requests are valid\n\/\/ A batch can have 100,000 requests/);
    assert.match(preview({ report: { ...good, requestCount: 1 } }).text, /✓ The request is valid$/m);
    const warned = { ...good, problems: problems.map(problem => ({ ...problem, severity: 'warning' as const })) };
    assert.match(preview({ report: warned }).text, /✓ No request has an error\n[\s\S]*warning ×1,200/);
  });

  it('reports where reading the rows stopped', () => {
    const stop = { severity: 'error' as const, row: undefined, line: 4, text: { template: 'A quotation mark.', args: [] } };
    assert.match(preview({ survey: { ...survey, stop } }).text, /✗ rows\.csv, line 5: A quotation mark\./);
  });
});
