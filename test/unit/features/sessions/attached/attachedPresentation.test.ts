import assert from 'node:assert/strict';
import type { Session, SessionResource } from '../../../../../src/client/resources/sessions';
import { toBelongings } from '../../../../../src/features/sessions/attached/attachedPresentation';
import { fillPlaceholders as t } from '../../requests/fillPlaceholders';

const bad = '$(zap)\u202e\u0000<b>';
const resources: readonly SessionResource[] = [
  {
    type: 'memory_store',
    memory_store_id: 'm1',
    name: 'Notes',
    access: 'read_only',
    mount_path: '/mnt/memory/m1',
    instructions: 'Look first.',
  },
  { type: 'git_repository', id: 'r1', url: 'https://h/acme/repo.git', mount_path: '/w/repo', checkout: { type: 'branch', name: 'main' } },
  { type: 'file', id: 'r2', file_id: 'file_1', mount_path: '/in/a.txt' },
  { type: bad, id: 'r3', name: bad, mount_path: bad },
  { type: 'file', file_id: 'file_2' },
];
const belongings = (session: Partial<Session> = {}) =>
  toBelongings(
    {
      session: { id: 's', type: 'session', vault_ids: ['vlt_1', 'vlt_2'], ...session },
      resources,
      created: [
        { id: 'file_9', type: 'file', filename: 'report.md', size_bytes: 1234 },
        { id: 'file_8', type: 'file', downloadable: false },
      ],
      names: new Map([
        ['file_1', 'notes.txt'],
        ['vlt_2', 'Keys of the shop'],
      ]),
    },
    t,
    'en',
  );

describe('features/sessions/attached/attachedPresentation', () => {
  it("groups a session's resources, with their state and facts", () => {
    assert.deepEqual(
      belongings()
        .filter(({ kind }) => kind !== 'other')
        .map(({ kind, label, description, resourceId, isReadable }) => [kind, label, description, resourceId, isReadable]),
      [
        ['file', 'notes.txt', '/in/a.txt', 'r2', false],
        ['file', 'file_2', '', undefined, false],
        ['repository', 'repo', 'branch main · /w/repo', 'r1', false],
        ['memoryStore', 'Notes', 'read only · /mnt/memory/m1 · Look first.', undefined, false],
        ['vault', 'vlt_1', '', undefined, false],
        ['vault', 'Keys of the shop', '', undefined, false],
        ['created', 'report.md', '1.2 KB', undefined, true],
        ['created', 'file_8', '', undefined, false],
      ],
    );
  });

  it('makes hidden characters in names visible, and keeps unknown values', () => {
    const other = belongings().find(({ kind }) => kind === 'other');
    assert.equal(other?.label, '$(zap)\\u{202e}\\u{0}<b>');
    assert.equal(other?.resourceId, 'r3');
  });

  it('offers no changes for an ended session', () => {
    for (const session of [{ archived_at: '2026-01-01T00:00:00Z' }, { status: 'terminated' }]) {
      assert.ok(belongings(session).every(({ resourceId }) => resourceId === undefined));
    }
  });
});
