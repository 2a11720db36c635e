import * as vscode from 'vscode';
import { dialects } from '../../../client/dialect';
import type { ServiceFile } from '../../../client/resources/files';
import type { Session, SessionResource } from '../../../client/resources/sessions';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { listUpTo } from '../../../client/transport/pagination';
import { askChoice, type Choice, separator } from '../../../common/asking/askSteps';
import { confirmModal } from '../../../common/asking/confirmChange';
import { showFailure, showWarning } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { CancelledError, isCancellation } from '../../../common/cancellation';
import { runCommand } from '../../../common/commands';
import { copyText } from '../../../common/copyIds';
import type { LocalFile } from '../../../common/files/localFile';
import { describeError } from '../../../common/text/describeError';
import type { Translate } from '../../../common/text/translate';
import { withoutIcons } from '../../../common/text/withoutIcons';
import type { SessionReference } from '../../../contributions';
import { join, toByteSize, toLabel } from '../../../shared/text';
import { reach } from '../../connection';
import { isRefusedForGood } from '../isRefusedForGood';
import { describeSession, type SessionActionContext } from '../sessionActionContext';
import { askRepository, askToken, describeCheckout, nameOfRepository, type Repository, toRepositoryParams } from './askRepository';
import { askFolder, confirmUpload, pickFiles, uploadAll } from './sessionFiles';

/** Action on the resources of a session. Returns whether to show the list again. */
type Act = () => Promise<boolean>;

/**
 * Shows the resources of a session in a picker that reopens after each action. The user can add, change, remove, open and download them. It
 * uses pickers instead of a webview, because neither local file paths nor secrets may pass through a webview.
 */
export async function manageResources(deps: SessionActionContext, target: SessionReference): Promise<void> {
  const { t } = vscode.l10n;
  const title = t('Resources of "{0}"', describeSession(deps, target));
  const failed: FailedAddition = { files: [], uploaded: new Map(), repository: undefined };
  for (;;) {
    const { client } = await reach(deps.connections, target.connection, 'read');
    const belongings = await withProgress(t('Reading the session'), deps.lifetime, signal =>
      readBelongings(client, target.sessionId, signal),
    );
    const { problem } = belongings;
    const canChange = isChangeable(belongings.session);
    const adding: readonly Choice<Act>[] = [
      { label: `$(file-add) ${t('Add Files...')}`, alwaysShow: true, value: () => addFiles(deps, target, title, failed) },
      { label: `$(repo) ${t('Add Repository...')}`, alwaysShow: true, value: () => addRepository(deps, target, title, failed) },
    ];
    const rows = rowsOf(deps, target, toBelongings(belongings, t, vscode.env.language));
    const act = await askChoice<Act>({
      title: problem === undefined ? title : t('{0}: incomplete', title),
      placeholder: problem !== undefined ? toLabel(describeError(problem), 200) : canChange ? t('Resources') : t('The session has ended.'),
      choices: [...(canChange ? adding : []), ...(rows.length > 0 || problem !== undefined ? rows : [separator(t('None'))])],
    });
    try {
      if (!(await act())) {
        return;
      }
    } catch (error) {
      if (!isCancellation(error)) {
        deps.log.error('The resources of a session could not be changed', error);
        void showFailure(describeError(error));
      }
    }
    deps.panels.refresh(target);
  }
}

function rowsOf(deps: SessionActionContext, target: SessionReference, all: readonly Belonging[]): readonly Choice<Act>[] {
  const { t } = vscode.l10n;
  const titles: Readonly<Record<Belonging['kind'], string>> = {
    file: t('Files'),
    repository: t('Repositories'),
    memoryStore: t('Memory Stores'),
    vault: t('Vaults'),
    other: t('Others'),
    created: t('Created by Sessions'),
  };
  return all.flatMap((belonging, at): readonly Choice<Act>[] => [
    ...(all[at - 1]?.kind === belonging.kind ? [] : [separator(titles[belonging.kind])]),
    {
      label: `$(${icons[belonging.kind]}) ${withoutIcons(belonging.label)}`,
      description: withoutIcons(belonging.description),
      value: () => actOn(deps, target, belonging),
    },
  ]);
}

