import assert from 'node:assert/strict';
import {
  askedFields,
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
