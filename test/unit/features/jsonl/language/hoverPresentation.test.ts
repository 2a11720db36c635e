import assert from 'node:assert/strict';
import { toHoverText } from '../../../../../src/features/jsonl/language/hoverPresentation';
import { explain } from '../../../../../src/jsonl/guide/explain';
import { atCursor, requestSchema } from '../../../jsonl/guide/guideSchema';
import { fillPlaces } from '../fillPlaces';

function hover(marked: string, models = [{ id: 'vendor-opus-5', displayName: 'Opus *5*' }]): string {
  const { text, column } = atCursor(marked);
  const explanation = explain(requestSchema, text, column) ?? assert.fail(marked);
  return toHoverText(explanation, models, fillPlaces, 'en');
}

describe('features/jsonl/language/hoverPresentation', () => {
  it('says what a field is, its limits, its default and its values', () => {
    assert.equal(
      hover('{"params":{"cache_control":{"type":"ephemeral","tt|l":"5m"}}}'),
      '**ttl** · string\n\nHow long the cache is kept after it was last used.\n\nDefault: `5m`\n\nValues:\n\n- `5m`: Five minutes.\n- `1h`: One hour: writing costs more, and the requests of a batch find it more often.',
    );
    assert.match(hover('{"custom|_id":"a"}'), /Form: `\^\[a-zA-Z0-9_-\]\{1,64\}\$`/);
    assert.match(hover('{"params":{"fallbacks|":[]}}'), /Items: 1 to 3/);
    assert.match(hover('{"params":{"metadata":{"user|_id":"x"}}}'), /Characters: at most 512/);
    assert.match(hover('{"params":{"tools":[{"type":"web_search_20250305","user_location":{"cou|ntry":"x"}}]}}'), /Characters: exactly 2/);
  });

  it('names a model as its service does, and nothing of other models', () => {
    assert.match(
      hover('{"params":{"model":"vendor-opu|s-5"}}'),
      /^\*\*model\*\* · string · required\n\nOpus \\\*5\\\*\n\nThe model that answers\.[^\n]*$/,
    );
    assert.match(hover('{"params":{"model":"vendor-mythos-pre|view"}}'), /Deprecated: support ends on 2026-06-30/);
  });

  it('counts values that are too many to list', () => {
    assert.match(hover('{"params":{"tools":[{"typ|e":"custom"}]}}'), /- and \d+ more$/);
  });
});
