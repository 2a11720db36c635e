import assert from 'node:assert/strict';
import { type RunFacts, toAdvice, toAnswerDocument } from '../../../../../src/features/requests/running/answerDocumentPresentation';
import { StreamedAnswer } from '../../../../../src/features/requests/running/streamedAnswer';
import { fillPlaceholders } from '../fillPlaceholders';

const facts: RunFacts = {
  connection: 'Work',
  host: 'agents.example.com',
  fileName: 'questions.jsonl',
  lineNumber: 3,
  customId: 'q-3',
  state: 'ended',
  elapsedMs: 1342,
  requestId: 'req_1',
};

function answerWith(blocks: readonly Readonly<Record<string, unknown>>[], stopReason?: string): StreamedAnswer {
  const answer = new StreamedAnswer();
  answer.apply({ type: 'message_start', message: { model: 'm-1', usage: { input_tokens: 1200, output_tokens: 40 } } });
  for (const [index, block] of blocks.entries()) {
    answer.apply({ type: 'content_block_start', index, content_block: block });
  }
  answer.apply({ type: 'message_delta', delta: { stop_reason: stopReason } });
  return answer;
}

describe('features/requests/running/answerDocumentPresentation', () => {
  it('shows connection, host and folder first, then the facts, then the answer', () => {
    const text = toAnswerDocument(facts, answerWith([{ type: 'text', text: 'Paris.' }], 'end_turn'), fillPlaceholders, 'en');
    assert.equal(
      text,
      'Sent to Work (agents.example.com) from line 3 of questions.jsonl, q-3\n' +
        'Finished (end_turn) · model m-1 · input tokens: 1,200 · output tokens: 40 · 1.3 s · request ID req_1\n\nParis.\n',
    );
  });

  it('explains how to stop while it runs, without a ticking clock', () => {
    const text = toAnswerDocument({ ...facts, state: 'sending', requestId: undefined }, new StreamedAnswer(), fillPlaceholders, 'en');
    assert.equal(text.split('\n')[1], 'Receiving the answer… Press Escape to stop');
  });

  it('reports a cut-off answer and what to do', () => {
    const text = toAnswerDocument(facts, answerWith([{ type: 'text', text: 'Par' }], 'max_tokens'), fillPlaceholders, 'en');
    assert.match(text, /^Cut short: raise max_tokens/m);
  });

  it('puts problem and advice before the received part', () => {
    const failed: RunFacts = { ...facts, state: 'failed', problem: 'The service is overloaded.', advice: 'Wait.' };
    const text = toAnswerDocument(failed, answerWith([{ type: 'text', text: 'Par' }]), fillPlaceholders, 'en');
    assert.match(text, /^Incomplete answer.*\n\nThe service is overloaded\.\nWait\.\n\nPar\n$/m);
  });

  it('shows thinking, tool use as JSON and unknown blocks under headings', () => {
    const answer = answerWith([
      { type: 'thinking', thinking: 'Hm' },
      { type: 'text', text: 'So' },
      { type: 'tool_use', name: 'look', id: 't1', input: { q: '```' } },
      { type: 'hologram', depth: 2 },
    ]);
    const text = toAnswerDocument(facts, answer, fillPlaceholders, 'en');
    assert.match(
      text,
      /## Thinking\n\nHm\n\n## Answer\n\nSo\n\n## Tool use: look \(t1\)\n\n````json\n\{\n {2}"q": "```"\n\}\n````\n\n## hologram\n\n```json/,
    );
  });

  it('shows invisible characters in names as escapes', () => {
    const text = toAnswerDocument({ ...facts, customId: 'a\u202eb' }, new StreamedAnswer(), fillPlaceholders, 'en');
    assert.match(text.split('\n')[0] ?? '', /a\\u\{202e\}b/);
  });

  it('masks the credit token of a refusal', () => {
    const answer = answerWith([], 'refusal');
    answer.apply({ type: 'message_delta', delta: { stop_details: { type: 'refusal', fallback_credit_token: 'canary-token-1' } } });
    const text = toAnswerDocument(facts, answer, fillPlaceholders, 'en');
    assert.match(text, /"fallback_credit_token": "\[redacted\]"/);
    assert.doesNotMatch(text, /canary/);
  });

  it('advises by kind', () => {
    assert.match(toAdvice({ kind: 'authentication' }, fillPlaceholders), /Set the API key/);
    assert.match(toAdvice(undefined, fillPlaceholders), /again later/);
    assert.match(toAdvice({ kind: 'not_found', serviceMessage: 'model: x-9' }, fillPlaceholders), /Check the model name/);
    const missing = toAdvice({ kind: 'not_found', serviceMessage: 'not found' }, fillPlaceholders);
    assert.doesNotMatch(missing, /model/);
    assert.match(missing, /as a batch/);
  });
});
