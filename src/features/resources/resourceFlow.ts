import * as vscode from 'vscode';
import { collections, type ResourceGroup } from '../../client/dialect';
import { warnOfIgnored } from '../../common/asking/warnOfIgnored';
import type { PresentationContext } from '../../common/text/presentation';
import type { Reference } from '../../contributions';
import type { Connection, Reached } from '../connection';
import { connectionToCreate, readyConnection } from '../connection';
import type { Drafts } from './definitions/drafts';
import type { ResourceFiles } from './documents/resourceFiles';
import { parseResourceUri, type ResourceLocation } from './documents/resourceUri';
import { everyKind } from './kinds';
import { retrieveListed, toGone } from './lists/performAct';
import type { ResourceList } from './lists/resourceList';
import type { MemoryFiles } from './memories/memoryFiles';
import { pickReference } from './pickReference';
import { isReference, plainReference } from './reference';
import type { Resource, ResourceKind } from './resourceKind';
import type { ResourceStore } from './resourceStore';
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

/** Returns the kind with a name. Throws if there is none. */
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
 * Returns the resource that a command applies to: the given row or document, or the active document if there is no argument. Otherwise the
 * user chooses one that supports `ability`. A string argument is the name of the kind to choose from.
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
 * Returns the connection of this window, on which to create a resource. Helps the user to set one up if there is none. Throws a
 * `NothingToDoError` if the service does not support the kind.
 */
export function connectionToCreateOn({ service }: Pick<ResourceFlow, 'service'>, kind: ResourceKind): Promise<Connection> {
  const group = collectionOf(kind);
  return group === undefined
    ? readyConnection(service.connections)
    : connectionToCreate(service.connections, group, kind.title(vscode.l10n.t));
}

/** Returns the collection of a kind. `undefined` if its resources are only below others. */
export function collectionOf({ kind }: ResourceKind): ResourceGroup | undefined {
  return [...collections.keys()].find(name => name === `${kind}s`);
}

/** Returns the list that a resource belongs to, even if the list does not contain it. */
export function listOf({ store }: Pick<ResourceFlow, 'store'>, { connection, kind, parent }: Reference): ResourceList {
  return store.listOf(connection, kindNamed(kind), parent);
}

/** Retrieves a resource. See `retrieveListed`. */
export function retrieve(flow: Pick<ResourceFlow, 'store'>, reached: Reached, reference: Reference): Promise<Resource> {
  return retrieveListed(listOf(flow, reference), reached, reference);
}

/** Returns the resource that a command changes, with its current state. See `referenceOf`. */
export async function resourceToChange<T extends Resource>(flow: ResourceFlow, target: unknown, kind: ResourceKind<T>, ability?: string) {
  flow.service.demand('change');
  const reference = await referenceOf(flow, target, [kind], ability);
  const reached = await flow.service.reach(reference.connection, 'change');
  return { reference, reached, value: (await retrieve(flow, reached, reference)) as T };
}

/** Runs requests about a resource. If it is gone, removes its row and throws an error with a message for the user. */
export async function unlessGone<T>(flow: Pick<ResourceFlow, 'store'>, reference: Reference, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toGone(listOf(flow, reference), reference.id, error);
  }
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

/** Returns the name of a resource, or its ID if it is not listed. */
export function nameOf({ store }: Pick<ResourceFlow, 'store'>, reference: Reference): string {
  const value = store.find(reference);
  return value === undefined ? reference.id : kindNamed(reference.kind).name(value);
}
