import type { ServiceClientOptions } from '../../../src/client/clientOptions';
import type { ResourceGroup } from '../../../src/client/dialect';
import type { FileResourceParams, SessionParams } from '../../../src/client/resources/sessions';
import { createServiceClient, type ServiceClient } from '../../../src/client/serviceClient';
import type { Call } from '../../../src/client/transport/callHead';
import type { ListOptions, Page } from '../../../src/client/transport/callResult';
import { Transport } from '../../../src/client/transport/transport';
import type { StreamedBody } from '../../../src/contract/streamedBody';
import type { Capture } from './recorded';

/** Result of a replayed call: a page, or a text for a response of lines. */
interface Replayed {
  readonly value: unknown;
  readonly requestId: string | undefined;
  /** True if the client has its own method for this call. */
  readonly isOwn: boolean;
}

interface Asked {
  readonly client: ServiceClient;
  readonly ids: readonly string[];
  readonly body: () => Record<string, unknown>;
  readonly capture: Capture;
  readonly query: Query;
}

/** The recorded query. Our client doesn't send parameters that remain unread. */
class Query {
  private readonly unread: Set<string>;

  constructor(private readonly params: URLSearchParams) {
    this.unread = new Set([...params.keys()].filter(name => name !== 'beta'));
  }

  text(name: string): string | undefined {
    this.unread.delete(name);
    return this.params.get(name) || undefined;
  }

  texts(name: string): readonly string[] | undefined {
    this.unread.delete(name);
    return this.params.has(name) ? this.params.getAll(name) : undefined;
  }

  get list(): ListOptions {
    const page = this.text('page');
    const after = this.text('after_id');
    const limit = this.text('limit');
    return {
      limit: limit === undefined ? undefined : Number(limit),
      cursor: page === undefined ? (after === undefined ? undefined : `after_id=${after}`) : `page=${page}`,
    };
  }

  get isRead(): boolean {
    return this.unread.size === 0;
  }
}

type Method = (asked: Asked) => Promise<unknown>;

