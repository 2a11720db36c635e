import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as vscode from 'vscode';
import { maskText } from '../../../../src/common/text/maskText';
import type { Connection, Connections } from '../../../../src/features/connection/connection';
import { copyLinks, toLink } from '../../../../src/features/links/copyLinks';
import { type LinkTarget, printLink } from '../../../../src/features/links/linkForm';
import type { OpenResults } from '../../../../src/features/results/panel/openResults';
import { copyResultLink } from '../../../../src/features/results/resultsPanels';
import { runs } from '../../../helpers/runs';

const lab = { name: 'Lab', baseUrl: 'https://a.example/base', isEmulator: false } as Connection;

describe('features/links/copyLinks', () => {
  const { uriScheme } = vscode.env;
  const connections = { whenKnown: Promise.resolve(), find: (name: string) => (name === 'Lab' ? lab : undefined) };
  const copied = () => vscode.env.clipboard.readText();
  const start = `${uriScheme}://managed-agents.managed-agents`;
  const secret = 'sk-9fK2mQ7xLw4TzB8vR3nY6cHd';

  beforeEach(() => vscode.env.clipboard.writeText('before'));

  it('lead to this extension, one per line', async () => {
    await copyLinks(connections, 'Lab', [{ kind: 'session', id: 'sesn_1', event: 'sevt_2' }]);
    assert.equal(await copied(), `${start}/session/sesn_1?connection=Lab&host=a.example&event=sevt_2`);
    await copyLinks(connections, 'Lab', [
      { kind: 'batch', id: 'b1' },
      { kind: 'batch', id: 'b2' },
    ]);
    assert.equal(await copied(), ['b1', 'b2'].map(id => `${start}/batch/${id}?connection=Lab&host=a.example`).join('\n'));
  });

  it('contain no secret, and leave the clipboard unchanged in that case', async () => {
    const looks = /^Error: Can't copy the link/;
    await assert.rejects(copyLinks(connections, 'Lab', [{ kind: 'batch', id: 'b', customId: secret }]), looks);
    await assert.rejects(copyLinks(connections, 'Lab', [{ kind: 'session', id: 's', event: secret }]), looks);
    await assert.rejects(copyLinks(connections, 'Lab', [{ kind: 'session', id: 'a/b' }]), /Can't copy the link/);
    await assert.rejects(copyLinks(connections, 'Gone', [{ kind: 'session', id: 's' }]), /^Error: The connection Gone no longer exists/);
    assert.equal(await copied(), 'before');
  });

  it('lead to a result by its batch, or by the first batch of a group', async () => {
    const shown = (...batchIds: readonly (string | undefined)[]) =>
      ({ shown: { run: { connection: 'Lab', submissions: batchIds.map(batchId => ({ batchId })) } } }) as unknown as OpenResults;
    const all = connections as unknown as Connections;
    await copyResultLink(all, shown(undefined, 'b2', 'b3'), 'row 7');
    assert.equal(await copied(), `${start}/batch/b2?connection=Lab&host=a.example&custom_id=row%25207`);
    await assert.rejects(copyResultLink(all, shown(undefined), 'r'), /The batch of these results is unknown/);
    await assert.rejects(copyResultLink(all, { shown: undefined }, 'r'), /The batch of these results is unknown/);
    await assert.rejects(copyResultLink(all, shown('b1'), secret), /Can't copy the link/);
  });
});

const secrets = [
  'sk-9fK2mQ7xLw4TzB8vR3nY6cHd',
  'Bearer 9fK2mQ7xLw4TzB8vR3nY6cHd',
  'ghp_9fK2mQ7xLw4TzB8vR3nY6cHd9fK2mQ7xLw4T',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
];
const labService = { name: 'Lab', baseUrl: 'https://a.example:8443/base/path', isEmulator: false };

describe('features/links/toLink', () => {
  it('names the service by its host alone', () => {
    assert.deepEqual(toLink({ kind: 'session', id: 's' }, labService), {
      kind: 'session',
      id: 's',
      host: 'a.example:8443',
      connection: 'Lab',
    });
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
        assert.equal(toLink(target, labService), 'secret', JSON.stringify(target));
      }
    }
  });

  it('never contains a secret that is a separate word, in any context', () => {
    const piece = fc.oneof(fc.constantFrom(...secrets, 'sk-', 'Bearer ', 'api_key=', '"password":"'), fc.string());
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), parts => {
        const link = toLink({ kind: 'batch', id: 'b', customId: parts.join(' ') }, { ...labService, name: parts.join(' ') });
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
      assert.deepEqual(toLink({ kind: 'agent', id: 'a' }, { ...labService, name }), { kind: 'agent', id: 'a', host: 'a.example:8443' });
    }
  });

  it("rejects IDs that don't fit into a link", () => {
    for (const id of ['', 'a/b', 'a b', '../x', 'a\u202eb', 'x'.repeat(300)]) {
      assert.equal(toLink({ kind: 'session', id }, labService), 'form', id);
    }
    assert.equal(toLink({ kind: 'batch', id: 'b', customId: 'a\nb' }, labService), 'form');
  });

  it('contains nothing else of a connection: no path, user or header', () => {
    const canary = 'canary-9fK2mQ7xLw4TzB8vR3nY6cHd';
    const connection = {
      ...labService,
      baseUrl: `https://user:${canary}@a.example/${canary}?key=${canary}`,
      auth: canary,
      extraBetas: [canary],
    };
    const link = toLink({ kind: 'session', id: 's' }, connection);
    assert.ok(!JSON.stringify(link).includes('canary'), JSON.stringify(link));
  });
});
