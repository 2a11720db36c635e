import * as vscode from 'vscode';
import { collections, type ResourceGroup } from '../../client/dialect';
import { askChoice } from '../../common/asking/askSteps';
import { pickListed, toChoice } from '../../common/asking/pickListed';
import { warnOfIgnored } from '../../common/asking/warnOfIgnored';
import { CancelledError } from '../../common/cancellation';
import type { PresentationContext } from '../../common/text/presentation';
import type { Reference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { type Connection, connectionToCreate, type Reached, readyConnection, refuseUntrusted } from '../connection';
import type { Drafts } from './definitions/drafts';
import type { ResourceFiles } from './documents/resourceFiles';
import { parseResourceUri, type ResourceLocation } from './documents/resourceUri';
import { everyKind, waysTo } from './kinds';
import { describeGone, isGone } from './lists/resourceErrors';
import type { ResourceList, ResourceStore } from './lists/resourceList';
import type { MemoryFiles } from './memories/memoryFiles';
import { isReference, plainReference, type Resource, type ResourceKind } from './resourceKind';
import type { Service } from './service';

/** Dependencies that all resource commands share. */
export interface ResourceFlow {
  readonly service: Service;
  readonly store: ResourceStore;
  readonly drafts: Drafts;
  readonly files: ResourceFiles;
  readonly memories: MemoryFiles;
  readonly presentation: () => PresentationContext;
  dispose(): void;
}

/** Returns the kind with a name. Throws if there is no such kind. */
export function kindNamed(name: string): ResourceKind {
  const kind = everyKind.find(one => one.kind === name);
  if (kind === undefined) {
    throw new Error(vscode.l10n.t('{0} not found', name));
  }
  return kind;
}

/** Returns the document that an argument refers to. `undefined` unless the argument is a document's URI or a reference. */
export function toLocation(target: unknown): ResourceLocation | undefined {
  if (target instanceof vscode.Uri) {
    return parseResourceUri(target);
  }
  return isReference(target) ? { view: 'edit', reference: plainReference(target) } : undefined;
}

/**
 * Returns the resource that a command applies to. This is the given row or document, or the active document if there is no argument.
 * Otherwise the user chooses a resource that supports `ability`. A string argument is the name of the kind to choose from.
 */
export async function referenceOf(
  flow: ResourceFlow,
  target: unknown,
  fitting: readonly ResourceKind[],
  ability = 'resource',
): Promise<Reference> {
  const location = toLocation(target === undefined ? vscode.window.activeTextEditor?.document.uri : target);
  const kindName = location?.view === 'new' ? location.kind : location?.reference.kind;
  if (location !== undefined && (target !== undefined || fitting.some(({ kind }) => kind === kindName))) {
    if (location.view === 'new') {
      throw new Error(vscode.l10n.t("This draft isn't on the service yet. Publish it first."));
    }
    return location.reference;
  }
  const connection = await readyConnection(flow.service.connections);
  const named = fitting.filter(({ kind }) => kind === target);
  return await pickReference(flow, connection.name, named.length > 0 ? named : fitting, ability);
}

/**
 * Returns the connection of this window, on which to create a resource. Helps the user to set up a connection if there is none. Throws a
 * `NothingToDoError` if the service does not support the kind.
 */
export function connectionToCreateOn({ service }: Pick<ResourceFlow, 'service'>, kind: ResourceKind): Promise<Connection> {
  const group = collectionOf(kind);
  return group === undefined
    ? readyConnection(service.connections)
    : connectionToCreate(service.connections, group, kind.title(vscode.l10n.t));
}

/** Returns the collection of a kind. `undefined` if its resources exist only below another resource. */
export function collectionOf({ kind }: ResourceKind): ResourceGroup | undefined {
  return [...collections.keys()].find(name => name === `${kind}s`);
}

/** Returns the list that a resource belongs to, even if the list does not contain it. */
export function listOf({ store }: Pick<ResourceFlow, 'store'>, { connection, kind, parent }: Reference): ResourceList {
  return store.listOf(connection, kindNamed(kind), parent);
}

/**
 * Reads the current state of a resource and updates its row. If the resource is gone, removes the row and throws an error with a message
 * for the user.
 */
export async function retrieve(flow: Pick<ResourceFlow, 'store'>, { client }: Reached, reference: Reference): Promise<Resource> {
  const { kind, connection, list } = listOf(flow, reference);
  const { data } = await unlessGone(flow, reference, () => kind.calls(client, reference.parent).retrieve(reference.id));
  // An unlisted resource may be hidden by a filter, so it is not added.
  if (list.find(reference.id) !== undefined) {
    list.put(connection, data);
  }
  return data;
}

/** Returns the resource that a command changes, with its current state. See `referenceOf`. */
export async function resourceToChange<T extends Resource>(flow: ResourceFlow, target: unknown, kind: ResourceKind<T>, ability?: string) {
  refuseUntrusted('change');
  const reference = await referenceOf(flow, target, [kind], ability);
  const reached = await flow.service.reach(reference.connection, 'change');
  return { reference, reached, value: (await retrieve(flow, reached, reference)) as T };
}

/** Runs requests about a resource. If the resource is gone, removes its row and throws an error with a message for the user. */
export async function unlessGone<T>(flow: Pick<ResourceFlow, 'store'>, reference: Reference, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toGone(flow, reference, error);
  }
}