const one = '([^/:]+)';
const routes: readonly (readonly [method: string, path: string, call: Method])[] = [
  ['GET', '/models', ({ client, query }) => client.models.list(query.list)],
  ['POST', '/messages', ({ client, capture }) => client.messages.create(capture.requestBody)],
  ['GET', '/messages/batches', ({ client, query }) => client.batches.list(query.list)],
  ['POST', '/messages/batches', ({ client, capture }) => client.batches.create(streamed(capture.requestBody))],
  ['GET', `/messages/batches/${one}`, ({ client, ids: [id = ''] }) => client.batches.retrieve(id)],
  ['DELETE', `/messages/batches/${one}`, ({ client, ids: [id = ''] }) => client.batches.delete(id)],
  ['POST', `/messages/batches/${one}/cancel`, ({ client, ids: [id = ''] }) => client.batches.cancel(id)],
  ['GET', `/messages/batches/${one}/results`, ({ client, ids: [id = ''] }) => readText(client.batches.results(id))],

  ['POST', '/agents', ({ client, body }) => client.agents.create(body())],
  [
    'GET',
    '/agents',
    ({ client, query }) => client.agents.list({ ...query.list, includeArchived: query.text('include_archived') === 'true' || undefined }),
  ],
  [
    'GET',
    `/agents/${one}`,
    ({ client, ids: [id = ''], query }) => {
      const version = query.text('version');
      return client.agents.retrieve(id, { version: version === undefined ? undefined : Number(version) });
    },
  ],
  ['POST', `/agents/${one}`, ({ client, ids: [id = ''], body }) => client.agents.update(id, body())],
  ['POST', `/agents/${one}/archive`, ({ client, ids: [id = ''] }) => client.agents.archive(id)],
  ['GET', `/agents/${one}/versions`, ({ client, ids: [id = ''], query }) => client.agents.versions(id, query.list)],

  ['POST', '/environments', ({ client, body }) => client.environments.create(body())],
  ['GET', '/environments', ({ client, query }) => client.environments.list(query.list)],
  ['GET', `/environments/${one}`, ({ client, ids: [id = ''] }) => client.environments.retrieve(id)],
  ['POST', `/environments/${one}/archive`, ({ client, ids: [id = ''] }) => client.environments.archive(id)],
  ['DELETE', `/environments/${one}`, ({ client, ids: [id = ''] }) => client.environments.delete(id)],

  ['POST', '/deployments', ({ client, body }) => client.deployments.create(body())],
  ['GET', '/deployments', ({ client, query }) => client.deployments.list({ ...query.list, status: query.text('status') })],
  ['GET', `/deployments/${one}`, ({ client, ids: [id = ''] }) => client.deployments.retrieve(id)],
  ['POST', `/deployments/${one}`, ({ client, ids: [id = ''], body }) => client.deployments.update(id, body())],
  ['POST', `/deployments/${one}/archive`, ({ client, ids: [id = ''] }) => client.deployments.archive(id)],
  ['POST', `/deployments/${one}/pause`, ({ client, ids: [id = ''] }) => client.deployments.pause(id)],
  ['POST', `/deployments/${one}/unpause`, ({ client, ids: [id = ''] }) => client.deployments.unpause(id)],
  ['POST', `/deployments/${one}/run`, ({ client, ids: [id = ''] }) => client.deployments.run(id)],
  [
    'GET',
    '/deployment_runs',
    ({ client, query }) => client.deployments.runs.list({ ...query.list, deploymentId: query.text('deployment_id') }),
  ],
  ['GET', `/deployment_runs/${one}`, ({ client, ids: [id = ''] }) => client.deployments.runs.retrieve(id)],

  ['POST', '/files', ({ client, capture }) => client.files.upload({ name: 'a.txt', content: streamed(capture.requestBody) })],
  ['GET', '/files', ({ client, query }) => client.files.list(query.list)],
  ['DELETE', `/files/${one}`, ({ client, ids: [id = ''] }) => client.files.delete(id)],

  ['POST', '/vaults', ({ client, body }) => client.vaults.create(body())],
  ['GET', '/vaults', ({ client, query }) => client.vaults.list(query.list)],
  ['GET', `/vaults/${one}`, ({ client, ids: [id = ''] }) => client.vaults.retrieve(id)],
  ['POST', `/vaults/${one}`, ({ client, ids: [id = ''], body }) => client.vaults.update(id, body())],
  ['POST', `/vaults/${one}/archive`, ({ client, ids: [id = ''] }) => client.vaults.archive(id)],
  ['DELETE', `/vaults/${one}`, ({ client, ids: [id = ''] }) => client.vaults.delete(id)],
  ['POST', `/vaults/${one}/credentials`, ({ client, ids: [id = ''], body }) => client.vaults.credentials(id).create(body())],
  ['GET', `/vaults/${one}/credentials`, ({ client, ids: [id = ''], query }) => client.vaults.credentials(id).list(query.list)],
  ['GET', `/vaults/${one}/credentials/${one}`, ({ client, ids: [id = '', child = ''] }) => client.vaults.credentials(id).retrieve(child)],
  [
    'POST',
    `/vaults/${one}/credentials/${one}`,
    ({ client, ids: [id = '', child = ''], body }) => client.vaults.credentials(id).update(child, body()),
  ],
  [
    'POST',
    `/vaults/${one}/credentials/${one}/archive`,
    ({ client, ids: [id = '', child = ''] }) => client.vaults.credentials(id).archive(child),
  ],

  ['POST', '/webhooks', ({ client, body }) => client.webhooks.create(body()).then(withSecret)],
  ['GET', '/webhooks', ({ client, query }) => client.webhooks.list(query.list)],
  ['GET', `/webhooks/${one}`, ({ client, ids: [id = ''] }) => client.webhooks.retrieve(id)],
  ['POST', `/webhooks/${one}`, ({ client, ids: [id = ''], body }) => client.webhooks.update(id, body())],
  ['DELETE', `/webhooks/${one}`, ({ client, ids: [id = ''] }) => client.webhooks.delete(id)],
  [
    'POST',
    `/webhooks/${one}/regenerate_signing_secret`,
    ({ client, ids: [id = ''] }) =>
      client.webhooks.regenerateSecret(id).then(({ data, requestId }) => ({ data: { signing_secret: data }, requestId })),
  ],

  ['POST', '/memory_stores', ({ client, body }) => client.memoryStores.create(body())],
  ['GET', '/memory_stores', ({ client, query }) => client.memoryStores.list(query.list)],
  ['POST', `/memory_stores/${one}/archive`, ({ client, ids: [id = ''] }) => client.memoryStores.archive(id)],
  ['DELETE', `/memory_stores/${one}`, ({ client, ids: [id = ''] }) => client.memoryStores.delete(id)],
  [
    'POST',
    `/memory_stores/${one}/memories`,
    ({ client, ids: [id = ''], body }) => client.memoryStores.memories(id).create(body() as { path: string; content: string }),
  ],
  [
    'GET',
    `/memory_stores/${one}/memories`,
    ({ client, ids: [id = ''], query }) =>
      client.memoryStores.memories(id).list({
        ...query.list,
        pathPrefix: query.text('path_prefix'),
        depth: query.text('depth') === '1' ? 1 : undefined,
      }),
  ],
  [
    'GET',
    `/memory_stores/${one}/memories/${one}`,
    ({ client, ids: [id = '', memory = ''] }) => client.memoryStores.memories(id).retrieve(memory),
  ],
  [
    'POST',
    `/memory_stores/${one}/memories/${one}`,
    ({ client, ids: [id = '', memory = ''], body }) => client.memoryStores.memories(id).update(memory, body()),
  ],
  [
    'DELETE',
    `/memory_stores/${one}/memories/${one}`,
    ({ client, ids: [id = '', memory = ''] }) => client.memoryStores.memories(id).delete(memory),
  ],
  [
    'GET',
    `/memory_stores/${one}/memory_versions`,
    ({ client, ids: [id = ''], query }) => client.memoryStores.versions(id).list(query.list),
  ],
  [
    'GET',
    `/memory_stores/${one}/memory_versions/${one}`,
    ({ client, ids: [id = '', version = ''] }) => client.memoryStores.versions(id).retrieve(version),
  ],
  [
    'POST',
    `/memory_stores/${one}/memory_versions/${one}/redact`,
    ({ client, ids: [id = '', version = ''] }) => client.memoryStores.versions(id).redact(version),
  ],

  [
    'POST',
    '/skills',
    ({ client, capture }) => client.skills.create({ files: [{ path: 's/SKILL.md', content: streamed(capture.requestBody) }] }),
  ],
  ['GET', '/skills', ({ client, query }) => client.skills.list({ ...query.list, source: query.text('source') })],
  ['GET', `/skills/${one}`, ({ client, ids: [id = ''] }) => client.skills.retrieve(id)],
  ['DELETE', `/skills/${one}`, ({ client, ids: [id = ''] }) => client.skills.delete(id)],
  [
    'POST',
    `/skills/${one}/versions`,
    ({ client, ids: [id = ''], capture }) =>
      client.skills.versions(id).create([{ path: 's/SKILL.md', content: streamed(capture.requestBody) }]),
  ],
  ['GET', `/skills/${one}/versions`, ({ client, ids: [id = ''], query }) => client.skills.versions(id).list(query.list)],
  ['GET', `/skills/${one}/versions/${one}`, ({ client, ids: [id = '', version = ''] }) => client.skills.versions(id).retrieve(version)],

  ['POST', '/sessions', ({ client, body }) => client.sessions.create(body() as object as SessionParams)],
  [
    'GET',
    '/sessions',
    ({ client, query }) =>
      client.sessions.list({
        ...query.list,
        agentId: query.text('agent_id'),
        statuses: query.texts('statuses[]'),
        includeArchived: query.text('include_archived') === 'true' || undefined,
        order: query.text('order') as 'asc' | undefined,
      }),
  ],
  ['GET', `/sessions/${one}`, ({ client, ids: [id = ''] }) => client.sessions.retrieve(id)],
  ['POST', `/sessions/${one}`, ({ client, ids: [id = ''], body }) => client.sessions.update(id, body())],
  ['POST', `/sessions/${one}/archive`, ({ client, ids: [id = ''] }) => client.sessions.archive(id)],
  ['DELETE', `/sessions/${one}`, ({ client, ids: [id = ''] }) => client.sessions.delete(id)],
  [
    'POST',
    `/sessions/${one}/events`,
    async ({ client, ids: [id = ''], body }) => {
      const { events } = body();
      const { data: items, requestId } = await client.sessions.send(id, events as readonly object[]);
      return { items, requestId, nextCursor: undefined } satisfies Page<unknown>;
    },
  ],
  [
    'GET',
    `/sessions/${one}/events`,
    ({ client, ids: [id = ''], query }) =>
      client.sessions.events(id).list({ ...query.list, order: query.text('order') as 'asc' | undefined, types: query.texts('types[]') }),
  ],
  [
    'GET',
    `/sessions/${one}/events/stream`,
    ({ client, ids: [id = ''], query }) => client.sessions.events(id).stream({ previews: query.texts('event_deltas[]') }),
  ],
  ['GET', `/sessions/${one}/threads`, ({ client, ids: [id = ''], query }) => client.sessions.listThreads(id, query.list)],
  ['GET', `/sessions/${one}/threads/${one}`, ({ client, ids: [id = '', thread = ''] }) => client.sessions.retrieveThread(id, thread)],
  [
    'POST',
    `/sessions/${one}/threads/${one}/archive`,
    ({ client, ids: [id = '', thread = ''] }) => client.sessions.archiveThread(id, thread),
  ],
  [
    'GET',
    `/sessions/${one}/threads/${one}/events`,
    ({ client, ids: [id = '', thread = ''], query }) => client.sessions.threadEvents(id, thread).list(query.list),
  ],
  ['GET', `/sessions/${one}/resources`, ({ client, ids: [id = ''], query }) => client.sessions.listResources(id, query.list)],
  [
    'POST',
    `/sessions/${one}/resources`,
    ({ client, ids: [id = ''], body }) => client.sessions.addResource(id, body() as object as FileResourceParams),
  ],
  [
    'GET',
    `/sessions/${one}/resources/${one}`,
    ({ client, ids: [id = '', resource = ''] }) => client.sessions.retrieveResource(id, resource),
  ],
  [
    'POST',
    `/sessions/${one}/resources/${one}`,
    ({ client, ids: [id = '', resource = ''], body }) => client.sessions.rotateToken(id, resource, String(body().authorization_token)),
  ],
  [
    'DELETE',
    `/sessions/${one}/resources/${one}`,
    ({ client, ids: [id = '', resource = ''] }) => client.sessions.removeResource(id, resource),
  ],
];

