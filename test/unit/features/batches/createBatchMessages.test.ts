import assert from 'node:assert/strict';
import { ServiceError } from '../../../../src/client/errors';
import { askToCreate, type CreateQuestion, describeErrors, describeFailure } from '../../../../src/features/batches/createBatchMessages';
import type { Submission } from '../../../../src/features/batches/submission';
import type { BatchFileReport } from '../../../../src/jsonl/batchFileReport';

const context = {
  translate: (message: string, ...args: (string | number)[]) => message.replace(/\{(\d+)\}/g, (_, index) => String(args[Number(index)])),
  locale: 'en',
};
const report: BatchFileReport = {
  fileBytes: 1_300_000,
  sha256: '',
  lineCount: 412,
  requestCount: 412,
  bareCount: 0,
  bodyBytes: 1_234_567,
  models: [
    ['vendor-sonnet-5', 400],
    ['vendor-haiku-4-5', 12],
  ],
  problems: [],
  problemCounts: { error: 0, warning: 0, information: 0, hint: 0 },
  ruleCounts: [],
  invalidCount: 0,
};
const question: CreateQuestion = {
  connection: 'Lab',
  host: 'agents.example.com',
  fileName: 'requests.jsonl',
  fromEditor: false,
  report,
  repeats: [],
};
const earlier: Submission = {
  id: 's1',
  connection: 'Lab',
  origin: 'https://agents.example.com',
  source: 'file:///requests.jsonl',
  fileBytes: 1,
  sha256: '',
  requestCount: 412,
  bodyBytes: 1,
  state: 'created',
  batchId: 'msgbatch_7',
  startedAt: '2026-05-04T10:00:00.000Z',
};

describe('src/features/batches/createBatchMessages', () => {
  it('shows what is sent where', () => {
    assert.deepEqual(askToCreate(question, context), {
      message: 'Create a batch of 412 requests?',
      detail: [
        'Connection: Lab (agents.example.com)',
        'File: requests.jsonl',
        'Requests: 412 (1.2 MB)',
        'Models: vendor-sonnet-5 (400), vendor-haiku-4-5 (12)',
      ].join('\n'),
    });
  });

  it('says one request as one', () => {
    const one = { ...report, requestCount: 1, models: [['m', 1]] as const };
    const { message, detail } = askToCreate({ ...question, report: one }, context);
    assert.equal(message, 'Create a batch of 1 request?');
    assert.match(detail, /^Model: m \(1\)$/m);
  });

  it('shows the first models and how many more there are', () => {
    const models = Array.from({ length: 8 }, (_, index) => [`m${index}`, 8 - index] as const);
    assert.match(askToCreate({ ...question, report: { ...report, models } }, context).detail, /m4 \(4\), 3 more$/);
  });

  it('tells of made ids, errors, warnings and unsaved changes', () => {
    const odd = { ...report, bareCount: 5, problemCounts: { ...report.problemCounts, error: 1, warning: 3 } };
    const { detail } = askToCreate({ ...question, fromEditor: true, report: odd }, context);
    assert.match(detail, /unsaved changes included/);
    assert.match(detail, /5 lines have no custom_id/);
    assert.match(detail, /^1 error was found/m);
    assert.match(detail, /^3 warnings/m);
  });

  it('tells that the same content was sent before, and as what', () => {
    const { message, detail } = askToCreate({ ...question, repeats: [earlier] }, context);
    assert.equal(message, 'Create another batch from requests.jsonl?');
    assert.match(detail, /already sent as msgbatch_7, May 4, 2026/);
    assert.match(
      askToCreate({ ...question, repeats: [{ ...earlier, state: 'unknown' }] }, context).detail,
      /not known whether a batch was created/,
    );
  });

  it('shows invisible characters of names as escapes', () => {
    const { detail } = askToCreate({ ...question, fileName: 'a\u202e.jsonl', report: { ...report, models: [['m\n\u0007', 1]] } }, context);
    assert.match(detail, /File: a\\u\{202e\}\.jsonl/);
    assert.match(detail, /m\\u\{a\}\\u\{7\}/);
  });

  it('counts the errors that keep a file from being sent', () => {
    const wrong = (error: number) => ({ ...report, problemCounts: { ...report.problemCounts, error } });
    assert.equal(describeErrors('a.jsonl', wrong(1), context), 'a.jsonl has 1 error. Nothing was sent.');
    assert.equal(describeErrors('a.jsonl', wrong(1234), context), 'a.jsonl has 1,234 errors. Nothing was sent.');
    const text = { template: 'The model {0} is unknown', args: ['x'] };
    const problem = { rule: 'r', severity: 'error', text, line: 4, start: 0, end: 0, path: [] } as const;
    const first = describeErrors('a.jsonl', { ...wrong(2), problems: [problem] }, context);
    assert.equal(first, 'a.jsonl has 2 errors. Nothing was sent. Line 5: The model x is unknown.');
  });

  it('says of every failure that no batch was created', () => {
    const error = new ServiceError('h answered 413 request_too_large to POST /v1/messages/batches (request-id req_1)', {
      kind: 'request_too_large',
      outcome: 'refused',
      method: 'POST',
      host: 'h',
      path: '/v1/messages/batches',
      requestId: 'req_1',
    });
    const say = (reason: 'refused' | 'not_sent' | 'incomplete' | 'canceled' | 'source_changed', cause: unknown = new Error('It broke')) =>
      describeFailure({ reason, error: cause, fileName: 'a.jsonl', bodyBytes: 300_000_000 }, context);
    for (const reason of ['refused', 'not_sent', 'incomplete', 'canceled', 'source_changed'] as const) {
      assert.match(say(reason), /no batch was created/i);
    }
    assert.match(say('incomplete'), /It broke\.$/);
    const tooLarge = say('refused', error);
    assert.match(tooLarge, /takes no body of 300 MB/);
    assert.match(tooLarge, /maxBytes/);
    assert.equal(tooLarge.match(/req_1/g)?.length, 1);
  });
});
