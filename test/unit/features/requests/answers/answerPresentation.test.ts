import assert from 'node:assert/strict';
import { lineMarks, signs, toAnswerLine, toLineMark, toMark } from '../../../../../src/features/requests/answers/answerPresentation';
import type { LineAnswer } from '../../../../../src/features/requests/answers/fileAnswers';
import type { ResultEntry } from '../../../../../src/jsonl/results/resultsReport';
import { fillPlaceholders } from '../fillPlaceholders';

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
const answer = (more: Partial<ResultEntry> = {}, of: Partial<LineAnswer> = {}): LineAnswer => ({
  id: 'q-7',
  entry: { ...entry, ...more },
  isMissing: false,
  pending: undefined,
  isChanged: false,
  ...of,
});
const lineOf = (of: LineAnswer, preview = '') => toAnswerLine(of, preview, fillPlaceholders, 'en');

describe('features/requests/answers/answerPresentation', () => {
  it('shows the icon, the first words on one line, and input and output tokens', () => {
    assert.equal(lineOf(answer(), ' Paris\n\n is\tthe capital '), '✓ Paris is the capital · 12 → 1,234 tokens');
    assert.equal(lineOf(answer({ inputTokens: 1_234_567, outputTokens: 12_345 })), '✓ 1.2M → 12.3K tokens');
  });

  it('names every status except success, and why an answer was cut short', () => {
    assert.equal(
      lineOf(answer({ status: 'cut_short', stopReason: 'max_tokens' }), 'Par'),
      '◐ cut short (max_tokens) · Par · 12 → 1,234 tokens',
    );
    assert.equal(toMark({ status: 'refused' }), 'refused');
    const errored = { status: 'failed', stopReason: undefined, errorType: 'invalid_request_error', outputTokens: 0 } as const;
    assert.equal(lineOf(answer(errored), 'invalid_request_error: No such model'), '✗ failed · invalid_request_error: No such model');
    assert.equal(lineOf(answer({ status: 'expired', outputTokens: 0 })), '◷ expired');
    assert.equal(lineOf(answer({}, { entry: undefined, isMissing: true })), '∅ no answer');
  });

  it('marks a changed request, and shows only an icon for a waiting one', () => {
    assert.equal(lineOf(answer({}, { isChanged: true }), 'Paris'), '≠ changed since · ✓ Paris · 12 → 1,234 tokens');
    assert.equal(toLineMark(answer({}, { isChanged: true })), 'changed');
    const waiting = answer({}, { entry: undefined });
    assert.equal(lineOf(waiting), '');
    assert.equal(toLineMark(waiting), 'sent');
  });

  it('has a separate icon for each mark', () => {
    assert.equal(new Set(lineMarks.map(mark => signs[mark])).size, lineMarks.length);
  });
});
