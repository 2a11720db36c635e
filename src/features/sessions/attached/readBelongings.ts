import type { ServiceFile } from '../../../client/schemas/files';
import type { SessionResource } from '../../../client/schemas/sessions';
import type { ServiceClient } from '../../../client/serviceClient';
import { listAll } from '../../../client/transport/pagination';
import type { Belongings } from './attachedPresentation';

/** Files of the service that are looked through for names, and files that are listed of one session. */
const mostFiles = 100;

/**
 * Reads what belongs to a session. A service that lists no resources tells of them in the session; one that has no files made none, and
 * then files go by their ids.
 */
export async function readBelongings(
  client: Pick<ServiceClient, 'sessions' | 'files'>,
  sessionId: string,
  signal: AbortSignal,
): Promise<Belongings> {
  const none = () => ({ items: [] as readonly ServiceFile[] });
  const [{ data: session }, resources, made, files] = await Promise.all([
    client.sessions.retrieve(sessionId, { signal }),
    readResources(client, sessionId, signal),
    client.sessions.listFiles(sessionId, { limit: mostFiles, signal }).catch(none),
    client.files.list({ limit: mostFiles, signal }).catch(none),
  ]);
  return {
    session,
    resources: resources ?? session.resources ?? [],
    made: made.items.filter(({ scope }) => scope?.id === sessionId),
    names: new Map(files.items.flatMap(({ id, filename }) => (filename ? [[id, filename] as const] : []))),
  };
}

async function readResources(
  { sessions }: Pick<ServiceClient, 'sessions'>,
  sessionId: string,
  signal: AbortSignal,
): Promise<readonly SessionResource[] | undefined> {
  const resources: SessionResource[] = [];
  try {
    // A memory store has no id of its own there.
    const keyOf = ({ id, memory_store_id: store }: SessionResource) => id ?? store ?? undefined;
    for await (const resource of listAll(page => sessions.listResources(sessionId, page), { signal, keyOf })) {
      resources.push(resource);
    }
    return resources;
  } catch {
    return undefined;
  }
}
