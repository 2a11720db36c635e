import path from 'node:path';
import * as z from 'zod';
import { metadataPatchSchema, metadataSchema } from '../agents/agentParams';
import { patched } from '../agents/agentState';
import type { EmulatorClock } from '../emulatorClock';
import { invalidRequest } from '../http/apiError';
import { toTime, toTimeOrNull } from '../http/wireTime';
import { randomId } from '../state/randomId';
import { RecordStore } from '../state/recordStore';

const hostsSchema = z.array(z.string().min(1));
const networkSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('unrestricted') }),
  z.object({
    type: z.literal('limited'),
    allow_mcp_servers: z.boolean().nullish(),
    allow_package_managers: z.boolean().nullish(),
    allowed_hosts: hostsSchema.nullish(),
  }),
]);
const managers = ['apt', 'cargo', 'gem', 'go', 'npm', 'pip'] as const;
const packagesSchema = z.object(Object.fromEntries(managers.map(name => [name, z.array(z.string()).nullish()])));

const configSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('cloud'), networking: networkSchema.nullish(), packages: packagesSchema.nullish() }),
  z.object({ type: z.literal('self_hosted') }),
]);

const shape = {
  config: configSchema.nullish(),
  description: z.string().max(1024).nullish(),
  scope: z.enum(['organization', 'account']).nullish(),
};
const nameSchema = z.string().min(1).max(256);
export const createEnvironmentSchema = z.object({ ...shape, name: nameSchema, metadata: metadataSchema.optional() });
export const updateEnvironmentSchema = z.object({ ...shape, name: nameSchema.nullish(), metadata: metadataPatchSchema.optional() });

const recordSchema = z.object({
  id: z.string(),
  /** Position in the order of creation. */
  sequence: z.number(),
  name: z.string(),
  description: z.string().nullable(),
  config: z.looseObject({ type: z.string() }),
  scope: z.string(),
  metadata: z.record(z.string(), z.string()),
  createdAt: z.number(),
  updatedAt: z.number(),
  archivedAt: z.number().nullable(),
});
export type EnvironmentRecord = Readonly<z.infer<typeof recordSchema>>;

/** Environments that sessions run in (API facts, section 11). The emulator runs no code in them. */
export class EnvironmentState {
  readonly #records: RecordStore<EnvironmentRecord>;
  readonly #clock: EmulatorClock;

  private constructor(clock: EmulatorClock, records: RecordStore<EnvironmentRecord>) {
    this.#clock = clock;
    this.#records = records;
  }

  static async open(parts: { readonly folder: string | undefined; readonly clock: EmulatorClock }): Promise<EnvironmentState> {
    const folder = parts.folder === undefined ? undefined : path.join(parts.folder, 'environments');
    return new EnvironmentState(parts.clock, await RecordStore.open<EnvironmentRecord>(folder, recordSchema, 'Environment'));
  }

  get isEmpty(): boolean {
    return this.#records.isEmpty;
  }

  /** Returns all environments, newest first. */
  list(): EnvironmentRecord[] {
    return this.#records.list();
  }

  get(id: string): EnvironmentRecord {
    return this.#records.get(id);
  }

  create(params: z.infer<typeof createEnvironmentSchema>): EnvironmentRecord {
    const now = this.#clock.now();
    return this.#records.put({
      id: `env_${randomId(24)}`,
      sequence: this.#records.nextSequence(),
      name: params.name,
      description: params.description || null,
      config: toConfig(params.config),
      scope: params.scope ?? 'organization',
      metadata: params.metadata ?? {},
      createdAt: now,
      updatedAt: now,
      archivedAt: null,
    });
  }

  update(id: string, params: z.infer<typeof updateEnvironmentSchema>): EnvironmentRecord {
    const old = this.get(id);
    if (old.archivedAt !== null) {
      throw invalidRequest('archived environments cannot be updated');
    }
    return this.#records.put({
      ...old,
      name: params.name ?? old.name,
      description: params.description === undefined ? old.description : params.description || null,
      config: params.config === undefined || params.config === null ? old.config : toConfig(params.config),
      scope: params.scope ?? old.scope,
      metadata: patched(old.metadata, params.metadata ?? {}),
      updatedAt: this.#clock.now(),
    });
  }

  archive(id: string): EnvironmentRecord {
    const record = this.get(id);
    return record.archivedAt === null ? this.#records.put({ ...record, archivedAt: this.#clock.now() }) : record;
  }

  async delete(id: string): Promise<void> {
    this.get(id);
    await this.#records.delete(id);
  }

  flush(): Promise<void> {
    return this.#records.flush();
  }
}

/** Converts an environment to its response form. */
export function toEnvironment(record: EnvironmentRecord) {
  return {
    id: record.id,
    type: 'environment',
    name: record.name,
    // As observed: empty if there is none, although the shape allows null.
    description: record.description ?? '',
    config: record.config,
    scope: record.scope,
    metadata: record.metadata,
    created_at: toTime(record.createdAt),
    updated_at: toTime(record.updatedAt),
    archived_at: toTimeOrNull(record.archivedAt),
  };
}

function toConfig(config: z.infer<typeof configSchema> | null | undefined): EnvironmentRecord['config'] {
  if (config?.type === 'self_hosted') {
    return { type: 'self_hosted' };
  }
  const { networking, packages } = config ?? {};
  const network =
    networking?.type === 'limited'
      ? {
          type: 'limited',
          allow_mcp_servers: networking.allow_mcp_servers ?? false,
          allow_package_managers: networking.allow_package_managers ?? false,
          allowed_hosts: networking.allowed_hosts ?? [],
        }
      : { type: 'unrestricted' };
  const installed = Object.fromEntries(managers.map(name => [name, packages?.[name] ?? []]));
  return { type: 'cloud', networking: network, packages: { type: 'packages', ...installed } };
}
