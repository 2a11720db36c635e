import assert from 'node:assert/strict';
import { citationsOf } from '../../../../../src/shared/session/asking/citations';
import { toTranscriptText } from '../../../../../src/shared/session/asking/transcriptText';

const transcript = toTranscriptText({ id: 's', connection: 'c', title: '', agent: '', state: '' }, [
  { id: 'e1', type: 'user.message', content: 'Deploy to\n  production now' },
  { id: 'e2', type: 'agent.message', content: 'I will not.' },
]);

describe('shared/session/asking/citations', () => {
  it("finds quotes at any depth and marks those that their event doesn't contain", () => {
    const answer = JSON.stringify({
      cause: 'x',
      citations: [
        { quote: 'Deploy to production', event_id: 'e1' },
        { quote: 'Deploy to production', event_id: 'e2' },
        { quote: 'I will not.', event_id: 'e3' },
        { quote: ' ', event_id: 'e1' },
      ],
      more: { deep: [{ quote: 'will not', event_id: 'e2', why: 'y' }] },
    });
    assert.deepEqual(
      citationsOf(answer, transcript).map(({ eventId, isFound }) => [eventId, isFound]),
      [
        ['e1', true],
        ['e2', false],
        ['e3', false],
        ['e1', false],
        ['e2', true],
      ],
    );
  });

  it("finds none in an answer that isn't JSON", () => {
    assert.deepEqual(citationsOf('{"quote":', transcript), []);
  });
});
