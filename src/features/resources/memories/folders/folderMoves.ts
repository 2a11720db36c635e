import type { Memory } from '../../../../client/schemas/memoryStores';
import type { ServiceClient } from '../../../../client/serviceClient';
import { listAll } from '../../../../client/transport/pagination';
import type { Translate } from '../../../../common/text/translate';
import { memoryPathProblem } from '../../../../contract/memoryPath';
import { toLabel } from '../../../../shared/text';
import { describePathProblem } from '../memoryLimits';
import type { MemoryLocation } from '../memoryLocation';

const pageSize = 100;

/** Memory of a folder, and its new path. */
export interface FolderMove {
  readonly memory: Memory;
  readonly from: string;
  readonly to: string;
}

/** Failed move, and the reason. */
export interface FailedMove {
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
