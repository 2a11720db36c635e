import assert from 'node:assert/strict';
import { unzipSync } from 'fflate';
import { dialects } from '../../../src/client/dialect';
import { latestVersionKey, type Skill, sourceOf, versionKey } from '../../../src/client/resources/skills';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { ServiceError } from '../../../src/client/transport/errors';
import { listAll } from '../../../src/client/transport/pagination';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { contractClient } from '../../helpers/emulatorClient';
import { manifestText, skillFiles } from '../../helpers/skillFiles';

for (const dialect of ['contract', 'anthropic-2023', 'anthropic-2026'] as const) {
  const isNewer = dialect === 'anthropic-2026';

  describe(`emulator/skills as ${dialect}`, () => {
    let emulator: Emulator;
    let client: ServiceClient;

    beforeEach(async () => {
      emulator = await startEmulator({ dialect });
      client = contractClient(emulator, { auth: dialects[dialect].defaultAuth, dialect: dialects[dialect] });
    });
    afterEach(async () => {
      await client.close();
      await emulator.stop();
    });

    const create = async (name: string, title?: string) => {
      const files = skillFiles(name, { 'SKILL.md': manifestText(name), 'scripts/run.py': 'print(1)\n' });
      return (await client.skills.create({ files, ...(title !== undefined && { title }) })).data;
    };
    const refused = async (work: Promise<unknown>, words: RegExp) => {
      await assert.rejects(work, (error: unknown) => {
        assert.ok(error instanceof ServiceError && error.status === 400 && error.outcome === 'refused', String(error));
        assert.match(error.serviceMessage ?? '', words);
        return true;
      });
    };

    it('returns skills and versions in its shape', async () => {
      const skill = await create('my-skill', 'My skill');
      const own = isNewer
        ? ['created_at', 'display_name', 'id', 'latest_version_id', 'source', 'type', 'updated_at']
        : ['created_at', 'display_title', 'id', 'latest_version', 'source', 'type', 'updated_at'];
      assert.deepEqual(Object.keys(skill).sort(), own);
      assert.deepEqual([skill.display_title ?? skill.display_name, sourceOf(skill)], ['My skill', 'custom']);
      const versions = client.skills.versions(skill.id);
      const [version] = (await versions.list()).items;
      assert.ok(version !== undefined);
      assert.deepEqual([version.name, version.description, version.skill_id], ['my-skill', 'Does a thing', skill.id]);
      assert.equal(Object.hasOwn(version, 'directory'), !isNewer);
      assert.equal(latestVersionKey(skill), versionKey(version));
      assert.deepEqual((await versions.retrieve(versionKey(version))).data, version);
      assert.deepEqual((await client.skills.retrieve(skill.id)).data, skill);
    });

    it('stores what was uploaded, and returns it as an archive that other tools read', async () => {
      const { id } = await create('my-skill');
      const files = { 'SKILL.md': manifestText('my-skill', '# Two\n'), 'größe/bytes.bin': Uint8Array.from([0, 255, 13, 10, 45, 45]) };
      const { data: second } = await client.skills.versions(id).create(skillFiles('my-skill', files));
      const { body } = await client.skills.versions(id).content(versionKey(second));
      const pieces: Uint8Array[] = [];
      for await (const piece of body) {
        pieces.push(piece);
      }
      const unzipped = unzipSync(Buffer.concat(pieces));
      assert.deepEqual(Object.keys(unzipped).sort(), ['my-skill/SKILL.md', 'my-skill/größe/bytes.bin']);
      assert.deepEqual([...(unzipped['my-skill/größe/bytes.bin'] ?? [])], [0, 255, 13, 10, 45, 45]);
      assert.equal(latestVersionKey((await client.skills.retrieve(id)).data), versionKey(second));
    });

    it('pages skills and versions, each once, newest first', async () => {
      const created: Skill[] = [];
      for (const name of ['one', 'two', 'three']) {
        created.unshift(await create(name));
      }
      const ids = async (pages: AsyncIterable<{ readonly id: string }>) => {
        const seen: string[] = [];
        for await (const { id } of pages) {
          seen.push(id);
        }
        return seen;
      };
      assert.deepEqual(
        await ids(listAll(options => client.skills.list(options), { limit: 2 })),
        created.map(({ id }) => id),
      );
      assert.deepEqual(await ids(listAll(options => client.skills.list({ ...options, source: 'none' }), { limit: 2 })), []);
      const [{ id } = { id: '' }] = created;
      const versions = client.skills.versions(id);
      const newer: string[] = [];
      for (let count = 0; count < 2; count++) {
        newer.unshift((await versions.create(skillFiles('three', { 'SKILL.md': manifestText('three') }))).data.id);
      }
      const listed = await ids(listAll(options => versions.list(options), { limit: 2 }));
      assert.deepEqual([listed.length, listed.slice(0, 2)], [3, newer]);
    });

    it('rejects what breaks a rule, and names the rule', async () => {
      const upload = (folder: string, files: Record<string, string>) => client.skills.create({ files: skillFiles(folder, files) });
      const manifest = (text: string, folder = 'a') => upload(folder, { 'SKILL.md': text });
      await refused(upload('a', { 'README.md': 'x' }), /SKILL\.md is required/);
      await refused(upload('a', { 'skill.md': manifestText('a') }), /SKILL\.md is required/);
      await refused(upload('a', { 'SKILL.md': manifestText('a'), '../b': 'x' }), /not a relative path/);
      await refused(
        client.skills.create({ files: [...skillFiles('a', { 'SKILL.md': manifestText('a') }), ...skillFiles('b', { x: 'x' })] }),
        /same top/,
      );
      await refused(client.skills.create({ files: [] }), /Field required/);
      await refused(manifest('no front matter'), /front matter/);
      await refused(manifest('---\nname: a\n'), /not closed/);
      await refused(manifest('---\nname: [\n---\n'), /not valid YAML/);
      await refused(manifest('---\ndescription: x\n---\n'), /name is required/);
      await refused(manifest('---\nname: a\n---\n'), /description is required/);
      await refused(manifest(manifestText('A b')), /lowercase/);
      await refused(manifest(manifestText('b')), /top-level directory/);
      await refused(manifest(manifestText('a'.repeat(65)), 'a'.repeat(65)), /at most 64/);
      await refused(manifest(manifestText('a', '', 'x'.repeat(1025))), /at most 1024/);
      await refused(upload('a', { 'SKILL.md': manifestText('a'), big: 'x'.repeat(8 * 1024 * 1024) }), /at most 8388608 bytes/);
      assert.deepEqual((await client.skills.list()).items, []);
    });

    it("keeps a skill's name", async () => {
      const { id } = await create('first');
      await refused(client.skills.versions(id).create(skillFiles('other', { 'SKILL.md': manifestText('other') })), /must stay first/);
      assert.equal((await client.skills.versions(id).list()).items.length, 1);
    });

    it(isNewer ? 'takes a title twice' : 'refuses a title that another skill has', async () => {
      await create('one', 'Same');
      if (isNewer) {
        assert.equal((await create('two', 'Same')).display_name, 'Same');
      } else {
        await refused(create('two', 'Same'), /cannot reuse/);
      }
      await create('three');
      await create('four');
    });

    it(isNewer ? 'keeps the last version' : 'keeps a skill without its last version', async () => {
      const { id } = await create('one');
      const versions = client.skills.versions(id);
      const [version] = (await versions.list()).items;
      const key = versionKey(version ?? { id: '' });
      if (isNewer) {
        await refused(versions.delete(key), /at least one version/);
      } else {
        assert.deepEqual((await versions.delete(key)).data, { id: key, type: 'skill_version_deleted' });
        assert.equal((await client.skills.retrieve(id)).data.latest_version, '');
        await assert.rejects(versions.content(key), (error: unknown) => error instanceof ServiceError && error.status === 404);
      }
      assert.deepEqual((await client.skills.delete(id)).data, { id, type: 'skill_deleted' });
      await assert.rejects(versions.list(), (error: unknown) => error instanceof ServiceError && error.status === 404);
    });
  });
}
