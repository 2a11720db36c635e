import path from 'node:path';
import * as vscode from 'vscode';
import type { Actor, Memory, MemoryVersion } from '../../../client/resources/memoryStores';
import type { ServiceClient } from '../../../client/serviceClient';
import { askChoice, type Choice } from '../../../common/asking/askSteps';
import { confirmModal } from '../../../common/asking/confirmChange';
import { NothingToDoError } from '../../../common/asking/nothingToDo';
import { pickListed } from '../../../common/asking/pickListed';
import { runCommand } from '../../../common/commands';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import { PagedList } from '../../../common/lists/pagedList';
import { describeSince, type PresentationContext, shortId } from '../../../common/text/presentation';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { join, toLabel } from '../../../shared/text';
import type { Reached } from '../../connection';
import { showDiff } from '../documents/publishSteps';
import { sizeWords, wordOf } from '../kinds/defineKind';
import { memoryStores } from '../kinds/memoryStores';
import { isConflict, toConflict, undefinedIfGone } from '../lists/resourceErrors';
import type { ResourceFlow } from '../resourceFlow';
import { isReference } from '../resourceKind';
import { ifUnchanged } from './memoryAccess';
import { type MemoryLocation, toMemoryUri } from './memoryLocation';
import { type MemoryTarget, memoryOf, storeOf } from './openMemory';

/** Version that the user chose. */
interface Chosen {
  readonly flow: ResourceFlow;
  readonly reached: Reached;
  readonly scope: VersionScope;
  readonly version: MemoryVersion;
  /** Current state of the memory. `undefined` if it was deleted. */
  readonly memory: Memory | undefined;
}

/**
 * Shows the versions of a memory, or of all memories that a store has or had, with their authors. The user can open, compare, restore or
 * redact each version.
 */
export async function showVersions(flow: ResourceFlow, target: MemoryTarget): Promise<void> {
  const { scope, reached } = await scopeOf(flow, target);
  const version = await pickVersion(flow, reached.client, scope, vscode.l10n.t('Select a version'));
  const memory = await memoryNow(reached, scope, version);
  const choices = actsOf({ flow, reached, scope, version, memory });
  if (choices.length === 0) {
    throw new NothingToDoError(vscode.l10n.t('The service no longer has this version.'));
  }
  const { label } = presentVersion(version, undefined, true, flow.presentation());
  const placeholder = vscode.l10n.t('Select an action for {0}', scope.title);
  const act = await askChoice({ title: withoutIcons(label), placeholder, choices });
  await act();
}

/** Returns the acts that a version supports. */
export function actsOf(chosen: Chosen): readonly Choice<() => Promise<void>>[] {
  const { t } = vscode.l10n;
  const { memory, version } = chosen;
  const isCurrent = version.id === memory?.memory_version_id;
  const isRedacted = typeof version.redacted_at === 'string';
  const hasContent = !isRedacted && version.operation !== 'deleted';
  const hasSession = !!version.created_by?.session_id;
  const act = (isOffered: boolean, label: string, run: (chosen: Chosen) => Promise<void>, detail?: string) =>
    isOffered ? [{ label, value: () => run(chosen), ...(detail !== undefined && { detail }) }] : [];
  return [
    ...act(hasContent, `$(go-to-file) ${t('Open')}`, open, t('Opens the text')),
    ...act(hasContent && memory !== undefined && !isCurrent, `$(diff) ${t('Compare with Now')}`, compareCurrent),
    ...act(hasContent, `$(diff) ${t('Compare with Another Version...')}`, compareOther),
    ...act(hasSession, `$(comment-discussion) ${t('Open Session')}`, openSession, t('Session that wrote this version')),
    ...act(hasContent && !isCurrent, `$(history) ${t('Restore...')}`, restore, t('Saves it as a new version')),
    ...act(!isRedacted && !isCurrent, `$(eye-closed) ${t('Redact...')}`, redact, t('Deletes it permanently')),
  ];
}

