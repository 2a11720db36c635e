import assert from 'node:assert/strict';
import type { Submission } from '../../../../../src/features/ledger/submission';
import {
  hoverLimit,
  toAnswerHover,
  toFetchedAnswerDocument,
  toPendingWords,
} from '../../../../../src/features/requests/answers/answerHover';
import type { AnswerBlock } from '../../../../../src/features/requests/answers/answerParts';
import type { LineAnswer, ReadAnswer } from '../../../../../src/features/requests/answers/fileAnswers';
import type { ResultEntry } from '../../../../../src/jsonl/results/resultsReport';
import { fillPlaceholders } from '../fillPlaceholders';

const context = { translate: fillPlaceholders, locale: 'en', now: Date.parse('2026-05-01T12:00:00Z') };
const entry: ResultEntry = {
  row: 6,
  customId: 'q-7',
  line: 6,
  status: 'succeeded',
  stopReason: 'end_turn',
  errorType: undefined,
  inputTokens: 12,
  outputTokens: 1234,
  offset: 0,
  length: 1,
};
const answerOf = (more: Partial<ResultEntry> = {}, of: Partial<LineAnswer> = {}): LineAnswer => ({
  id: 'q-7',
  entry: { ...entry, ...more },
  isMissing: false,
  pending: undefined,
  isChanged: false,
  ...of,
});
const readOf = (blocks: readonly AnswerBlock[], more: Partial<ReadAnswer['origin'] & ReadAnswer['parts']> = {}): ReadAnswer => ({
  parts: { blocks, model: 'vendor-haiku-4-5', requestId: more.requestId, explanation: more.explanation },
  origin: {
    connection: 'Work',
    batchIds: more.batchIds ?? ['msgbatch_1'],
    joinedName: 'questions.results.jsonl',
    history: more.history ?? [],
  },
});
const text = (words: string): AnswerBlock => ({ kind: 'text', text: words });
const pending = (more: object = {}) =>
  ({ id: 's', state: 'created', startedAt: '2026-05-01T11:00:00Z', batchId: 'b_1', ...more }) as Submission;
const batch = (more: object = {}) => ({
  created_at: '2026-05-01T11:57:00Z',
  expires_at: '2026-05-02T11:57:00Z',
  processing_status: 'in_progress',
  ...more,
});

