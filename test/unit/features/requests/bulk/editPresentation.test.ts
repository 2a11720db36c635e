import assert from 'node:assert/strict';
import {
  toEditWords,
  toJsonValue,
  toLeftSentences,
  toPreviewTexts,
  toTool,
} from '../../../../../src/features/requests/bulk/editPresentation';
import { fillPlaceholders } from '../fillPlaceholders';

describe('features/requests/bulk/editPresentation', () => {
  it('describes a change', () => {
    assert.equal(
      toEditWords({ kind: 'set', path: ['messages', 0, 'content'], value: '"hi"' }, fillPlaceholders),
      'Set messages[0].content to "hi"',
    );
    assert.equal(toEditWords({ kind: 'remove', path: ['metadata', 'user_id'] }, fillPlaceholders), 'Remove metadata.user_id');
    assert.equal(toEditWords({ kind: 'put_tool', name: 'look', value: '{}' }, fillPlaceholders), 'Add or replace the tool look');
  });

  it('explains every unchanged line', () => {
    assert.deepEqual(toLeftSentences([], fillPlaceholders, 'en'), []);
    assert.deepEqual(
      toLeftSentences(
        [
          ['unreadable', 1],
          ['other', 2000],
          ['same', 1],
          ['blocks', 3],
        ],
        fillPlaceholders,
        'en',
      ),
      [
        'Already set: 1.',
        'Unchanged, because the system prompt has several blocks: 3.',
        'Other requests: 2,000.',
        'Lines without a request: 1.',
      ],
    );
  });

  it('shows both sides of the first changes, without invisible characters, and counts the rest', () => {
    const examples = [
      { line: 0, id: 'a', before: '"max_tokens":1', after: '"max_tokens":2' },
      { line: 1233, id: undefined, before: 'x\u202ey', after: 'z' },
    ];
    assert.deepEqual(toPreviewTexts(['Set it', 'Requests changed: 3.'], examples, 3, fillPlaceholders, 'en'), {
      before: 'Set it\nRequests changed: 3.\n\n\n\n\nLine 1, a\n"max_tokens":1\n\nLine 1,234\nx\\u{202e}y\n\nand 1 more\n',
      after: 'Set it\nRequests changed: 3.\n\n\n\n\nLine 1, a\n"max_tokens":2\n\nLine 1,234\nz\n\nand 1 more\n',
    });
    assert.doesNotMatch(toPreviewTexts([], examples, 2, fillPlaceholders, 'en').after, /more/);
  });

  it('reads JSON as JSON and anything else as text', () => {
    assert.equal(toJsonValue(' 1.50 '), '1.50');
    assert.equal(toJsonValue('{ "a": 1.0 }'), '{ "a": 1.0 }');
    assert.equal(toJsonValue('{\n  "a": "b c"\n}'), '{"a":"b c"}');
    assert.equal(toJsonValue('high'), '"high"');
    assert.equal(toJsonValue('01'), '"01"');
  });

  it('reads tools, and reports invalid ones', () => {
    assert.deepEqual(toTool('{\r\n"name": "a b"\r\n}', fillPlaceholders), { name: 'a b', value: '{"name":"a b"}' });
    for (const text of ['', 'x', '[]', '{}', '{"name":1}', '{"name":""}', 'null', '7']) {
      assert.equal(toTool(text, fillPlaceholders), 'Tool as JSON, with a name', text);
    }
  });
});
