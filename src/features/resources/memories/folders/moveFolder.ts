import * as vscode from 'vscode';
import type { Memory } from '../../../../client/schemas/memoryStores';
import { confirmChange } from '../../../../common/asking/confirmChange';
import { withProgress } from '../../../../common/asking/progress';
import { describeError } from '../../../../common/text/describeError';
import { toLabel } from '../../../../shared/text';
import { isConflict } from '../../isConflict';
import type { Reached } from '../../service';
import type { MemoryLocation } from '../memoryLocation';
import { toMemoryUri } from '../memoryUri';
import { type FolderMove, moveEach, planFolderMove } from './folderMoves';
import { mostFiles } from './storePlanSteps';

/** Maximum number of paths named in a question or message. */
const mostNamed = 5;

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
    planFolderMove(client, from, to.path, mostFiles, t),
  );
  const unsaved = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri.toString());
  const open = moves.find(move => unsaved.includes(toMemoryUri({ ...from, path: move.from }).toString()));
  if (open !== undefined) {
    throw new Error(t('Save {0} first.', toLabel(open.from, 120)));
  }
  const named = moves.slice(0, mostNamed).map(move => toLabel(move.from, 120));
  const more = moves.length > mostNamed ? [t('and {0} more', moves.length - mostNamed)] : [];
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