async function scopeOf(flow: ResourceFlow, target: MemoryTarget): Promise<{ readonly scope: VersionScope; readonly reached: Reached }> {
  if (isReference(target) && target.kind === memoryStores.kind) {
    const { connection, storeId, label } = await storeOf(flow, target);
    return { scope: { connection, storeId, title: label }, reached: await flow.service.reach(connection, 'read') };
  }
  const { location, memory, reached } = await memoryOf(flow, target, 'read');
  const { connection, storeId } = location;
  return { scope: { connection, storeId, memory, title: toLabel(location.path, 80) }, reached };
}

async function memoryNow({ client }: Reached, { storeId }: VersionScope, version: MemoryVersion): Promise<Memory | undefined> {
  if (!version.memory_id) {
    return undefined;
  }
  const { retrieve } = client.memoryStores.memories(storeId);
  return (await retrieve(version.memory_id, { view: 'basic' }).catch(undefinedIfGone))?.data;
}

async function open(chosen: Chosen): Promise<void> {
  const uri = await documentOf(chosen, chosen.version);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
}

async function compareCurrent(chosen: Chosen): Promise<void> {
  const right = toMemoryUri(locationOf(chosen));
  const left = await documentOf(chosen, chosen.version);
  const title = vscode.l10n.t('{0}: older ↔ newer', nameOf(chosen.version));
  await chosen.flow.memories.asked.during(right, () => showDiff(left, right, title));
}

async function compareOther(chosen: Chosen): Promise<void> {
  const { flow, reached, scope, version } = chosen;
  const other = await pickVersion(flow, reached.client, scope, vscode.l10n.t('Select a version'), version.id);
  const [older, newer] = (version.created_at ?? '') <= (other.created_at ?? '') ? [version, other] : [other, version];
  const title = vscode.l10n.t('{0}: older ↔ newer', nameOf(version));
  await showDiff(await documentOf(chosen, older), await documentOf(chosen, newer), title);
}

async function openSession({ scope, version }: Chosen): Promise<void> {
  await runCommand('managedAgents.session.open', { connection: scope.connection, sessionId: version.created_by?.session_id ?? '' });
}

async function restore(chosen: Chosen): Promise<void> {
  const { flow, scope, version, memory } = chosen;
  const { connection, storeId } = scope;
  const { client } = await flow.service.reach(connection, 'change');
  const location = memory === undefined ? { connection, storeId, path: version.path ?? '' } : locationOf(chosen);
  const uri = toMemoryUri(location);
  if (openDocumentOf(uri)?.isDirty === true) {
    throw new Error(vscode.l10n.t('Save {0} first.', toLabel(location.path, 120)));
  }
  const button = vscode.l10n.t('Restore');
  const name = toLabel(location.path, 120);
  const detail =
    memory === undefined
      ? vscode.l10n.t('The memory was deleted and will be created again.')
      : vscode.l10n.t('The current text is kept as an older version.');
  await confirmModal(vscode.l10n.t('Restore this version of {0}?', name), detail, button);
  const content = await contentOf(chosen, version);
  const calls = client.memoryStores.memories(storeId);
  try {
    if (memory === undefined) {
      await calls.create({ path: location.path, content });
    } else {
      await calls.update(memory.id, { content, ...ifUnchanged(memory.content_sha256) });
    }
  } catch (error) {
    throw memory === undefined && isConflict(error)
      ? new Error(vscode.l10n.t('{0} already exists.', name), { cause: error })
      : toConflict(error, name, vscode.l10n.t);
  }
  await flow.memories.touch(scope);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Restored {0}', withoutIcons(name)), 5000);
}

async function redact({ flow, scope, version }: Chosen): Promise<void> {
  const { client } = await flow.service.reach(scope.connection, 'change');
  const button = vscode.l10n.t('Redact Version');
  const detail = vscode.l10n.t("The service deletes the text of this version for everyone. This can't be undone.");
  await confirmModal(vscode.l10n.t('Redact this version of {0}?', nameOf(version)), detail, button);
  await client.memoryStores.versions(scope.storeId).redact(version.id);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Version redacted'), 5000);
}

async function documentOf(chosen: Chosen, version: MemoryVersion): Promise<vscode.Uri> {
  const { name, ext } = path.posix.parse(version.path ?? version.id);
  const time = (version.created_at ?? '').replace(/\.\d+Z?$|Z$/, '').replaceAll(':', '.');
  return chosen.flow.files.snapshot(`${toLabel(name, 80)} (${time})${ext}`, await contentOf(chosen, version));
}