describe('features/requests/answers/answerHover', () => {
  it("renders the answer inside a quote that it can't leave, without HTML or images", () => {
    const hover = toAnswerHover(answerOf(), readOf([text('**Paris**\n```\ncode\n\n<b>x</b> ![x](https://evil.example/x.png)')]), context);
    const [facts, ...rest] = hover.split('\n\n');
    assert.equal(facts, '✓ succeeded · end\\_turn · 12 → 1,234 tokens · vendor\\-haiku\\-4\\-5');
    const quoted = rest.slice(0, -1).join('\n\n').split('\n');
    assert.ok(
      quoted.every(line => line.startsWith('>')),
      hover,
    );
    assert.equal(quoted[0], '> **Paris**');
    assert.equal(quoted.at(-1), '> ```');
    assert.equal(rest.at(-1), 'Line 7 of questions\\.results\\.jsonl, batch msgbatch\\_1');
    const open = toAnswerHover(answerOf(), readOf([text('<b>x</b> ![x](https://evil.example/x.png)')]), context);
    assert.match(open, /> &lt;b>x&lt;\/b> !\\\[x\]/);
    const links = toAnswerHover(
      answerOf(),
      readOf([text('[a](https://a.example) [b](file:///b)')], { explanation: '[c](file:///c)' }),
      context,
    );
    assert.match(links, /> \[a\]\(https:\/\/a\.example\) \[b\]\\\(file:\/\/\/b\)/);
    assert.match(links, /> \[c\]\\\(file:/);
  });

  it('cuts long answers and links to the rest', () => {
    const hover = toAnswerHover(answerOf(), readOf([text('😀'.repeat(hoverLimit)), text('more')]), context);
    assert.ok(hover.length < hoverLimit + 600);
    assert.match(hover, /Open Answer/);
    assert.doesNotMatch(hover, /[\ud800-\udbff]…/u);
  });

  it('shows the location of an answer that was not read', () => {
    assert.match(toAnswerHover(answerOf(), undefined, context), /Use "Open Answer"/);
  });

  it('shows tools as JSON and leaves out thinking if there is an answer', () => {
    const hover = toAnswerHover(
      answerOf(),
      readOf([{ kind: 'thinking', text: 'hmm' }, text('Yes'), { kind: 'json', text: '{"a": 1}' }]),
      context,
    );
    assert.match(hover, /> Yes\n\n```json\n\{"a": 1\}\n```/);
    assert.doesNotMatch(hover, /hmm/);
  });

  it("escapes Markdown in the service's names", () => {
    const hover = toAnswerHover(answerOf({ stopReason: '<b>[x](y)' }), readOf([]), context);
    assert.match(hover, /\\<b\\>\\\[x\\\]\\\(y\\\)/);
  });

  it('gives the next step for every result that needs review', () => {
    const next = (more: Partial<ResultEntry>, of: Partial<LineAnswer> = {}) =>
      toAnswerHover(answerOf(more, of), readOf([]), context).replaceAll('\\', '');
    assert.doesNotMatch(next({}), /again|raise/);
    assert.match(next({ status: 'cut_short', stopReason: 'max_tokens' }), /raise max_tokens/);
    assert.match(next({ status: 'refused', stopReason: 'refusal' }), /Change the text or the model/);
    assert.match(next({ status: 'failed', errorType: 'invalid_request_error' }), /Edit the request before/);
    assert.match(next({ status: 'failed', errorType: 'overloaded_error' }), /Send it again/);
    assert.match(next({ status: 'expired' }), /Send it again/);
    assert.match(next({}, { entry: undefined, isMissing: true }), /Send it again/);
    assert.match(next({}, { isChanged: true }), /batch of the changed requests/);
    assert.doesNotMatch(next({ status: 'failed' }, { pending: pending({ batch: batch() }) }), /again/);
  });

  it('shows that the request was changed, and the request ID of an error', () => {
    const hover = toAnswerHover(
      answerOf({ status: 'failed', errorType: 'api_error' }, { isChanged: true }),
      readOf([text('Oops')], { requestId: 'req_1' }),
      context,
    );
    assert.match(hover, /has changed since it was sent/);
    assert.match(hover, /request ID req\\_1$/);
  });

  it('shows how long a request has been waiting and when it expires, and no percentage', () => {
    const words = (more: object) => toPendingWords(pending(more), context);
    assert.match(
      words({ batch: batch() }),
      /^… Sent 3 min\. ago in batch b_1\. Requests without an answer expire in 23 hr\. \(May 2, 2026/,
    );
    assert.match(words({ batch: batch({ processing_status: 'canceling' }) }), /being canceled/);
    assert.match(words({ batch: batch({ processing_status: 'ended' }) }), /has ended\. Fetch the results/);
    assert.match(words({ state: 'sending', batchId: undefined }), /Sending since 1 hr\. ago/);
    assert.match(words({ state: 'unknown', batchId: undefined }), /response lost/);
    const waiting = toAnswerHover(
      answerOf({}, { entry: undefined, pending: pending({ batch: batch() }), isChanged: true }),
      undefined,
      context,
    );
    assert.match(waiting, /has changed since it was sent/);
  });

  it('shows the history of a request across its runs', () => {
    const history = [
      { generation: 0, status: 'expired', reason: undefined, isMerged: false, words: 'same' },
      { generation: 1, status: 'succeeded', reason: 'end_turn', isMerged: false, words: 'other' },
      { generation: 2, status: 'succeeded', reason: 'end_turn', isMerged: true, words: 'same' },
    ] as const;
    assert.match(
      toAnswerHover(answerOf(), readOf([text('Yes')], { history }), context),
      /\n\nRun 1: expired · Run 2: succeeded, end\\_turn \\\(different request\\\) · Run 3: succeeded, end\\_turn \\\(shown\\\)\n\n/,
    );
  });

  it('shows a complete answer as a document, with the facts first', () => {
    assert.equal(
      toFetchedAnswerDocument(answerOf(), readOf([text('Paris.')]), context),
      'Answer to q-7 of Work\n✓ succeeded · end_turn · 12 → 1,234 tokens · vendor-haiku-4-5\nLine 7 of questions.results.jsonl, batch msgbatch_1\n\nParis.\n',
    );
  });
});
