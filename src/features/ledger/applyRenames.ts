import path from 'node:path';
import type { DerivedFile, FetchedResults, Submission } from './submission';
import type { SubmissionRegistry } from './submissionRegistry';

/** A renamed or moved file or folder. */
export interface FileRename {
  /** URI strings without a trailing slash. */
  readonly from: string;
  readonly to: string;
  /** `from` and `to` as local paths. */
  readonly fromPath: string;
  readonly toPath: string;
}

/**
 * Updates the paths of moved files in the ledger: request files, files made from results, and results. Settles once all records are on
 * disk. Throws the first error after all records were tried. Keeps changes that other windows make meanwhile.
 */
export async function applyRenames(
  registry: Pick<SubmissionRegistry, 'load' | 'reload' | 'all' | 'find' | 'updateIf'>,
  moves: readonly FileRename[],
): Promise<void> {
  await registry.load();
  await registry.reload();
  const refused: unknown[] = [];
  for (const { id } of registry.all()) {
    await followOne(registry, id, moves).catch(error => refused.push(error));
  }
  if (refused.length > 0) {
    throw refused[0];
  }
}

async function followOne(registry: Parameters<typeof applyRenames>[0], id: string, moves: readonly FileRename[]): Promise<void> {
  for (;;) {
    const current = registry.find(id);
    const change = current && changeOf(current, moves);
    if (change === undefined || Object.keys(change).length === 0) {
      return;
    }
    const onlyIf = (stored: Submission) => JSON.stringify(changeOf(stored, moves)) === JSON.stringify(change);
    if ((await registry.updateIf(id, change, onlyIf)) !== undefined) {
      return;
    }
    await registry.reload();
  }
}

/** Returns the fields of a submission that some moves change. Each path follows the first move that affects it. */
export function changeOf(submission: Submission, moves: readonly FileRename[]): Partial<Submission> {
  const source = movedUri(submission.source, moves);
  const made = submission.made?.map(file => movedFile(file, moves));
  const results = (['results', 'groupResults', 'merged'] as const).flatMap(field => {
    const moved = movedResults(submission[field], moves);
    return moved === undefined ? [] : [[field, moved]];
  });
  const resultsFile = submission.resultsFile && movedPath(submission.resultsFile.path, moves);
  return {
    ...(source !== undefined && { source }),
    ...(made?.some((file, index) => file !== submission.made?.[index]) && { made }),
    ...Object.fromEntries(results),
    ...(submission.resultsFile && resultsFile !== undefined && { resultsFile: { ...submission.resultsFile, path: resultsFile } }),
  };
}

function movedFile(file: DerivedFile, moves: readonly FileRename[]): DerivedFile {
  const source = movedUri(file.source, moves);
  return source === undefined ? file : { ...file, source };
}

/** Returns the results with their new paths, or `undefined` if they did not move. */
function movedResults<Results extends FetchedResults>(results: Results | undefined, moves: readonly FileRename[]): Results | undefined {
  const joinedPath = results && movedPath(results.joinedPath, moves);
  return results && joinedPath !== undefined ? { ...results, joinedPath } : undefined;
}

function movedPath(file: string, moves: readonly FileRename[]): string | undefined {
  const move = moves.find(({ fromPath }) => file === fromPath || file.startsWith(fromPath + path.sep));
  return move && move.toPath + file.slice(move.fromPath.length);
}

function movedUri(uri: string, moves: readonly FileRename[]): string | undefined {
  const move = moves.find(({ from }) => uri === from || uri.startsWith(`${from}/`));
  return move && move.to + uri.slice(move.from.length);
}