/** Asks for an action on a resource, and runs it. */
async function actOn(
  deps: SessionActionContext,
  { connection, sessionId }: SessionReference,
  { kind, id = '', resourceId = '', path, label, description, isReadable }: Belonging,
): Promise<boolean> {
  const { t } = vscode.l10n;
  const file = { connection, kind: 'file', id };
  const open = (command: 'managedAgents.open' | 'managedAgents.serviceFile.download') => async () => {
    await runCommand(command, file);
    return false;
  };
  const copy = (text: string) => async () => {
    await copyText(text);
    return false;
  };
  const rotate = async () => {
    const { client } = await reach(deps.connections, connection, 'change');
    // The new token is only sent to the service.
    const token = await askToken(t('New Token for {0}', label));
    await client.sessions.rotateToken(sessionId, resourceId, token, { signal: deps.lifetime });
    return done(t('Token for {0} changed', label));
  };
  const remove = async () => {
    const { client } = await reach(deps.connections, connection, 'change');
    const question = t('Remove {0} from "{1}"?', label, describeSession(deps, { connection, sessionId }));
    await confirmModal(question, t('The agent can no longer use it.'), t('Remove'));
    await client.sessions.removeResource(sessionId, resourceId, { signal: deps.lifetime });
    return done(t('Removed {0}', label));
  };
  const acts: readonly (readonly [has: boolean, label: string, act: Act])[] = [
    [isReadable, `$(go-to-file) ${t('Open')}`, open('managedAgents.open')],
    [isReadable, `$(cloud-download) ${t('Download...')}`, open('managedAgents.serviceFile.download')],
    [kind === 'repository' && resourceId !== '', `$(key) ${t('Rotate Token...')}`, rotate],
    [id !== '', `$(copy) ${kind === 'repository' ? t('Copy Address') : t('Copy ID')}`, copy(id)],
    [path !== '', `$(copy) ${t('Copy Session Path')}`, copy(path)],
    [resourceId !== '', `$(trash) ${t('Remove from Session...')}`, remove],
  ];
  const act = await askChoice<Act>({
    title: join(' · ', label, description),
    placeholder: t('Select an action for {0}', label),
    choices: acts.flatMap(([has, name, value]) => (has ? [{ label: name, value }] : [])),
  });
  return await act();
}

/** Reports a change, after which the list is shown again. */
function done(message: string): true {
  vscode.window.setStatusBarMessage(message, 5000);
  return true;
}

const icons: Readonly<Record<Belonging['kind'], string>> = {
  file: 'file',
  repository: 'repo',
  memoryStore: 'database',
  vault: 'lock',
  other: 'package',
  created: 'output',
};

/** Input of a failed addition. Prefills the next attempt while the list of resources is open. */
interface FailedAddition {
  files: readonly LocalFile[];
  readonly uploaded: Map<string, string>;
  repository: Repository | undefined;
}

async function addFiles(deps: SessionActionContext, target: SessionReference, title: string, failed: FailedAddition): Promise<true> {
  const { t } = vscode.l10n;
  const { connection, client } = await reach(deps.connections, target.connection, 'change');
  const files = await pickFiles(title, failed.files);
  if (files.length === 0) {
    throw new CancelledError();
  }
  const folder = await askFolder(title, '');
  await confirmUpload(connection, files, failed.uploaded);
  failed.files = files;
  let added = 0;
  try {
    await withProgress(t('Adding files to the session'), deps.lifetime, async (signal, report) => {
      const uploaded = await uploadAll(client, { files, folder }, { signal, report, uploaded: failed.uploaded });
      if (uploaded === undefined) {
        throw new Error(t("This service doesn't support files."));
      }
      for (const resource of uploaded) {
        await client.sessions.addResource(target.sessionId, resource, { signal });
        added++;
      }
    });
  } catch (error) {
    if (added === 0) {
      throw error;
    }
    failed.files = files.slice(added);
    void showWarning(t('{0} of {1} files were added. {2}', added, files.length, describeError(error)));
    return true;
  }
  failed.files = [];
  return done(t('Files added: {0}', files.length));
}

