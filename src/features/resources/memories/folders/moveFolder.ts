import * as vscode from 'vscode';
import type { Memory } from '../../../../client/schemas/memoryStores';
import type { ServiceClient } from '../../../../client/serviceClient';
import { listAll } from '../../../../client/transport/pagination';
import { confirmChange } from '../../../../common/asking/confirmChange';
import { withProgress } from '../../../../common/asking/progress';
import { describeError } from '../../../../common/text/describeError';
import type { Translate } from '../../../../common/text/translate';
import { memoryPathProblem } from '../../../../contract/memoryPath';
import { toLabel } from '../../../../shared/text';
import { isConflict } from '../../lists/performAct';
import type { Reached } from '../../service';
import { describePathProblem, type MemoryLocation, toMemoryUri } from '../memoryLocation';
import { maxFiles } from './storePlan';

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
  const open = moves.find(move => unsaved.includes(toMemoryUri({ ...from, path: move.from }).toString()));
  if (open !== undefined) {
    throw new Error(t('Save {0} first.', toLabel(open.from, 120)));
  }
  const named = moves.slice(0, maxNamed).map(move => toLabel(move.from, 120));
  const more = moves.length > maxNamed ? [t('and {0} more', moves.length - maxNamed)] : [];
  await confirmChange(connection, {
    title: t('Move {0} to {1}?', old, wanted),
    details: [[...named, ...more].join('\n'), t('Memories that change in the meantime are not moved.')],
    button: moves.length === 1 ? t('Move 1 Memory') : t('Move {0} Memories', moves.length),
  });
  let count = 0;
  const failed = await withProgress(t('Moving {0}', old), new AbortController().signal, (signal, report) =>
    moveEach(
      client,
      from.storeId,
      moves,
      (move, now) => {
        report(toLabel(move.to, 60), ++count / moves.length);
        moved(move, now);
      },
      signal,
    ),
  );
  if (count < moves.length) {
    const [first] = failed;
    const why = first && t('{0}: {1}', toLabel(first.move.from, 120), describeFailure(first.error));
    throw new Error([t('Moved {0} of {1} memories to {2}.', count, moves.length, wanted), why ?? ''].join(' ').trim());
  }
}

function describeFailure(error: unknown): string {
  return isConflict(error) ? vscode.l10n.t('changed in the meantime') : describeError(error);
}

const pageSize = 100;

/** Memory of a folder, and its new path. */
export interface FolderMove {
  readonly memory: Memory;
  readonly from: string;
  readonly to: string;
}

interface FailedMove {
  readonly move: FolderMove;
  readonly error: unknown;
}

/**
 * Plans the move of a folder to another path of its store. The service has no folders, so each memory is moved by itself. Throws an error
 * with a message for the user if a new path is not allowed: then nothing may be moved.
 */
export async function planFolderMove(
  { memoryStores }: ServiceClient,
  { storeId, path: folder }: MemoryLocation,
  wanted: string,
  most: number,
  t: Translate,
): Promise<readonly FolderMove[]> {
  if (`${wanted}/`.startsWith(`${folder}/`)) {
    throw new Error(t("{0} can't be moved into itself.", toLabel(folder, 120)));
  }
  const { list } = memoryStores.memories(storeId);
  const below = async (prefix: string) => {
    const found: Memory[] = [];
    for await (const memory of listAll(options => list({ ...options, pathPrefix: prefix, view: 'basic' }), { limit: pageSize })) {
      if (memory.path?.startsWith(prefix) === true && memory.type !== 'memory_prefix') {
        found.push(memory);
      }
      if (found.length > most) {
        throw new Error(t('More than {0} items. Choose a smaller folder.', most));
      }
    }
    return found;
  };
  const taken = new Set((await below(`${wanted}/`)).map(({ path }) => path));
  const moves = (await below(`${folder}/`)).map((memory): FolderMove => {
    const from = memory.path ?? '';
    return { memory, from, to: `${wanted}${from.slice(folder.length)}` };
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

/**
 * Moves memories one after the other, each only if it is unchanged since the plan. A failed memory stays at its path and is reported, and
 * the others are still moved. Nothing is replaced: the service refuses a path that is taken.
 */
export async function moveEach(
  { memoryStores }: ServiceClient,
  storeId: string,
  moves: readonly FolderMove[],
  moved: (move: FolderMove, now: Memory) => void,
  signal?: AbortSignal,
): Promise<readonly FailedMove[]> {
  const calls = memoryStores.memories(storeId);
  const failed: FailedMove[] = [];
  for (const move of moves) {
    if (signal?.aborted === true) {
      break;
    }
    const { id, content_sha256: sha256 } = move.memory;
    try {
      const precondition = sha256 ? { precondition: { type: 'content_sha256', content_sha256: sha256 } as const } : {};
      moved(move, (await calls.update(id, { path: move.to, ...precondition })).data);
    } catch (error) {
      failed.push({ move, error });
    }
  }
  return failed;
}
