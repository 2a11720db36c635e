import { writeWholeFiles } from '../files/blockWriter';
import type { PassContext } from '../files/lineFile';
import type { FileWriting } from '../files/wholeFile';
import type { SplitSource } from './arrangingJobs';
import { demandState, RowCopier } from './copyRows';
import { toOnRead } from './requestWalk';
import { readSplitRows, wrapBare } from './splitPlan';

/**
 * Writes the parts of a plan: the lines of the source as they stand, one after the other, bare params with an id around them. All parts
 * appear or none. Throws `SourceChangedError` when the source is not what was planned for. Blocks, so it is for threads.
 */
export async function splitFile({ path, plan, outPaths }: SplitSource, context: PassContext, writing?: FileWriting): Promise<undefined> {
  demandState(path, plan.file);
  const { rows, bytes, idFor } = readSplitRows(path, context);
  const totalBytes = bytes * 2 + 1;
  const onCopied = toOnRead(context, totalBytes, bytes);
  let copiedBytes = 0;
  const copier = new RowCopier(path, rows, copied => {
    copiedBytes += copied;
    onCopied(copiedBytes);
  });
  const wrap = (row: number) => {
    const id = idFor(row);
    return id === undefined ? undefined : wrapBare(id);
  };
  try {
    await writeWholeFiles(
      context,
      async files => {
        let first = 0;
        for (const [index, part] of plan.parts.entries()) {
          const out = await files.createOfLines(outPaths[index] as string);
          copier.copy(
            Uint32Array.from({ length: part.requests }, (_, row) => first + row),
            out,
            wrap,
          );
          first += part.requests;
          await files.finish(context.signal, [out]);
        }
        demandState(path, plan.file);
      },
      writing,
    );
  } finally {
    copier.close();
  }
  context.progress({ doneBytes: totalBytes, totalBytes });
}
