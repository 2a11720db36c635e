import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { EmulatorClock } from '../emulatorClock';
import { ApiError, invalidRequest } from '../http/apiError';
import type { FormPart } from '../http/readForm';
import { toTime } from '../http/wireTime';
import { randomId } from '../state/randomId';
import { RecordStore } from '../state/recordStore';

const versionSchema = z.object({
  id: z.string(),
  /** In microseconds since 1970. Identifies the version in the older shape. */
  version: z.string(),
  name: z.string(),
  description: z.string(),
  directory: z.string(),
  createdAt: z.number(),
});
type VersionRecord = Readonly<z.infer<typeof versionSchema>>;

const recordSchema = z.object({
  id: z.string(),
  /** Position in the order of creation. */
  sequence: z.number(),
  title: z.string().nullable(),
  /** Name in its first version. All later ones must have the same. */
  name: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Oldest first. */
  versions: z.array(versionSchema),
});
export type SkillRecord = Readonly<z.infer<typeof recordSchema>>;

interface SkillParts {
  readonly folder: string;
  readonly keeps: boolean;
  readonly clock: EmulatorClock;
  /** Newer shape of the wire: versions are identified by their ids, titles may repeat, and the last version can't be deleted. */
  readonly isNewer: boolean;
}

/** Skills with their versions in either shape of the wire (API facts, section 13; resources, 1.3). */
export class SkillState {
  readonly #records: RecordStore<SkillRecord>;
  readonly #parts: SkillParts;
  #lastMicroseconds = 0;

  private constructor(parts: SkillParts, records: RecordStore<SkillRecord>) {
    this.#parts = parts;
    this.#records = records;
  }

  /** Opens a folder, which holds the archives even if `keeps` is false: they may be large. */
  static async open({ folder: parent, ...parts }: SkillParts): Promise<SkillState> {
    const folder = path.join(parent, 'skills');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const records = await RecordStore.open<SkillRecord>(parts.keeps ? folder : undefined, recordSchema, 'Skill');
    return new SkillState({ ...parts, folder }, records);
  }

  /** Returns all skills in their response form, newest first. All of them are custom. */
  list(source: string | null) {
    return (source === null || source === 'custom' ? this.#records.list() : []).map(record => this.#show(record));
  }

  get(id: string) {
    return this.#show(this.#records.get(id));
  }

  /** Returns the versions in their response form, newest first. */
  versions(id: string) {
    return this.#records
      .get(id)
      .versions.map(version => this.#showVersion(id, version))
      .reverse();
  }

  version(id: string, key: string) {
    return this.#showVersion(id, this.#versionOf(id, key));
  }

  content(id: string, key: string): Promise<Buffer> {
    return readFile(this.#archiveOf(this.#versionOf(id, key)));
  }

  /** Creates a skill. Throws the 400 of the first rule that the form violates. */
  async create(parts: readonly FormPart[]) {
    const title = titleOf(parts);
    if (!this.#parts.isNewer && title !== null && this.#records.list().some(other => other.title === title)) {
      throw invalidRequest(`Skill cannot reuse an existing display_title: ${title}`);
    }
    const version = await this.#store(parts);
    const { name, createdAt } = version;
    const id = `skill_${randomId(24)}`;
    const sequence = this.#records.nextSequence();
    return this.#show(this.#records.put({ id, sequence, title, name, createdAt, updatedAt: createdAt, versions: [version] }));
  }

  /** Adds a version, like `create`. Its name must be that of the skill. */
  async addVersion(id: string, parts: readonly FormPart[]) {
    const { name } = this.#records.get(id);
    const version = await this.#store(parts, name);
    const record = this.#records.get(id);
    this.#records.put({ ...record, updatedAt: version.createdAt, versions: [...record.versions, version] });
    return this.#showVersion(id, version);
  }

  /** Deletes a skill together with its versions. */
  async delete(id: string): Promise<void> {
    const { versions } = this.#records.get(id);
    await this.#records.delete(id);
    await Promise.all(versions.map(version => rm(this.#archiveOf(version), { force: true })));
  }

  async deleteVersion(id: string, key: string): Promise<void> {
    const record = this.#records.get(id);
    const version = this.#versionOf(id, key);
    if (this.#parts.isNewer && record.versions.length === 1) {
      throw invalidRequest('A skill must hold at least one version; delete the skill instead');
    }
    this.#records.put({ ...record, updatedAt: this.#parts.clock.now(), versions: record.versions.filter(other => other !== version) });
    await rm(this.#archiveOf(version), { force: true });
  }

  flush(): Promise<void> {
    return this.#records.flush();
  }

  /** Checks a package and stores its archive. The modules for both are loaded when the first skill is uploaded. */
  async #store(parts: readonly FormPart[], demanded?: string): Promise<VersionRecord> {
    const { readSkillPackage, zipSkill } = await import('./skillPackage');
    const found = readSkillPackage(parts);
    if (demanded !== undefined && found.name !== demanded) {
      throw invalidRequest(`SKILL.md: name must stay ${demanded}`);
    }
    const { name, description, directory } = found;
    const createdAt = this.#parts.clock.now();
    // Two versions created in the same millisecond must differ.
    this.#lastMicroseconds = Math.max(createdAt * 1000, this.#lastMicroseconds + 1);
    const version = { id: `skillver_${randomId(24)}`, version: String(this.#lastMicroseconds), name, description, directory, createdAt };
    await writeFile(this.#archiveOf(version), zipSkill(found), { mode: 0o600 });
    return version;
  }

  #versionOf(id: string, key: string): VersionRecord {
    const version = this.#records.get(id).versions.find(({ id: own, version: text }) => key === (this.#parts.isNewer ? own : text));
    if (version === undefined) {
      throw new ApiError('not_found_error', `Skill version not found: ${key}`);
    }
    return version;
  }

  #archiveOf({ id }: VersionRecord): string {
    return path.join(this.#parts.folder, `${id}.zip`);
  }

  #show({ id, title, name, createdAt, updatedAt, versions }: SkillRecord) {
    const latest = versions.at(-1);
    const times = { created_at: toTime(createdAt), updated_at: toTime(updatedAt) };
    return this.#parts.isNewer
      ? { id, type: 'skill', display_name: title ?? name, latest_version_id: latest?.id ?? '', source: { type: 'custom' }, ...times }
      : { id, type: 'skill', display_title: title, latest_version: latest?.version ?? '', source: 'custom', ...times };
  }

  #showVersion(skillId: string, { id, version, name, description, directory, createdAt }: VersionRecord) {
    const shown = { id, type: 'skill_version', skill_id: skillId, name, description, created_at: toTime(createdAt) };
    return this.#parts.isNewer ? shown : { ...shown, version, directory };
  }
}

/** Returns the title in a form, under either of its names, or null if there is none. */
function titleOf(parts: readonly FormPart[]): string | null {
  const title = parts.find(({ name }) => name === 'display_title' || name === 'display_name')?.content.toString('utf8') ?? '';
  if (title.length > 255 || /[\r\n]/.test(title)) {
    throw invalidRequest('display_title: must be one line of at most 255 characters');
  }
  return title === '' ? null : title;
}
