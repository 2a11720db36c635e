import assert from 'node:assert/strict';
import fc from 'fast-check';
import { maskText } from '../../../../src/common/text/maskText';
import type { LinkTarget } from '../../../../src/features/links/linkForm';
import { printLink } from '../../../../src/features/links/linkForm';
import { toLink } from '../../../../src/features/links/toLink';
import { runs } from '../../../helpers/runs';

const secrets = [
  'sk-9fK2mQ7xLw4TzB8vR3nY6cHd',
  'Bearer 9fK2mQ7xLw4TzB8vR3nY6cHd',
  'ghp_9fK2mQ7xLw4TzB8vR3nY6cHd9fK2mQ7xLw4T',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
];
const lab = { name: 'Lab', baseUrl: 'https://a.example:8443/base/path', isEmulator: false };

describe('features/links/toLink', () => {
  it('names the service by its host alone', () => {
    assert.deepEqual(toLink({ kind: 'session', id: 's' }, lab), { kind: 'session', id: 's', host: 'a.example:8443', connection: 'Lab' });
    assert.deepEqual(toLink({ kind: 'batch', id: 'b' }, { name: 'Emulator', baseUrl: 'http://127.0.0.1:4711', isEmulator: true }), {
      ...{ kind: 'batch', id: 'b', host: 'emulator', connection: 'Emulator' },
    });
  });

  it('rejects secrets in every part, and shortens nothing', () => {
    for (const secret of secrets) {
      assert.notEqual(maskText(secret), secret, secret);
      for (const target of [
        { kind: 'batch', id: 'b', customId: secret },
        { kind: 'batch', id: 'b', customId: `row ${secret} of 7` },
        { kind: 'batch', id: secret },
        { kind: 'session', id: 's', event: secret },
        { kind: 'agent', id: secret },
      ] satisfies LinkTarget[]) {
        assert.equal(toLink(target, lab), 'secret', JSON.stringify(target));
      }
    }
  });

  it('never contains a secret that is a separate word, in any context', () => {
    const piece = fc.oneof(fc.constantFrom(...secrets, 'sk-', 'Bearer ', 'api_key=', '"password":"'), fc.string());
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), parts => {
        const link = toLink({ kind: 'batch', id: 'b', customId: parts.join(' ') }, { ...lab, name: parts.join(' ') });
        if (typeof link !== 'string') {
          const printed = printLink(link);
          assert.ok(
            !secrets.some(secret => printed.includes(secret) || decodeURIComponent(decodeURIComponent(printed)).includes(secret)),
            printed,
          );
        }
      }),
      { numRuns: runs(2000) },
    );
  });

  it('leaves out a name that is a secret or invisible', () => {
    for (const name of [...secrets, 'La\u200bb', '']) {
      assert.deepEqual(toLink({ kind: 'agent', id: 'a' }, { ...lab, name }), { kind: 'agent', id: 'a', host: 'a.example:8443' });
    }
  });

  it("rejects IDs that don't fit into a link", () => {
    for (const id of ['', 'a/b', 'a b', '../x', 'a\u202eb', 'x'.repeat(300)]) {
      assert.equal(toLink({ kind: 'session', id }, lab), 'form', id);
    }
    assert.equal(toLink({ kind: 'batch', id: 'b', customId: 'a\nb' }, lab), 'form');
  });

  it('contains nothing else of a connection: no path, user or header', () => {
    const canary = 'canary-9fK2mQ7xLw4TzB8vR3nY6cHd';
    const connection = { ...lab, baseUrl: `https://user:${canary}@a.example/${canary}?key=${canary}`, auth: canary, extraBetas: [canary] };
    const link = toLink({ kind: 'session', id: 's' }, connection);
    assert.ok(!JSON.stringify(link).includes('canary'), JSON.stringify(link));
  });
});
