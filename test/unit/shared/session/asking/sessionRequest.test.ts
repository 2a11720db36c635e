import assert from 'node:assert/strict';
import {
  askedFields,
  citationsOf,
  isAboutSession,
  parseFields,
  toCustomId,
  toRequestLine,
  transcriptOf,
} from '../../../../../src/shared/session/asking/sessionRequest';
import { toTranscriptText } from '../../../../../src/shared/session/asking/transcriptText';

describe('shared/session/asking/sessionRequest', () => {
  it('parses names with types or values', () => {
    assert.deepEqual(parseFields('cause, severity: low | high, calls: integer'), [
      { name: 'cause', type: 'string' },
      { name: 'severity', type: 'string', values: ['low', 'high'] },
      { name: 'calls', type: 'integer' },
    ]);
    assert.deepEqual(parseFields(' '), []);
    for (const malformed of ['1st', 'a b', 'a: date', 'a: x |', 'a, a', 'citations', 'a:']) {
      assert.equal(parseFields(malformed), undefined, malformed);
    }
  });

  it('writes a request that is recognized, with a schema that requires all fields and citations', () => {
    const transcript = toTranscriptText({ id: 's', connection: 'c', title: '', agent: '', state: '' }, []);
    const fields = parseFields('cause, severity: low | high') ?? [];
    const line = toRequestLine('s', transcript, { question: 'Why?', fields, model: 'vendor-sonnet-5' });
    const { params } = JSON.parse(line);
    assert.deepEqual(params.output_config.format.schema.required, ['cause', 'severity', 'citations']);
    assert.deepEqual(params.output_config.format.schema.properties.severity, { type: 'string', enum: ['low', 'high'] });
    assert.ok(params.messages[0].content.endsWith('</session>\n\nWhy?'));
    assert.ok(isAboutSession(line));
    assert.ok(!isAboutSession('{"custom_id":"s","params":{"messages":[{"role":"user","content":"About <session {"}]}}'));
    assert.deepEqual(askedFields(line), ['cause', 'severity']);
    assert.deepEqual(askedFields('{"params":{"output_config":1}}'), []);
    assert.ok(transcriptOf(JSON.stringify(params)).startsWith(transcript));
    assert.equal(transcriptOf('{"messages":[{"role":"user","content":"Hello"}]}'), '');
  });

  it('uses the ID of a session as the ID of its request where the contract allows it', () => {
    assert.equal(toCustomId('sesn_011C', 4), 'sesn_011C');
    assert.equal(toCustomId('a/b', 4), 'session-5');
  });
});

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
