import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Connection, Connections } from '../../../../src/features/connection/connection';
import { copyLinks } from '../../../../src/features/links/copyLinks';
import type { OpenResults } from '../../../../src/features/results/panel/openResults';
import { copyResultLink } from '../../../../src/features/results/resultsPanels';

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
    const looks = /^Error: The link can't be copied/;
    await assert.rejects(copyLinks(connections, 'Lab', [{ kind: 'batch', id: 'b', customId: secret }]), looks);
    await assert.rejects(copyLinks(connections, 'Lab', [{ kind: 'session', id: 's', event: secret }]), looks);
    await assert.rejects(copyLinks(connections, 'Lab', [{ kind: 'session', id: 'a/b' }]), /can't be copied/);
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
    await assert.rejects(copyResultLink(all, shown('b1'), secret), /can't be copied/);
  });
});
