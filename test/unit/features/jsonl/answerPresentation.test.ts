import assert from 'node:assert/strict';
import {
  hoverLimit,
  toAnswerHover,
  toAnswerLine,
  toAnswerText,
  toFetchedAnswerDocument,
  toMark,
} from '../../../../src/features/jsonl/answerPresentation';
import type { ResultEntry } from '../../../../src/jsonl/resultsReport';
import { fillPlaces } from './fillPlaces';

const entry: ResultEntry = {
  row: 6,
  customId: 'q-7',
  line: 6,
  state: 'succeeded',
  stopReason: 'end_turn',
  errorType: undefined,
  inputTokens: 12,
  outputTokens: 1234,
  offset: 0,
  length: 1,
};
const origin = { connection: 'Work', batchId: 'msgbatch_1', joinedName: 'questions.results.jsonl' };

describe('features/jsonl/answerPresentation', () => {
  it('shows sign, first words on one line and tokens', () => {
    assert.equal(toAnswerLine(entry, ' Paris\n\n is\tthe capital ', fillPlaces, 'en'), '✓ Paris is the capital · 1,234 tokens');
  });

  it('names every state but plain success in words', () => {
    assert.equal(toAnswerLine({ ...entry, stopReason: 'max_tokens' }, 'Par', fillPlaces, 'en'), '◐ cut short · Par · 1,234 tokens');
    assert.equal(toMark({ state: 'succeeded', stopReason: 'refusal' }), 'refused');
    const errored: ResultEntry = { ...entry, state: 'errored', stopReason: undefined, errorType: 'invalid_request_error', outputTokens: 0 };
    assert.equal(
      toAnswerLine(errored, 'invalid_request_error: No such model', fillPlaces),
      '✗ errored · invalid_request_error: No such model',
    );
    assert.equal(toAnswerLine({ ...errored, state: 'expired', errorType: undefined }, '', fillPlaces), '◷ expired');
  });

  it('keeps the words of a model inside a fence in the hover', () => {
    const hover = toAnswerHover(entry, '</script>![x](https://evil.example/x.png)\n```\n[a](command:x)', origin, fillPlaces, 'en');
    const [facts, fenced, place] = hover.split(/\n\n/);
    assert.equal(facts, '✓ succeeded · end\\_turn · 12 input and 1,234 output tokens');
    assert.match(fenced ?? '', /^````plaintext\n[\s\S]*\n````$/);
    assert.equal(place, 'Line 7 of questions\\.results\\.jsonl, batch msgbatch\\_1');
  });

  it('cuts long answers and says where the rest is', () => {
    const hover = toAnswerHover(entry, '😀'.repeat(hoverLimit), origin, fillPlaces, 'en');
    assert.ok(hover.length < hoverLimit + 400);
    assert.match(hover, /Open Answer/);
    assert.doesNotMatch(hover, /[\ud800-\udbff]…/u);
  });

  it('leaves no Markdown in names of a service', () => {
    const hover = toAnswerHover({ ...entry, stopReason: '<b>[x](y)' }, '', origin, fillPlaces, 'en');
    assert.match(hover, /\\<b\\>\\\[x\\\]\\\(y\\\)/);
  });

  it('shows a whole answer as a document, ours before theirs', () => {
    assert.equal(
      toFetchedAnswerDocument(entry, 'Paris.', origin, fillPlaces, 'en'),
      'Answer to q-7 of Work\n✓ succeeded · end_turn · 12 input and 1,234 output tokens\nLine 7 of questions.results.jsonl, batch msgbatch_1\n\nParis.\n',
    );
  });

  it('reads the words of every kind of result', () => {
    const line = (result: unknown) => JSON.stringify({ line: 1, custom_id: 'q', result });
    const content = [
      { type: 'text', text: 'A' },
      { type: 'tool_use', name: 'f' },
    ];
    assert.equal(toAnswerText(line({ type: 'succeeded', message: { content } })), 'A\n\n{\n  "type": "tool_use",\n  "name": "f"\n}');
    assert.equal(toAnswerText(line({ type: 'errored', error: { type: 'error', error: { type: 'x', message: 'No' } } })), 'No');
    assert.equal(toAnswerText(line({ type: 'errored', error: { odd: 1 } })), '{\n  "odd": 1\n}');
    assert.equal(toAnswerText(line({ type: 'expired' })), '');
    assert.equal(toAnswerText(line({ type: 'succeeded' })), '');
  });
});
