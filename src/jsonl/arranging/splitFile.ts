import { writeWholeFiles } from '../files/blockWriter';
import { demandState } from '../files/fileState';
import { type PassContext, toOnRead } from '../files/lineFile';
import type { FileWriting } from '../files/wholeFile';
import type { SplitSource } from './arrangingJobs';
import { RowCopier } from './copyRows';
import { readSplitRows, wrapBare } from './splitPlan';

/**
 * Writes the parts of a plan. Lines are copied unchanged and in order; bare params get an id around them. Either all parts are written or
 * none. Blocks the thread, so only for workers. Throws a `SourceChangedError` if the source is not the planned one.
 */
export async function splitFile({ path, plan, outPaths }: SplitSource, context: PassContext, writing?: FileWriting): Promise<undefined> {
  demandState(path, plan.file);
  const { rows, bytes, idFor } = readSplitRows(path, context);
  const copier = new RowCopier(path, rows, toOnRead(context, bytes * 2, bytes));
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
}