async function contentOf({ reached, scope }: Chosen, version: MemoryVersion): Promise<string> {
  const { data } = await reached.client.memoryStores.versions(scope.storeId).retrieve(version.id, { view: 'full' });
  if (typeof data.content !== 'string') {
    throw new Error(vscode.l10n.t('The service no longer has this version.'));
  }
  return data.content;
}

function locationOf({ scope, memory }: Chosen): MemoryLocation {
  return { connection: scope.connection, storeId: scope.storeId, path: memory?.path ?? '' };
}

function nameOf({ path: at, id }: MemoryVersion): string {
  return toLabel(at ?? id, 80);
}

const pageSize = 50;

/** Memory whose versions are shown, or the whole store, with deleted memories. */
interface VersionScope {
  readonly connection: string;
  readonly storeId: string;
  readonly memory?: Memory;
  readonly title: string;
}

/** Asks the user to choose a version other than `except`. Loads further pages on request. Throws a `CancelledError` if the user cancels. */
function pickVersion(
  flow: ResourceFlow,
  client: ServiceClient,
  { storeId, memory, title }: VersionScope,
  placeholder: string,
  except?: string,
): Promise<MemoryVersion> {
  const list = new PagedList<MemoryVersion>();
  list.reset(storeId);
  const choiceOf = (version: MemoryVersion) => {
    const { icon, ...row } = presentVersion(version, memory?.memory_version_id ?? undefined, memory === undefined, flow.presentation());
    const label = `$(${icon}) ${withoutIcons(row.label)}`;
    return { label, description: withoutIcons(row.description), detail: withoutIcons(row.detail), value: version };
  };
  return pickListed<MemoryVersion>({
    title: vscode.l10n.t('Versions of {0}', title),
    placeholder,
    none: () => (except === undefined ? vscode.l10n.t('None') : vscode.l10n.t('No other versions')),
    list,
    choices: () => list.items.filter(({ id }) => id !== except).map(choiceOf),
    read: () =>
      list.readOn(cursor =>
        client.memoryStores.versions(storeId).list({
          limit: pageSize,
          ...(cursor !== undefined && { cursor }),
          ...(memory && { memoryId: memory.id }),
        }),
      ),
  });
}

/**
 * Describes a version: the change, its time, its author, its size, and whether it was redacted. `current` is the ID of the memory's current
 * version. `withPath` is true if the list contains versions of several memories.
 */
export function presentVersion(version: MemoryVersion, current: string | undefined, withPath: boolean, context: PresentationContext) {
  const { translate } = context;
  const path = toLabel(version.path ?? '', 80);
  const done = operationOf(version, context);
  const size = sizeWords(version.content_size_bytes, context);
  const isRedacted = typeof version.redacted_at === 'string';
  return {
    icon: isRedacted ? 'eye-closed' : version.operation === 'deleted' ? 'trash' : version.operation === 'created' ? 'add' : 'edit',
    label: withPath && path !== '' ? translate('{0}: {1}', path, done) : done,
    description: join(' · ', version.id === current ? translate('current') : '', describeSince(version.created_at, context), size),
    detail: join(
      ' · ',
      translate('by {0}', describeActor(version.created_by, context)),
      withPath ? '' : path,
      isRedacted
        ? translate('redacted {0} by {1}', describeSince(version.redacted_at, context), describeActor(version.redacted_by, context))
        : '',
    ),
  };
}

function describeActor(actor: Actor | null | undefined, { translate }: PresentationContext): string {
  if (actor?.session_id) {
    return translate('session {0}', shortId(actor.session_id));
  }
  if (actor?.api_key_id) {
    return translate('API key {0}', shortId(actor.api_key_id));
  }
  if (actor?.user_id) {
    return translate('user {0}', shortId(actor.user_id));
  }
  return actor?.type ? toLabel(actor.type, 40) : translate('unknown');
}

function operationOf({ operation }: MemoryVersion, { translate }: PresentationContext): string {
  const words = { created: translate('Created'), modified: translate('Changed'), deleted: translate('Deleted') };
  return wordOf(words, operation) || translate('Written');
}
