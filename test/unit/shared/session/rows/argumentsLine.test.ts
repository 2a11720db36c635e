import assert from 'node:assert/strict';
import { toArgumentsLine } from '../../../../../src/shared/session/rows/argumentsLine';

describe('shared/session/rows/argumentsLine', () => {
  it('shows a single or main argument by its value, others by name', () => {
    assert.equal(toArgumentsLine('{"command":"ls -la"}'), 'ls -la');
    assert.equal(toArgumentsLine('{"path":"a.md","lines":[1,2],"all":true}'), 'a.md, lines: 1 2, all: true');
    assert.equal(toArgumentsLine('{"command":"a\\nb"}'), 'a ⏎ b');
    assert.equal(toArgumentsLine('{}'), '');
  });

  it('shows invalid JSON unchanged, and shortens it', () => {
    assert.equal(toArgumentsLine('["a"]'), '["a"]');
    assert.equal(toArgumentsLine('{"cut'), '{"cut');
    assert.ok(toArgumentsLine(`{"a":"${'x'.repeat(100_000)}`).length <= 400);
    assert.ok(toArgumentsLine(JSON.stringify({ a: 'x'.repeat(5000), b: 1 })).length <= 400);
  });
});
