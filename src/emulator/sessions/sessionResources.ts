import * as z from 'zod';
import type { Dialect } from '../../client/dialect';
import { withoutEnd } from '../../shared/trim';
import type { EmulatorClock } from '../emulatorClock';
import type { Files } from '../files/files';
import { checkBody, invalidRequest } from '../http/apiError';
import { toTime } from '../http/toWire';
import type { MemoryStores } from '../memories/memories';
import { randomId } from '../state/recordStore';
import type { ResourceRecord, SessionRecord } from './sessionRecord';

const mountPathSchema = z.string().min(1).max(4096).nullish();
const resourceParamsSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('file'), file_id: z.string().min(1).max(128), mount_path: mountPathSchema }),
  z.object({
    type: z.enum(['git_repository', 'github_repository']),
    url: z.string().min(1).max(2048),
    authorization_token: z.string().min(1).max(4096),
    mount_path: mountPathSchema,
    checkout: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('branch'), name: z.string().min(1).max(255) }),
        z.object({ type: z.literal('commit'), sha: z.string().min(7).max(64) }),
      ])
      .nullish(),
  }),
  z.object({
    type: z.literal('memory_store'),
    memory_store_id: z.string().min(1),
    access: z.enum(['read_write', 'read_only']).nullish(),
    instructions: z.string().max(4096).nullish(),
  }),
]);

const tokenSchema = z.object({ authorization_token: z.string().min(1).max(4096) });

interface ResourceParts {
  readonly files: Pick<Files, 'find'>;
  readonly memories: Pick<MemoryStores, 'demandUsable'>;
  readonly dialect: Dialect;
  readonly clock: Pick<EmulatorClock, 'now'>;
}

const most = { resources: 500, memoryStores: 8 };

/** Returns the resources of a new session. Tokens are not stored. Throws a 400 that names the field. */
export function toResources(given: readonly unknown[], parts: ResourceParts): ResourceRecord[] {
  const resources = given.map((value, at) =>
    toResource(readResourceParams(value, `resources.${at}`, parts.dialect), `resources.${at}.`, parts),
  );
  if (resources.filter(({ type }) => type === 'memory_store').length > most.memoryStores) {
    throw invalidRequest(`resources: At most ${most.memoryStores} memory stores are permitted`);
  }
  return resources;
}

/**
 * Mounts another resource: a file, or a repository if the service supports that for an existing session. Never a memory store (API facts,
 * section 7). Throws a 400 that names the field.
 */
export function addResource(
  record: SessionRecord,
  given: unknown,
  { addsRepositories, ...parts }: ResourceParts & { readonly addsRepositories: boolean },
): ResourceRecord {
  const params = readResourceParams(given, '', parts.dialect);
  if (params.type === 'memory_store' || (params.type !== 'file' && !addsRepositories)) {
    throw invalidRequest(`type: ${params.type} can be attached only when the session is created`);
  }
  const added = toResource(params, '', parts);
  if (record.resources.length >= most.resources) {
    throw invalidRequest(`resources: At most ${most.resources} are permitted`);
  }
  record.resources.push(added);
  return added;
}

/** Sets a new token of a repository. Throws a 400 if the token is missing or the resource is not a repository. */
export function rotateToken(resource: ResourceRecord, body: unknown, now: number): ResourceRecord {
  checkBody(tokenSchema, body);
  if (resource.url === undefined) {
    throw invalidRequest('only the token of a repository can be changed');
  }
  resource.updated_at = toTime(now);
  return resource;
}

/** Checks the params of a resource and returns them. Throws a 400 that names the field. */
export function readResourceParams(given: unknown, where: string, dialect: Dialect): z.infer<typeof resourceParamsSchema> {
  const params = checkBody(resourceParamsSchema, given, where);
  if ('url' in params && params.type !== dialect.repositoryType) {
    throw invalidRequest(`${where === '' ? '' : `${where}.`}type: must be ${dialect.repositoryType}`);
  }
  return params;
}

function toResource(
  params: z.infer<typeof resourceParamsSchema>,
  where: string,
  { files, memories, clock }: ResourceParts,
): ResourceRecord {
  const time = toTime(clock.now());
  const own = { id: `sesrsc_${randomId(24)}`, created_at: time, updated_at: time };
  switch (params.type) {
    case 'file':
      if (files.find(params.file_id) === undefined) {
        throw invalidRequest(`${where}file_id: file not found: ${params.file_id}`);
      }
      return { ...own, type: 'file', file_id: params.file_id, mount_path: params.mount_path ?? `/mnt/session/uploads/${params.file_id}` };
    case 'memory_store': {
      const { memory_store_id: id, access, instructions } = params;
      const { name, description } = memories.demandUsable(id, `${where}memory_store_id`);
      return {
        ...own,
        type: 'memory_store',
        memory_store_id: id,
        access: access ?? 'read_write',
        name,
        description,
        instructions: instructions ?? null,
        mount_path: `/mnt/memory/${id}`,
      };
    }
    default: {
      const { type, url, mount_path: path, checkout } = params;
      const name =
        withoutEnd(url, '/')
          .replace(/\.git$/, '')
          .split('/')
          .at(-1) ?? 'repository';
      return { ...own, type, url, mount_path: path ?? `/workspace/${name}`, ...(checkout ? { checkout } : {}) };
    }
  }
}
