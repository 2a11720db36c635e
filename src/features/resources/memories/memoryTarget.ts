import * as vscode from 'vscode';
import type { Memory } from '../../../client/resources/memoryStores';
import type { Reference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { memories, storeIdOf } from '../kinds/memories';
import { memoryStores } from '../kinds/memoryStores';
import { describeGone } from '../lists/performAct';
import { isReference, plainReference } from '../reference';
import { nameOf, type ResourceFlow, referenceOf, retrieve } from '../resourceFlow';
import { type MemoryLocation, memoryLocationOf, memoryScheme } from './memoryLocation';

/** Argument of a memory command: a row, a document, or nothing. */
export type MemoryTarget = Reference | vscode.Uri | undefined;

/**
 * Returns the memory that a command applies to: the given row or document, else the active document, else one that the user chooses. Throws
 * an error with a message for the user if it is gone.
 */
export async function memoryOf(flow: ResourceFlow, target: MemoryTarget, asker: 'user' | 'userToChange') {
  const uri = target instanceof vscode.Uri ? target : target === undefined ? uriInFront() : undefined;
  if (uri !== undefined) {
    const location = memoryLocationOf(uri);
    const reached = await flow.service.reach(location.connection, asker);
    const memory = await flow.memories.access.index.find(reached.client, location);
    if (typeof memory !== 'object') {
      throw new Error(describeGone(location.path));
    }
    return { location, memory, reached };
  }
  const reference = await referenceOf(flow, target, [memories]);
  const reached = await flow.service.reach(reference.connection, asker);
  const memory: Memory = { type: 'memory', ...(await retrieve(flow, reached, reference)) };
  const location = { connection: reference.connection, storeId: storeIdOf(reference), path: memory.path ?? '' };
  flow.memories.access.index.note(location, memory);
  return { location, memory, reached };
}

/** A store, or a folder in it. */
export interface StoreFolder extends Omit<MemoryLocation, 'path'> {
  /** Name of the store, followed by the folder unless it is the whole store. On one line. */
  readonly label: string;
  /** Path of the folder, which starts and ends with `/`. */
  readonly folder: string;
}

/**
 * Returns the store that a command applies to, or a folder in it if the row of a folder was chosen. An active document selects its whole
 * store.
 */
export async function storeOf(flow: ResourceFlow, target: MemoryTarget): Promise<StoreFolder> {
  const uri = target instanceof vscode.Uri ? target : target === undefined ? uriInFront() : undefined;
  const reference =
    uri === undefined
      ? isReference(target)
        ? plainReference(target)
        : await referenceOf(flow, undefined, [memoryStores])
      : storeAt(memoryLocationOf(uri));
  const { connection } = reference;
  const storeId = storeIdOf(reference);
  const folder = reference.kind === memories.kind && reference.id.startsWith('/') ? reference.id : '/';
  const name = toLabel(nameOf(flow, storeAt({ connection, storeId })), 60);
  return { connection, storeId, folder, label: folder === '/' ? name : `${name} ${toLabel(folder, 120)}` };
}

function storeAt({ connection, storeId }: Omit<MemoryLocation, 'path'>): Reference {
  return { connection, kind: memoryStores.kind, id: storeId };
}

function uriInFront(): vscode.Uri | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === memoryScheme ? uri : undefined;
}
