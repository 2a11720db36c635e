import * as z from 'zod';
import { invalidRequest } from '../http/apiError';
import { kindRoutes, type Route } from '../http/kindRoutes';
import { metadataPatchSchema, metadataSchema, patched, toWire } from '../http/toWire';
import { archivableShape, RecordStore, type StoreContext } from '../state/recordStore';

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

const createEnvironmentSchema = z.object({
  name: z.string().min(1).max(256),
  config: configSchema.nullish(),
  description: z.string().max(1024).nullish(),
  scope: z.enum(['organization', 'account']).nullish(),
  metadata: metadataSchema.optional(),
});
const updateEnvironmentSchema = createEnvironmentSchema.extend({
  name: createEnvironmentSchema.shape.name.nullish(),
  metadata: metadataPatchSchema.optional(),
});

const recordSchema = z.object({
  ...archivableShape,
  name: z.string(),
  description: z.string().nullable(),
  config: z.looseObject({ type: z.string() }),
  scope: z.string(),
});
export type EnvironmentRecord = Readonly<z.infer<typeof recordSchema>>;

/** Environments that sessions run in (API facts, section 11). The emulator runs no code in them. */
export class Environments extends RecordStore<EnvironmentRecord> {
  constructor(context: StoreContext) {
    super(context, { folder: 'environments', noun: 'Environment', prefix: 'env_', schema: recordSchema });
  }

  create({ name, description, config = null, scope, metadata = {} }: z.infer<typeof createEnvironmentSchema>): EnvironmentRecord {
    return this.add({ name, description: description || null, config: toConfig(config), scope: scope ?? 'organization', metadata });
  }

  update(id: string, { name, description, config, scope, metadata }: z.infer<typeof updateEnvironmentSchema>): EnvironmentRecord {
    const old = this.active(id, 'updated');
    return this.change(old, {
      name: name ?? undefined,
      description: description === undefined ? undefined : description || null,
      config: config ? toConfig(config) : undefined,
      scope: scope ?? undefined,
      metadata: patched(old.metadata, metadata),
    });
  }
}

/**
 * Returns the routes of `/v1/environments` (API facts, section 11). `isUsed` returns whether a session that is not archived runs in an
 * environment.
 */
export function environmentRoutes(environments: Environments, isUsed: (id: string) => boolean): readonly Route[] {
  return kindRoutes({
    name: 'environments',
    path: '/v1/environments',
    type: 'environment',
    members: environments,
    filters: ['include_archived'],
    // As observed: empty if there is none, although the shape allows null.
    show: record => toWire('environment', record, { description: record.description ?? '' }),
    create: async exchange => environments.create(await exchange.parsed(createEnvironmentSchema)),
    update: async (exchange, id) => environments.update(id, await exchange.parsed(updateEnvironmentSchema)),
    acts: {
      delete: async (_, id) => {
        environments.get(id);
        if (isUsed(id)) {
          throw invalidRequest('Environment has active work');
        }
        await environments.delete(id);
        return { id, type: 'environment_deleted' };
      },
    },
  });
}

function toConfig(config: z.infer<typeof configSchema> | null): EnvironmentRecord['config'] {
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
