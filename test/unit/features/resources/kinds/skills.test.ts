import assert from 'node:assert/strict';
import { zipSync } from 'fflate';
import type { ServiceClient } from '../../../../../src/client/serviceClient';
import { ServiceError } from '../../../../../src/client/transport/errors';
import { skillFiles, skills, skillVersions } from '../../../../../src/features/resources/kinds/skills';
import { ZipError } from '../../../../../src/features/resources/readZip';
import { context } from '../presenting';

const skill = { connection: 'Lab', kind: 'skill', id: 'skill_1' };
const version = { connection: 'Lab', kind: 'skillVersion', id: '17', parent: skill };
const signal = new AbortController().signal;
const answer = <T>(data: T) => ({ data, requestId: undefined });
const page = <T>(items: readonly T[]) => ({ items, nextCursor: undefined, requestId: undefined });

/** Returns a service with one skill, whose latest version is `17`. `parts` has the agents and the archive. */
function serviceWith(parts: {
  readonly agents?: readonly object[];
  readonly sessions?: readonly object[];
  readonly archive?: Uint8Array;
}): ServiceClient {
  const versions = [
    { id: 'skillver_b', type: 'skill_version', version: '17', directory: 's' },
    { id: 'skillver_a', type: 'skill_version', version: '16' },
  ];
  return {
    agents: { list: async () => page(parts.agents ?? []) },
    sessions: { list: async () => page(parts.sessions ?? []) },
    skills: {
      retrieve: async () => answer({ id: 'skill_1', type: 'skill', latest_version: '17' }),
      versions: () => ({
        list: async () => page(versions),
        retrieve: async (key: string) => answer(versions.find(one => one.version === key)),
        content: async () => ({
          body: (async function* () {
            yield parts.archive ?? new Uint8Array();
          })(),
        }),
      }),
    },
  } as unknown as ServiceClient;
}

describe('features/resources/kinds/skills', () => {
  it('shows a skill in either shape, and its owner', () => {
    const row = (more: object) => skills.row({ id: 'skill_1', type: 'skill', ...more }, context);
    const older = row({ display_title: 'Mine', latest_version: '17', source: 'custom', updated_at: '2026-06-01T11:00:00Z' });
    const newer = row({ display_name: 'Mine', latest_version_id: 'v', source: { type: 'custom' }, updated_at: '2026-06-01T11:00:00Z' });
    assert.deepEqual([older.label, older.description], ['Mine', '1 hr. ago']);
    assert.deepEqual(newer, older);
    assert.match(older.abilities, /\bdeletable\b.*\bversionable\b/);
    const vendors = row({ display_title: 'PDF', source: 'anthropic' });
    assert.deepEqual([vendors.description, vendors.icon], ['from anthropic', 'library']);
    assert.doesNotMatch(vendors.abilities, /deletable|versionable/);
    assert.equal(row({ display_title: '', latest_version: '' }).description, 'no version');
    assert.equal(row({ display_title: null }).label, 'skill_1');
  });

  it('names versions as paths do, marks the latest, and shows other fields unchanged', async () => {
    const { items } = await skillVersions.calls(serviceWith({}), skill).list();
    assert.deepEqual(
      items.map(one => [one.id, skillVersions.row(one, context).description]),
      [
        ['17', 'latest'],
        ['16', ''],
      ],
    );
    const [first] = items;
    assert.ok(first !== undefined);
    assert.deepEqual(skillVersions.json?.(first), { id: 'skillver_b', type: 'skill_version', version: '17', directory: 's' });
  });

  it('lists the agents and sessions that use a skill, and a version: pinned, or as the latest', async () => {
    const uses = (...used: object[]) => ({ skills: used });
    const client = serviceWith({
      agents: [
        { id: 'a1', name: 'Writer', ...uses({ type: 'custom', skill_id: 'skill_1', version: 'latest' }) },
        { id: 'a2', name: 'Reader', ...uses({ skill_id: 'other', version: '17' }, { skill_id: 'skill_1', version: '16' }) },
        { id: 'a3', name: '', ...uses({ skill_id: 'skill_1', version: null }) },
        { id: 'a4', name: 'None', skills: null },
      ],
      sessions: [
        { id: 's1', title: 'Draft a letter', agent: uses({ skill_id: 'skill_1', version: '17' }) },
        { id: 's2', title: 'Old', archived_at: '2026-01-01T00:00:00Z', agent: uses({ skill_id: 'skill_1', version: '17' }) },
        { id: 's3', title: null, agent: uses({ skill_id: 'skill_1', version: '16' }) },
        { id: 's4', agent: null },
      ],
    });
    const usesOf = async (kind: typeof skills | typeof skillVersions, reference: typeof skill) => kind.usedBy?.(client, reference, context);
    const all = 'Used by agents: Writer (latest version), Reader (version 16), a3 (latest version).';
    assert.equal(await usesOf(skills, skill), `${all} Used by sessions: Draft a letter, s3.`);
    assert.equal(
      await usesOf(skillVersions, version),
      'Used by agents: Writer (latest version), a3 (latest version). Used by sessions: Draft a letter.',
    );
    assert.equal(await usesOf(skillVersions, { ...version, id: '16' }), 'Used by agents: Reader (version 16). Used by sessions: s3.');
    assert.equal(await usesOf(skillVersions, { ...version, id: '15' }), '');
  });

  it('names the first of many agents, and counts the others', async () => {
    const many = Array.from({ length: 1200 }, (_, index) => ({ id: `a${index}`, skills: [{ skill_id: 'skill_1' }] }));
    const text = (await skills.usedBy?.(serviceWith({ agents: many }), skill, context)) ?? '';
    assert.match(text, /a4 \(latest version\), and 995 more\.$/);
  });

  it('lists the files of a version below its top folder: SKILL.md first, folders before files', async () => {
    const bytes = Buffer.from('x');
    const archive = zipSync({ 's/z.txt': bytes, 's/a/b/c.md': bytes, 's/SKILL.md': bytes, 's/a/a.md': bytes });
    const calls = skillFiles.calls(serviceWith({ archive }), version);
    const { items } = await calls.list();
    assert.deepEqual(
      items.map(({ id }) => id),
      ['SKILL.md', 'a/b/c.md', 'a/a.md', 'z.txt'],
    );
    assert.deepEqual(
      skillFiles.folders?.({ id: 'a/b/c.md' }, context).map(({ id }) => id),
      ['a', 'b'],
    );
    assert.equal(skillFiles.row({ id: 'a/b/c.md', size_bytes: 4200 }, context).label, 'c.md');
    const content = await skillFiles.content?.(
      serviceWith({ archive }),
      { connection: 'Lab', kind: 'skillFile', id: 'z.txt', parent: version },
      signal,
    );
    assert.equal(Buffer.from(content ?? []).toString(), 'x');
    await assert.rejects(calls.retrieve('none'), (error: unknown) => error instanceof ServiceError && error.status === 404);
  });

  it("rejects an archive that isn't a zip, leaves its folder or is too large", async () => {
    const list = (archive: Uint8Array) => skillFiles.calls(serviceWith({ archive }), version).list();
    for (const archive of [Buffer.from('<html>'), zipSync({ 's/../../x': Buffer.from('x') }), Buffer.alloc(17 * 1024 * 1024)]) {
      await assert.rejects(list(archive), ZipError);
    }
  });
});
