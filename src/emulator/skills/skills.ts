import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { ApiError, invalidRequest } from '../http/apiError';
import { kindRoutes, type Route, routesBelow } from '../http/kindRoutes';
import { readForm } from '../http/readForm';
import { toTime } from '../http/toWire';
import { RecordStore, randomId, recordShape, type StoreContext } from '../state/recordStore';

const versionSchema = z.object({
  id: z.string(),
  /** Creation time in microseconds since 1970. Identifies the version in the older shape. */
  version: z.string(),
  name: z.string(),
  description: z.string(),
  directory: z.string(),
  createdAt: z.number(),
});
type VersionRecord = Readonly<z.infer<typeof versionSchema>>;

const recordSchema = z.object({
  ...recordShape,
  title: z.string().nullable(),
  /** Name of the skill. All versions must have the same name. */
  name: z.string(),
  updatedAt: z.number(),
  /** Oldest first. */
  versions: z.array(versionSchema),
});
type SkillRecord = Readonly<z.infer<typeof recordSchema>>;

/**
 * Skills with their versions in either response form (API facts, section 13; resources, 1.3). Their archives are on disk even if the state
 * is not persistent.
 */
export class Skills extends RecordStore<SkillRecord> {
  #lastMicroseconds = 0;

  constructor(
    context: StoreContext,
    /** True for the newer response form: versions are identified by their ids, titles may repeat, and the last version can't be deleted. */
    readonly isNewer: boolean,
  ) {
    super(context, { folder: 'skills', noun: 'Skill', prefix: 'skill_', schema: recordSchema });
  }

  version(id: string, key: string): VersionRecord {
    const version = this.get(id).versions.find(({ id: own, version: text }) => key === (this.isNewer ? own : text));
    if (version === undefined) {
      throw new ApiError('not_found_error', `Skill version not found: ${key}`);
    }
    return version;
  }

  content(version: VersionRecord): Promise<Buffer> {
    return readFile(this.#archiveOf(version));
  }

  /** Creates a skill. Throws the 400 of the first rule that the form violates. */
  async create(form: FormData): Promise<SkillRecord> {
    const title = titleOf(form);
    if (!this.isNewer && title !== null && this.list().some(other => other.title === title)) {
      throw invalidRequest(`Skill cannot reuse an existing display_title: ${title}`);
    }
    const version = await this.#store(form);
    return this.add({ title, name: version.name, versions: [version] });
  }

  /** Adds a version from a form. Throws the 400 of the first violated rule. The name in the form must equal the skill's name. */
  async addVersion(id: string, form: FormData): Promise<VersionRecord> {
    const version = await this.#store(form, this.get(id).name);
    const record = this.get(id);
    this.change(record, { versions: [...record.versions, version] });
    return version;
  }

  override async delete(id: string): Promise<void> {
    const { versions } = this.get(id);
    await super.delete(id);
    await Promise.all(versions.map(version => rm(this.#archiveOf(version), { force: true })));
  }

  async deleteVersion(id: string, key: string): Promise<void> {
    const record = this.get(id);
    const version = this.version(id, key);
    if (this.isNewer && record.versions.length === 1) {
      throw invalidRequest('A skill must hold at least one version; delete the skill instead');
    }
    this.change(record, { versions: record.versions.filter(other => other !== version) });
    await rm(this.#archiveOf(version), { force: true });
  }

  /** Checks a package and stores its archive. The modules for this are loaded when the first skill is uploaded. */
  async #store(form: FormData, demanded?: string): Promise<VersionRecord> {
    const { readSkillPackage, zipSkill } = await import('./skillPackage');
    const found = await readSkillPackage(form);
    if (demanded !== undefined && found.name !== demanded) {
      throw invalidRequest(`SKILL.md: name must stay ${demanded}`);
    }
    const { name, description, directory } = found;
    const createdAt = this.context.clock.now();
    // Two versions created in the same millisecond must differ.
    this.#lastMicroseconds = Math.max(createdAt * 1000, this.#lastMicroseconds + 1);
    const version = { id: `skillver_${randomId(24)}`, version: String(this.#lastMicroseconds), name, description, directory, createdAt };
    await writeFile(this.#archiveOf(version), zipSkill(found), { mode: 0o600 });
    return version;
  }

  #archiveOf({ id }: VersionRecord): string {
    return path.join(this.folder, `${id}.zip`);
  }
}

/** Returns the title in a form, under either of its names, or null for a form without a title. */
function titleOf(form: FormData): string | null {
  const title = String(form.get('display_title') ?? form.get('display_name') ?? '');
  if (title.length > 255 || /[\r\n]/.test(title)) {
    throw invalidRequest('display_title: must be one line of at most 255 characters');
  }
  return title === '' ? null : title;
}

function toSkill({ id, title, name, createdAt, updatedAt, versions }: SkillRecord, isNewer: boolean): object {
  const latest = versions.at(-1);
  const times = { created_at: toTime(createdAt), updated_at: toTime(updatedAt) };
  return isNewer
    ? { id, type: 'skill', display_name: title ?? name, latest_version_id: latest?.id ?? '', source: { type: 'custom' }, ...times }
    : { id, type: 'skill', display_title: title, latest_version: latest?.version ?? '', source: 'custom', ...times };
}

function toSkillVersion(skillId: string, { createdAt, version, directory, ...record }: VersionRecord, isNewer: boolean): object {
  const shown = { ...record, type: 'skill_version', skill_id: skillId, created_at: toTime(createdAt) };
  return isNewer ? shown : { ...shown, version, directory };
}

// Maximum upload in bytes. Larger than the limit of a package, so that an error message can name the package limit.
const largestUpload = 32 * 1024 * 1024;

export function skillRoutes(skills: Skills): readonly Route[] {
  const { isNewer } = skills;
  const versionsPath = '/v1/skills/:id/versions';
  return [
    ...kindRoutes({
      name: 'skills',
      path: '/v1/skills',
      type: 'skill',
      members: skills,
      show: record => toSkill(record, isNewer),
      limits: { normal: 20, most: 100 },
      // Older services add `has_more` (API facts, section 4).
      hasMore: !isNewer,
      filters: ['source'],
      // All skills of the emulator are custom.
      passes:
        ({ query }) =>
        () =>
          (query.get('source') ?? 'custom') === 'custom',
      create: async exchange => skills.create(await readForm(exchange, largestUpload)),
    }),
    ...kindRoutes({
      name: 'skills.versions',
      path: versionsPath,
      type: 'skill_version',
      members: {
        list: id => skills.get(id).versions.toReversed(),
        get: (key, id) => skills.version(id, key),
        delete: (key, id) => skills.deleteVersion(id, key),
      },
      hasMore: !isNewer,
      show: (version, _, __, id) => toSkillVersion(id, version, isNewer),
      create: async (exchange, id) => {
        skills.get(id);
        return skills.addVersion(id, await readForm(exchange, largestUpload));
      },
    }),
    routesBelow('skills.versions', versionsPath)('GET', 'content', '/:childId/content', async (exchange, id, key) => {
      const version = skills.version(id, key);
      const headers = { 'content-type': 'application/zip', 'content-disposition': `attachment; filename="${version.name}.skill"` };
      await exchange.send(200, headers, await skills.content(version));
    }),
  ];
}
