import assert from 'node:assert/strict';
import { isSpecific, toHoverText } from '../../../../../src/features/requests/language/hoverPresentation';
import { explain } from '../../../../../src/jsonl/guide/explain';
import { atCursor, requestSchema } from '../../../jsonl/guide/guideSchema';
import { fillPlaceholders } from '../fillPlaceholders';

const models = [{ id: 'vendor-opus-5', displayName: 'Opus *5*' }];

function explained(marked: string) {
  const { text, column } = atCursor(marked);
  return explain(requestSchema, text, column) ?? assert.fail(marked);
}

function hover(marked: string, isDeprecationReported = false): string {
  return toHoverText(explained(marked), { models, isDeprecationReported }, fillPlaceholders, 'en');
}

describe('features/requests/language/hoverPresentation', () => {
  it('describes a field with its limits, default and values', () => {
    assert.equal(
      hover('{"params":{"cache_control":{"type":"ephemeral","tt|l":"5m"}}}'),
      '**ttl** · string\n\nLifetime of the cache after its last use.\n\nDefault: `5m`\n\nValues:\n\n- `5m`\n- `1h`: Writing costs more, but more requests of a batch can read it.',
    );
    assert.match(hover('{"custom|_id":"a"}'), /Pattern: `\^\[a-zA-Z0-9_-\]\{1,64\}\$`/);
    assert.match(hover('{"params":{"fallbacks|":[]}}'), /Items: 1 to 3/);
    assert.match(hover('{"params":{"metadata":{"user|_id":"x"}}}'), /Characters: at most 512/);
    assert.match(hover('{"params":{"tools":[{"type":"web_search_20250305","user_location":{"cou|ntry":"x"}}]}}'), /Characters: exactly 2/);
  });

  it('names a model as the service does, and describes no other models', () => {
    assert.match(
      hover('{"params":{"model":"vendor-opu|s-5"}}'),
      /^\*\*model\*\* · string · required\n\nOpus \\\*5\\\*\n\nName of the model\.$/,
    );
    assert.match(hover('{"params":{"model":"vendor-mythos-pre|view"}}'), /Deprecated: support ends on 2026-06-30/);
  });

  it('mentions a deprecated field once, and not beside a problem that says so', () => {
    const marked = '{"params":{"temp|erature":0.5}}';
    assert.equal(
      hover(marked),
      '**temperature** · number\n\nRandomness: near 0 for analysis, near 1 for creative text.\n\n⚠ "temperature" is deprecated: newer models reject every value but 1. Remove it where you can.\n\nDefault: `1` · Value: 0 to 1',
    );
    assert.equal(
      hover(marked, true),
      '**temperature** · number\n\nRandomness: near 0 for analysis, near 1 for creative text.\n\nDefault: `1` · Value: 0 to 1',
    );
  });

  it('leaves ids and texts to the hover of the answer, but not names and special values', () => {
    for (const [marked, expected] of [
      ['{"params":{"temp|erature":0.5}}', true],
      ['{"params":{"model":"vendor-opu|s-5"}}', true],
      ['{"params":{"thinking":{"type":"adap|tive"}}}', true],
      ['{"params":{"temperature":0.|5}}', false],
      ['{"params":{"messages":[{"role":"user","content":"Hel|lo"}]}}', false],
      ['{"custom_id":"a|b"}', false],
      ['{"custom|_id":"ab"}', false],
    ] as const) {
      assert.equal(isSpecific(explained(marked)), expected, marked);
    }
  });

  it('counts values that are too many to list', () => {
    assert.match(hover('{"params":{"tools":[{"typ|e":"custom"}]}}'), /- and \d+ more$/);
  });
});
