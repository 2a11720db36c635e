import type { PassContext } from '../files/lineFile';
import { type FileWriting, WholeFile } from '../files/wholeFile';
import { EditedCopy } from './editedCopy';
import type { MarkReport, MarkSource } from './fileSurvey';
import { forEachPrompt } from './promptLines';
import { marksOf, PrefixSet } from './promptMarks';

/**
 * Writes a copy of a request file with a cache marker at the last block of each shared prefix. All other bytes are copied unchanged,
 * including invalid lines; blocks with a marker are left alone. The file is written completely or not at all. Blocks the thread, so only
 * for workers. Throws a `SourceChangedError` if the source is modified meanwhile, and `FileWriteError`.
 */
export async function markPrefixes(source: MarkSource, context: PassContext, writing?: FileWriting): Promise<MarkReport> {
  const prefixes = new PrefixSet(source.prefixes);
  const report = { requests: 0, markers: 0, already: 0, full: 0, otherTtl: 0 };
  const out = await WholeFile.create(source.outPath, writing);
  try {
    const copy = new EditedCopy(source.path, out);
    let totalBytes: number;
    try {
      totalBytes = forEachPrompt(
        source.path,
        {
          request: (reader, _line, start, _end, offset) => {
            const marks = marksOf(reader, prefixes, source.ttl);
            if (marks === undefined) {
              return;
            }
            for (const edit of marks.edits) {
              copy.replace(edit.start - start + offset, edit.end - start + offset, edit.text);
            }
            report.requests += marks.markers > 0 ? 1 : 0;
            report.markers += marks.markers;
            report.already += marks.already;
            report.full += marks.full;
            report.otherTtl += marks.otherTtl;
          },
        },
        context,
      );
      copy.finish();
    } finally {
      copy.close();
    }
    await out.finish(context.signal);
    context.throwIfAborted();
    await out.publish();
    context.progress({ doneBytes: totalBytes, totalBytes });
    return report;
  } finally {
    await out.discard();
  }
}