async function addRepository(deps: SessionActionContext, target: SessionReference, title: string, failed: FailedAddition): Promise<true> {
  const { t } = vscode.l10n;
  const { connection, client } = await reach(deps.connections, target.connection, 'change');
  const repository = await askRepository(title, failed.repository);
  failed.repository = repository;
  const params = toRepositoryParams(repository, dialects[connection.dialect].repositoryType);
  try {
    await withProgress(t('Adding a repository to the session'), deps.lifetime, signal =>
      client.sessions.addResource(target.sessionId, params, { signal }),
    );
  } catch (error) {
    if (error instanceof ServiceError && error.status === 400) {
      const words = t("Couldn't add the repository. {0}", describeError(error));
      throw new Error(words, { cause: error });
    }
    throw error;
  }
  failed.repository = undefined;
  return done(t('Added {0}', nameOfRepository(repository.url)));
}

interface Belongings {
  readonly session: Session;
  readonly resources: readonly SessionResource[];
  /** Files that the session created, newest first. */
  readonly created: readonly ServiceFile[];
  readonly names: ReadonlyMap<string, string>;
  /** Error of the list of resources or of created files. `undefined` if both were read, or if the service doesn't have them. */
  readonly problem: unknown;
}

/** Resource of a session, as the picker shows it. */
interface Belonging {
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
function isChangeable({ archived_at: archivedAt, status }: Session): boolean {
  return !archivedAt && status !== 'terminated';
}

/** Returns the resources of a session in groups: files, repositories, memory stores, vaults, and files that the session created. */
export function toBelongings(
  { session, resources, created, names }: Omit<Belongings, 'problem'>,
  t: Translate,
  locale: string,
): readonly Belonging[] {
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
 * Reads the resources of a session. If the service can't list them, uses the resources in the session itself. If the service has no list of
 * files, assumes that the session created none. Files and vaults without a known name are shown by ID.
 */
export async function readBelongings(
  client: Pick<ServiceClient, 'sessions' | 'files'> & { readonly vaults: Pick<ServiceClient['vaults'], 'list'> },
  sessionId: string,
  signal: AbortSignal,
): Promise<Belongings> {
  const page = { limit: maxFiles, signal };
  const [{ data: session }, ...lists] = await Promise.all([
    client.sessions.retrieve(sessionId, { signal }),
    settled(listUpTo(options => client.sessions.listResources(sessionId, options), maxResources, { signal, keyOf: keyOfResource })),
    settled(client.sessions.listFiles(sessionId, page)),
    settled(client.files.list(page)),
    settled(client.vaults.list({ ...page, includeArchived: true })),
  ]);
  signal.throwIfAborted();
  const [resources, created, files, vaults] = lists;
  return {
    session,
    resources: resources.items ?? session.resources ?? [],
    created: (created.items ?? []).filter(({ scope }) => scope?.id === sessionId),
    names: new Map([
      ...(files.items ?? []).flatMap(({ id, filename }) => (filename ? [[id, filename] as const] : [])),
      ...(vaults.items ?? []).flatMap(({ id, display_name: name }) => (name ? [[id, name] as const] : [])),
    ]),
    // The other lists only give names, so their errors don't make the list incomplete.
    problem: resources.problem ?? created.problem,
  };
}

/**
 * Waits for a list. `problem` is the error of the list, unless the error means that the service doesn't have the list. A list that the key
 * may not read is a problem.
 */
async function settled<T>(
  list: Promise<{ readonly items: readonly T[] }>,
): Promise<{ readonly items?: readonly T[]; readonly problem?: unknown }> {
  try {
    return { items: (await list).items };
  } catch (error) {
    const isForbidden = error instanceof ServiceError && error.kind === 'permission';
    return isRefusedForGood(error) && !isForbidden ? {} : { problem: error };
  }
}

/** Maximum number of resources of a session (API facts, section 7). */
const maxResources = 500;

/** Returns the key of a resource in a list, in which memory stores have no separate ID. */
function keyOfResource({ id, memory_store_id: store }: SessionResource): string | undefined {
  return id ?? store ?? undefined;
}
