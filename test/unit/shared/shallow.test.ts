import assert from 'node:assert/strict';
import { maskSecrets, toMaskedJson } from '../../../src/shared/maskedJson';
import { shallow } from '../../../src/shared/shallow';

const deep = (levels: number, inside = '1') => JSON.parse('{"a":['.repeat(levels / 2) + inside + ']}'.repeat(levels / 2)) as unknown;

describe('shared/shallow', () => {
  it("keeps a value that isn't too deep", () => {
    const value = deep(200);
    assert.equal(shallow(value), value);
    assert.equal(shallow(null), null);
  });

  it('cuts deeper parts, and keeps their siblings', () => {
    const value = { begin: 'x', __proto__: null, more: deep(10_000) };
    const cut = JSON.stringify(shallow(value));
    assert.match(cut, /^\{"begin":"x","more":(?:\{"a":\[)+"…"|…/);
    assert.ok(cut.length < 2000);
  });

  it('makes a value of any depth safe to mask', () => {
    assert.match(JSON.stringify(maskSecrets({ api_key: 'x', more: deep(20_000) })), /^\{"api_key":"\[hidden\]"/);
    assert.ok(toMaskedJson(deep(20_000)).length < 200_000);
  });
});
