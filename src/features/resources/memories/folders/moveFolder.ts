import * as vscode from 'vscode';
import type { Memory } from '../../../../client/schemas/memoryStores';
import type { ServiceClient } from '../../../../client/serviceClient';
import { confirmChange } from '../../../../common/asking/confirmChange';
import { withProgress } from '../../../../common/asking/progress';
import type { Translate } from '../../../../common/text/translate';
import { memoryPathProblem } from '../../../../contract/memoryPath';
import { toLabel } from '../../../../shared/text';
import type { Reached } from '../../service';
import { ifUnchanged } from '../memoryAccess';
import { describePathProblem, type MemoryLocation, toMemoryUri } from '../memoryLocation';
import { doPlan, maxFiles, memoriesBelow } from './storePlan';

/** Maximum number of paths named in a question or message. */
const maxNamed = 5;

/**
 * Moves a folder of a store to another path, memory by memory, after explaining the effect. Throws an error with a message for the user if
 * some moves failed. Moved memories stay at their new path, the others at their old one.
 */
export async function moveFolder(
  { client, connection }: Reached,
  from: MemoryLocation,
  to: MemoryLocation,
  moved: (move: FolderMove, now: Memory) => void,
): Promise<void> {
  const { t } = vscode.l10n;
  const [old, wanted] = [toLabel(from.path, 120), toLabel(to.path, 120)];
  const moves = await withProgress(t('Reading {0}', old), new AbortController().signal, () =>
    planFolderMove(client, from, to.path, maxFiles, t),
  );
  const unsaved = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri.toString());
  const open = moves.find(move => unsaved.includes(toMemoryUri({ ...from, path: move.path }).toString()));
  if (open !== undefined) {
    throw new Error(t('Save {0} first.', toLabel(open.path, 120)));
  }
  const named = moves.slice(0, maxNamed).map(move => toLabel(move.path, 120));
  const more = moves.length > maxNamed ? [t('and {0} more', moves.length - maxNamed)] : [];
  await confirmChange(connection, {
    title: t('Move {0} to {1}?', old, wanted),
    details: [[...named, ...more].join('\n'), t('Memories that change in the meantime are not moved.')],
    button: moves.length === 1 ? t('Move 1 Memory') : t('Move {0} Memories', moves.length),
  });
  const { done, failures } = await doPlan(t('Moving {0}', old), moves, async move => {
    moved(move, await moveMemory(client, from.storeId, move));
  });
  if (done < moves.length) {
    throw new Error([t('Moved {0} of {1} memories to {2}.', done, moves.length, wanted), ...failures.slice(0, 1)].join(' '));
  }
}

/** Memory of a folder, and its new path. */
export interface FolderMove {
  readonly memory: Memory;
  readonly path: string;
  readonly to: string;
}

/**
 * Plans the move of a folder to another path of its store. The service has no folders, so each memory is moved by itself. Throws an error
 * with a message for the user if a new path is not allowed: then nothing may be moved.
 */
export async function planFolderMove(
  client: ServiceClient,
  { storeId, path: folder }: MemoryLocation,
  wanted: string,
  most: number,
  t: Translate,
): Promise<readonly FolderMove[]> {
  if (`${wanted}/`.startsWith(`${folder}/`)) {
    throw new Error(t("{0} can't be moved into itself.", toLabel(folder, 120)));
  }
  const below = (path: string) => memoriesBelow(client, storeId, `${path}/`, { view: 'basic', most });
  const taken = await below(wanted);
  const moves = [...(await below(folder))].map(([path, memory]): FolderMove => {
    return { memory, path, to: `${wanted}${path.slice(folder.length)}` };
  });
  for (const { to } of moves) {
    const problem = memoryPathProblem(to);
    if (problem !== undefined) {
      throw new Error(`${toLabel(to, 120)}: ${describePathProblem(problem, t)}`);
    }
    if (taken.has(to)) {
      throw new Error(t('{0} already exists.', toLabel(to, 120)));
    }
  }
  return moves;
}

/** Moves a memory if it is unchanged since the plan. Nothing is replaced: the service refuses a path that is taken. */
export async function moveMemory({ memoryStores }: ServiceClient, storeId: string, { memory, to }: FolderMove): Promise<Memory> {
  return (await memoryStores.memories(storeId).update(memory.id, { path: to, ...ifUnchanged(memory.content_sha256) })).data;
}
