import type { ServiceFile } from '../../../client/schemas/files';
import type { SessionResource } from '../../../client/schemas/sessions';
import type { ServiceClient } from '../../../client/serviceClient';
import { listAll } from '../../../client/transport/pagination';
import type { Belongings } from './attachedPresentation';

/** Maximum number of files and vaults that are searched for names, and of files that are listed for one session. */
const maxFiles = 100;

/**
 * Reads the resources of a session. If the service can't list them, uses those in the session itself. If it has no files, the session
 * created none. Files and vaults without a known name are shown by ID.
 */
export async function readBelongings(
  client: Pick<ServiceClient, 'sessions' | 'files'> & { readonly vaults: Pick<ServiceClient['vaults'], 'list'> },
  sessionId: string,
  signal: AbortSignal,
): Promise<Belongings> {
  const none = () => ({ items: [] as readonly ServiceFile[] });
  const [{ data: session }, resources, made, files, vaults] = await Promise.all([
    client.sessions.retrieve(sessionId, { signal }),
    readResources(client, sessionId, signal),
    client.sessions.listFiles(sessionId, { limit: maxFiles, signal }).catch(none),
    client.files.list({ limit: maxFiles, signal }).catch(none),
    client.vaults.list({ limit: maxFiles, includeArchived: true, signal }).catch(() => ({ items: [] })),
  ]);
  return {
    session,
    resources: resources ?? session.resources ?? [],
    created: made.items.filter(({ scope }) => scope?.id === sessionId),
    names: new Map([
      ...files.items.flatMap(({ id, filename }) => (filename ? [[id, filename] as const] : [])),
      ...vaults.items.flatMap(({ id, display_name: name }) => (name ? [[id, name] as const] : [])),
    ]),
  };
}

async function readResources(
  { sessions }: Pick<ServiceClient, 'sessions'>,
  sessionId: string,
  signal: AbortSignal,
): Promise<readonly SessionResource[] | undefined> {
  const resources: SessionResource[] = [];
  try {
    // Memory stores have no ID in this list.
    const keyOf = ({ id, memory_store_id: store }: SessionResource) => id ?? store ?? undefined;
    for await (const resource of listAll(page => sessions.listResources(sessionId, page), { signal, keyOf })) {
      resources.push(resource);
    }
    return resources;
  } catch {
    return undefined;
  }
}
