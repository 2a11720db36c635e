import type { ServiceFile } from '../../../client/resources/files';
import type { Session, SessionResource } from '../../../client/resources/sessions';
import type { ServiceClient } from '../../../client/serviceClient';
import { listUpTo } from '../../../client/transport/pagination';
import { join } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { toByteSize, toLabel } from '../../../shared/text';
import { describeCheckout, nameOfRepository } from '../attaching/askRepository';

interface Belongings {
  readonly session: Session;
  readonly resources: readonly SessionResource[];
  /** Files that the session created, newest first. */
  readonly created: readonly ServiceFile[];
  readonly names: ReadonlyMap<string, string>;
}

/** Resource of a session, as the picker shows it. */
export interface Belonging {
  readonly kind: 'file' | 'repository' | 'memoryStore' | 'vault' | 'created' | 'other';
  /** ID of the resource itself, or URL of a repository. `undefined` if the service omits it. */
  readonly id: string | undefined;
  /** ID of the attachment to this session. `undefined` if the attachment can't be changed. */
  readonly resourceId: string | undefined;
  readonly label: string;
  readonly description: string;
  /** Path in the sandbox. Empty if the service does not report it. */
  readonly path: string;
  /** True if the content can be downloaded. */
  readonly isReadable: boolean;
}

/** Returns whether resources of a session can be added and removed. */
export function isChangeable({ archived_at: archivedAt, status }: Session): boolean {
  return !archivedAt && status !== 'terminated';
}

/** Returns the resources of a session in groups: files, repositories, memory stores, vaults, and files that it created. */
export function toBelongings({ session, resources, created, names }: Belongings, t: Translate, locale: string): readonly Belonging[] {
  const attached = resources.map(resource => toBelonging(resource, names, isChangeable(session), t));
  const plain = { resourceId: undefined, description: '', path: '', isReadable: false } as const;
  const vaults = (session.vault_ids ?? []).map(
    (id): Belonging => ({ ...plain, kind: 'vault', id, label: toLabel(names.get(id) ?? id, 80) }),
  );
  const files = created.map(
    ({ id, filename, size_bytes: bytes, downloadable }): Belonging => ({
      ...{ ...plain, kind: 'created', id, label: toLabel(filename || id, 80) },
      description: typeof bytes === 'number' ? toByteSize(bytes, locale) : '',
      isReadable: downloadable !== false,
    }),
  );
  const all = [...attached, ...vaults, ...files];
  return order.flatMap(kind => all.filter(one => one.kind === kind));
}

const order: readonly Belonging['kind'][] = ['file', 'repository', 'memoryStore', 'vault', 'other', 'created'];

function toBelonging(
  { type, id, file_id: file, url, memory_store_id: store, mount_path: path, checkout, access, name, instructions }: SessionResource,
  names: ReadonlyMap<string, string>,
  canChange: boolean,
  t: Translate,
): Belonging {
  const own = { resourceId: canChange ? (id ?? undefined) : undefined, path: path ?? '', isReadable: false };
  const mountPath = toLabel(path ?? '', 120);
  if (typeof url === 'string') {
    const description = join(' · ', describeCheckout(checkout, t), mountPath);
    return { ...own, kind: 'repository', id: url, label: nameOfRepository(url), description };
  }
  if (typeof store === 'string') {
    const may = access === 'read_only' ? t('read only') : access === 'read_write' ? t('read and write') : toLabel(access ?? '', 40);
    // A memory store can't be removed from a session, even if the service gives its attachment an ID.
    const description = join(' · ', may, mountPath, toLabel(instructions ?? '', 60));
    return { ...own, resourceId: undefined, kind: 'memoryStore', id: store, label: toLabel(name || store, 80), description };
  }
  if (typeof file === 'string') {
    return { ...own, kind: 'file', id: file, label: toLabel(names.get(file) ?? file, 80), description: mountPath };
  }
  const description = join(' · ', toLabel(type, 40), mountPath);
  return { ...own, kind: 'other', id: id ?? undefined, label: toLabel(name || id || type, 80), description };
}

/** Maximum number of files and vaults to search for names, and of files to list for one session. */
const maxFiles = 100;

/**
 * Reads the resources of a session. If the service can't list them, uses those in the session itself. If it can't list files, assumes that
 * the session created none. Files and vaults without a known name are shown by ID.
 */
export async function readBelongings(
  client: Pick<ServiceClient, 'sessions' | 'files'> & { readonly vaults: Pick<ServiceClient['vaults'], 'list'> },
  sessionId: string,
  signal: AbortSignal,
): Promise<Belongings> {
  const none = () => ({ items: [] as readonly ServiceFile[] });
  const [{ data: session }, resources, created, files, vaults] = await Promise.all([
    client.sessions.retrieve(sessionId, { signal }),
    listUpTo(page => client.sessions.listResources(sessionId, page), maxResources, { signal, keyOf: keyOfResource }).catch(() => undefined),
    client.sessions.listFiles(sessionId, { limit: maxFiles, signal }).catch(none),
    client.files.list({ limit: maxFiles, signal }).catch(none),
    client.vaults.list({ limit: maxFiles, includeArchived: true, signal }).catch(() => ({ items: [] })),
  ]);
  return {
    session,
    resources: resources?.items ?? session.resources ?? [],
    created: created.items.filter(({ scope }) => scope?.id === sessionId),
    names: new Map([
      ...files.items.flatMap(({ id, filename }) => (filename ? [[id, filename] as const] : [])),
      ...vaults.items.flatMap(({ id, display_name: name }) => (name ? [[id, name] as const] : [])),
    ]),
  };
}

/** Maximum number of resources of a session (API facts, section 7). */
const maxResources = 500;

/** Returns the key of a resource in a list, where memory stores have no ID of their own. */
function keyOfResource({ id, memory_store_id: store }: SessionResource): string | undefined {
  return id ?? store ?? undefined;
}
