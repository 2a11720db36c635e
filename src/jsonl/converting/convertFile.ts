import { statSync } from 'node:fs';
import { demandState, readState } from '../arranging/copyRows';
import { toOnRead } from '../arranging/requestWalk';
import { writeWholeFiles } from '../files/blockWriter';
import type { PassContext } from '../files/lineFile';
import type { FileWriting } from '../files/wholeFile';
import { LF } from '../scanning/jsonBytes';
import { ConversionNotes } from './conversionNotes';
import { ItemConverter } from './convertItem';
import type { ConversionReport, ConvertSource, ItemKind } from './convertingJobs';
import { type ForeignItem, forEachItem, layoutOf } from './foreignItems';
import { toOneLine } from './rawJson';

const lineFeed = Buffer.from([LF]);

/**
 * Writes a request for every item that one can be made of, in their order, and the others as they stand, a line each, to a file of their
 * own when there are any. Memory grows with the longest item. Throws `SourceChangedError` when the file changed meanwhile. Blocks, so it
 * is for threads.
 */
export async function convertFile(
  { path, outPath, restPath, options }: ConvertSource,
  context: PassContext,
  writing?: FileWriting,
): Promise<ConversionReport> {
  const state = readState(path);
  const totalBytes = statSync(path).size + 1;
  const layout = layoutOf(path);
  const notes = new ConversionNotes();
  const converter = new ItemConverter(layout, options, notes);
  const kinds: Record<ItemKind, number> = { request: 0, params: 0, 'batch-line': 0, chat: 0 };
  let items = 0;
  let converted = 0;
  await writeWholeFiles(
    context,
    async files => {
      const out = await files.create(outPath);
      const rest = await files.create(restPath);
      forEachItem(
        path,
        layout,
        item => {
          // A piece of the file may take longer than a cancelled job is given to tidy up.
          context.throwIfAborted();
          items++;
          const result = converter.convert(item);
          if ('line' in result) {
            converted++;
            kinds[result.kind]++;
            out.addText(result.line);
            out.add(lineFeed);
          } else {
            notes.addFailure(result.failure);
            rest.add(restOf(item));
            rest.add(lineFeed);
          }
        },
        toOnRead(context, totalBytes),
      );
      demandState(path, state);
      if (items === converted) {
        await files.drop(rest);
      }
    },
    writing,
  );
  context.progress({ doneBytes: totalBytes, totalBytes });
  return { layout, items, converted, kinds, ...notes.report(), hasRest: converted < items };
}

/** The bytes of an item that was left out; on one line where it is JSON over several. */
function restOf({ bytes, start, end }: ForeignItem): Uint8Array {
  const part = bytes.subarray(start, end);
  return part.includes(LF) ? Buffer.from(toOneLine(part.toString('latin1')), 'latin1') : part;
}
