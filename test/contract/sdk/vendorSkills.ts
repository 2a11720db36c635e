import assert from 'node:assert/strict';
import { unzipSync } from 'fflate';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { manifestText } from '../../helpers/skillFiles';
import type { VendorSdk } from './vendorSdk';

interface Skill {
  readonly id: string;
  readonly source: unknown;
}

/** Version of a skill. `version` has its format before 0.122, which the types of both SDKs no longer have. */
interface SkillVersion {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
}

interface Deleted {
  readonly id: string;
  readonly type: string;
}

type Pages<T> = AsyncIterable<T>;

/** Methods for skills in both versions of the vendor's SDK. The compiler checks that they exist. */
export interface VendorSkills {
  create(params: { files: File[]; betas: string[] }): Promise<Skill>;
  retrieve(id: string, params: { betas: string[] }): Promise<Skill>;
  list(params: { limit: number; source?: string; betas: string[] }): Pages<Skill>;
  delete(id: string, params: { betas: string[] }): Promise<Deleted>;
  readonly versions: {
    create(id: string, params: { files: File[]; betas: string[] }): Promise<SkillVersion>;
    retrieve(version: string, params: { skill_id: string; betas: string[] }): Promise<SkillVersion>;
    list(id: string, params: { limit: number; betas: string[] }): Pages<SkillVersion>;
    delete(version: string, params: { skill_id: string; betas: string[] }): Promise<Deleted>;
    download(version: string, params: { skill_id: string; betas: string[] }): Promise<Response>;
  };
}

export interface VendorSkillsSdk extends Pick<VendorSdk, 'name' | 'dialect' | 'errors'> {
  /** Creates a client without retries. */
  connect(url: string, key: string): VendorSkills;
}

const betas = ['skills-2025-10-02'];
const filesOf = (folder: string, text: string) => [
  new File([manifestText(folder, text)], `${folder}/SKILL.md`, { type: 'text/markdown' }),
  new File(['print(1)\n'], `${folder}/scripts/run.py`),
];

/** Tests the emulator's skills with the vendor's code. */
export function describeVendorSkills(sdk: VendorSkillsSdk): void {
  describe(`src/emulator skills with ${sdk.name}`, () => {
    let emulator: Emulator;
    let skills: VendorSkills;

    beforeEach(async () => {
      emulator = await startEmulator({ dialect: sdk.dialect });
      skills = sdk.connect(emulator.url, emulator.key);
    });
    afterEach(() => emulator.stop());

    async function all<T>(pages: Pages<T>): Promise<T[]> {
      const items: T[] = [];
      for await (const item of pages) {
        items.push(item);
      }
      return items;
    }

    it('uploads a skill and a version, lists both page by page, reads the archive, deletes', async () => {
      const { id, source } = await skills.create({ files: filesOf('my-skill', 'one\n'), betas });
      assert.deepEqual(source, sdk.dialect === 'anthropic-2026' ? { type: 'custom' } : 'custom');
      const second = await skills.versions.create(id, { files: filesOf('my-skill', 'two\n'), betas });
      const keyOf = ({ id: own, version }: SkillVersion) => version ?? own;
      const versions = await all(skills.versions.list(id, { limit: 1, betas }));
      assert.deepEqual([versions.length, versions[0]?.id], [2, second.id]);
      const named = { skill_id: id, betas };
      assert.equal((await skills.versions.retrieve(keyOf(second), named)).name, 'my-skill');
      const answer = await skills.versions.download(keyOf(second), named);
      const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
      assert.deepEqual(Object.keys(files).sort(), ['my-skill/SKILL.md', 'my-skill/scripts/run.py']);
      assert.match(Buffer.from(files['my-skill/SKILL.md'] ?? []).toString(), /two\n$/);
      assert.equal((await skills.versions.delete(keyOf(second), named)).type, 'skill_version_deleted');
      await assert.rejects(skills.versions.retrieve(keyOf(second), named), sdk.errors.NotFoundError);

      await skills.create({ files: filesOf('other', 'one\n'), betas });
      assert.equal((await all(skills.list({ limit: 1, betas }))).length, 2);
      assert.equal((await all(skills.list({ limit: 1, source: 'custom', betas }))).length, 2);
      assert.equal((await skills.retrieve(id, { betas })).id, id);
      assert.deepEqual(await skills.delete(id, { betas }), { id, type: 'skill_deleted' });
      await assert.rejects(skills.retrieve(id, { betas }), sdk.errors.NotFoundError);
      await assert.rejects(skills.create({ files: filesOf('Bad Name', ''), betas }), sdk.errors.BadRequestError);
    });
  });
}