/** Returns a webhook endpoint in the format of the response to its creation. */
function withSecret({ data: { webhook, secret }, requestId }: Awaited<ReturnType<ServiceClient['webhooks']['create']>>) {
  return { data: { ...webhook, signing_secret: secret }, requestId };
}

/** Makes the recorded call with a method of the client, or with the client's transport if there is no such method. */
export async function replay(options: ServiceClientOptions, capture: Capture): Promise<Replayed> {
  const client = createServiceClient(options);
  const transport = new Transport(options);
  const path = capture.url.pathname.slice('/v1'.length);
  try {
    for (const [method, pattern, call] of routes) {
      const match = method === capture.method ? new RegExp(`^${pattern}$`).exec(path) : null;
      const query = new Query(capture.url.searchParams);
      if (match !== null) {
        const ids = match.slice(1);
        const body = () => {
          const value: unknown = JSON.parse(capture.requestBody);
          if (typeof value !== 'object' || value === null || (path.endsWith('/events') && !('events' in value))) {
            throw new Unaskable();
          }
          return value as Record<string, unknown>;
        };
        const answer = await askOwn(call, { client, ids, body, capture, query });
        if (answer !== undefined && query.isRead) {
          const { requestId } = answer as { readonly requestId: string | undefined };
          return { value: 'data' in (answer as object) ? (answer as { readonly data: unknown }).data : answer, requestId, isOwn: true };
        }
        break;
      }
    }
    const group = (path.split('/')[1]?.split(':')[0] ?? 'agents') as ResourceGroup;
    const call: Call = {
      method: capture.method === 'GET' ? 'GET' : 'POST',
      group,
      path,
      query: [...capture.url.searchParams].filter(([name]) => name !== 'beta'),
      body: capture.requestBody === '' ? undefined : Buffer.from(capture.requestBody),
    };
    const { data: value, requestId } = await transport.json(call, decoded => decoded);
    return { value, requestId, isOwn: false };
  } finally {
    await client.close();
    await transport.close();
  }
}

/** Returns the result of the method, or `undefined` if the method would make another call than the recorded one. */
async function askOwn(call: Method, asked: Asked): Promise<unknown> {
  try {
    return await call(asked);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof Unaskable || !asked.query.isRead) {
      return undefined;
    }
    throw error;
  }
}

/** Thrown for a recorded call that no method of the client makes. */
class Unaskable extends Error {}

function streamed(text: string): StreamedBody {
  const bytes = Buffer.from(text);
  return {
    byteLength: bytes.length,
    async *open() {
      yield bytes;
    },
  };
}

async function readText(results: ReturnType<ServiceClient['batches']['results']>) {
  const { body, requestId } = await results;
  const parts: Uint8Array[] = [];
  for await (const part of body) {
    parts.push(part);
  }
  return { data: Buffer.concat(parts).toString(), requestId };
}
