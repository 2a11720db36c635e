import assert from 'node:assert/strict';
import { estimateTokens } from '../../../../src/features/chatModels/estimateTokens';
import type { ChatPart } from '../../../../src/features/chatModels/toMessageRequest';

const prose = 'The quick brown fox jumps over the lazy dog, and nobody saw it. '.repeat(50);

describe('features/chatModels/estimateTokens', () => {
  it('returns a high estimate for English prose, and 0 for an empty text', () => {
    const tokens = estimateTokens(prose);
    assert.ok(tokens > prose.length / 4.3 && tokens < prose.length / 2.5, String(tokens));
    assert.equal(estimateTokens(''), 0);
  });

  it('counts everything in a message, including data', () => {
    const count = (...parts: readonly ChatPart[]) => estimateTokens({ role: 'user', parts });
    const none = count();
    assert.ok(none > 0 && none < 10);
    const words = { kind: 'text', text: prose } as const;
    const of = estimateTokens(prose);
    assert.ok(count(words) >= of);
    assert.ok(count({ kind: 'result', id: 'a', isError: false, content: [words] }) >= of);
    assert.ok(count({ kind: 'call', id: 'a', name: 'x', input: { prose } }) >= of);
    assert.ok(count({ kind: 'data', mimeType: 'text/plain', data: Buffer.from(prose) }) >= of);
    for (const mimeType of ['image/png', 'IMAGE/PNG', 'application/pdf']) {
      assert.ok(count({ kind: 'data', mimeType, data: new Uint8Array() }) > 1_000);
    }
    assert.ok(count({ kind: 'data', mimeType: 'audio/wav', data: new Uint8Array(9_000) }) < 100);
    assert.equal(count({ kind: 'data', mimeType: 'cache_control', data: new Uint8Array(9) }), none);
    assert.ok(estimateTokens('\ud800"\\\n\u0000') > 0);
  });
});
