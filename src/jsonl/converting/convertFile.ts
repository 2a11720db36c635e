import { writeWholeFiles } from '../files/blockWriter';
import { demandState, fileStateAt } from '../files/fileState';
import type { PassContext } from '../files/lineFile';
import { LF } from '../scanning/jsonBytes';
import type { ConvertOptions } from './chatParams';
import { ConversionNotes } from './conversionNotes';
import { countKinds, ItemConverter, type ItemKind } from './convertItem';
import { forEachItem, type ItemLayout, layoutOf } from './foreignItems';
import { toOneLine } from './rawJson';

interface ConvertSource {
  readonly path: string;
  readonly outPath: string;
  readonly restPath: string;
  readonly options: ConvertOptions;
}

export interface ConversionReport extends ReturnType<ConversionNotes['report']> {
  readonly layout: ItemLayout;
  readonly items: number;
  readonly converted: number;
  readonly kinds: Readonly<Record<ItemKind, number>>;
  /** True if the items that were left out were written to a second file. */
  readonly hasRest: boolean;
}

/**
 * Converts each item to a request, in order. Items that can't be converted are written to a second file, unchanged and one per line. Memory
 * grows with the longest item. Throws a `SourceChangedError` if the file is modified meanwhile. Blocks the thread, so only for workers.
 */
export async function convertFile({ path, outPath, restPath, options }: ConvertSource, context: PassContext): Promise<ConversionReport> {
  const state = fileStateAt(path);
  const layout = layoutOf(path);
  const notes = new ConversionNotes();
  const converter = new ItemConverter(layout, options, notes);
  const kinds = countKinds();
  let items = 0;
  let converted = 0;
  await writeWholeFiles(context, async files => {
    const out = await files.create(outPath);
    const rest = await files.create(restPath);
    forEachItem(
      path,
      layout,
      item => {
        // Checks for cancellation at each item, because a chunk of the file can take longer than a cancelled job has to clean up.
        context.throwIfAborted();
        items++;
        const result = converter.convert(item);
        if ('line' in result) {
          converted++;
          kinds[result.kind]++;
          out.addText(result.line);
          out.addText('\n');
        } else {
          notes.addFailure(result.failure);
          rest.add(item.bytes.includes(LF) ? Buffer.from(toOneLine(item.bytes.toString('latin1')), 'latin1') : item.bytes);
          rest.addText('\n');
        }
      },
      context,
    );
    demandState(path, state);
    if (items === converted) {
      await files.drop(rest);
    }
  });
  return { layout, items, converted, kinds, ...notes.report(), hasRest: converted < items };
}