/**
 * Returns the error of a failed request. If the resource itself was not found, removes its row and returns an error with a message for the
 * user.
 */
export function toGone(flow: Pick<ResourceFlow, 'store'>, reference: Reference, error: unknown): unknown {
  if (!isGone(error)) {
    return error;
  }
  const { kind, list } = listOf(flow, reference);
  const listed = list.find(reference.id);
  list.remove(reference.connection, reference.id);
  return new Error(describeGone(listed === undefined ? reference.id : kind.name(listed), vscode.l10n.t), { cause: error });
}

/** Updates a resource and its row, and warns of fields that the service ignored. */
export async function updateResource(
  flow: Pick<ResourceFlow, 'store'>,
  reference: Reference,
  update: () => Promise<{ readonly data: Resource } & Parameters<typeof warnOfIgnored>[1]>,
): Promise<void> {
  const response = await unlessGone(flow, reference, update);
  flow.store.put(reference, response.data);
  warnOfIgnored(kindNamed(reference.kind).name(response.data), response);
}

/** Returns the name of a resource, or its ID if the resource is not listed. */
export function nameOf({ store }: Pick<ResourceFlow, 'store'>, reference: Reference): string {
  const value = store.find(reference);
  return value === undefined ? reference.id : kindNamed(reference.kind).name(value);
}

type PickerFlow = Pick<ResourceFlow, 'service' | 'store' | 'presentation'>;

/**
 * Asks the user to choose a resource of the `fitting` kinds that supports `ability`. The user can load further pages or enter an ID. For a
 * nested kind, asks for the parent first. Throws a `CancelledError` if the user cancels.
 */
export async function pickReference(
  flow: PickerFlow,
  connection: string,
  fitting: readonly ResourceKind[],
  ability: string,
): Promise<Reference> {
  const kind = await pickKind(flow, connection, fitting);
  const levels = waysTo.get(kind.kind) ?? [kind];
  let parent: Reference | undefined;
  for (const level of levels) {
    const isLast = level === levels.at(-1);
    const below = levels[levels.indexOf(level) + 1];
    const isFolder = (value: Resource) => level.isFolder?.(value) === true;
    const fits = (value: Resource) =>
      isLast
        ? isFolder(value) || level.row(value, flow.presentation()).abilities.split(' ').includes(ability)
        : (level.children?.(value) ?? []).some(({ kind: name }) => name === below?.kind);
    let chosen: Resource | undefined;
    do {
      const list = flow.store.listOf(connection, level, parent);
      const id = await pickOne(flow, list, fits, ability === 'resource');
      chosen = list.list.find(id);
      parent = { connection, kind: level.kind, id, ...(parent === undefined ? {} : { parent }) };
    } while (chosen !== undefined && isFolder(chosen));
  }
  if (parent === undefined) {
    throw new CancelledError();
  }
  return parent;
}

async function pickKind({ presentation }: PickerFlow, connection: string, fitting: readonly ResourceKind[]): Promise<ResourceKind> {
  const [only, ...others] = fitting;
  if (only === undefined) {
    throw new CancelledError();
  }
  if (others.length === 0) {
    return only;
  }
  const choices = fitting.map(kind => ({ label: `$(${kind.icon}) ${kind.title(presentation().translate)}`, value: kind }));
  return await askChoice({
    title: `${vscode.l10n.t('Resources')} · ${toLabel(connection, 60)}`,
    placeholder: vscode.l10n.t('Select a type'),
    choices,
  });
}

function pickOne(flow: PickerFlow, members: ResourceList, fits: (value: Resource) => boolean, mayBeUnlisted: boolean): Promise<string> {
  const { kind, list, connection } = members;
  return pickListed<string>({
    title: kind.title(flow.presentation().translate),
    list,
    none: () => (list.items.length === 0 ? vscode.l10n.t('None yet') : vscode.l10n.t('No matches')),
    choices: () => list.items.filter(fits).map(value => toChoice(kind.row(value, flow.presentation()), value.id, value.id)),
    read: async () => members.readOn((await flow.service.reach(connection, 'read')).client),
    mayBeUnlisted,
    byId: id => id,
  });
}
