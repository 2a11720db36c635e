import { writeWholeFiles } from '../files/blockWriter';
import { demandState, fileStateAt } from '../files/fileState';
import type { PassContext } from '../files/lineFile';
import { RangeCopy } from '../files/rangeCopy';
import type { FileWriting } from '../files/wholeFile';
import type { MarkReport, MarkSource } from './fileSurvey';
import { forEachPrompt, type PromptVisitor } from './promptLines';
import { marksOf, PrefixSet } from './promptMarks';

/**
 * Writes a copy of a request file with a cache marker at the last block of each shared prefix. All other bytes are copied unchanged,
 * including invalid lines; blocks with a marker are left alone. The file is written completely or not at all. Blocks the thread, so only
 * for workers. Throws a `SourceChangedError` if the source is modified meanwhile, and `FileWriteError`.
 */
export async function markPrefixes(source: MarkSource, context: PassContext, writing?: FileWriting): Promise<MarkReport> {
  const prefixes = new PrefixSet(source.prefixes);
  const report = { requests: 0, markers: 0, already: 0, full: 0, otherTtl: 0 };
  const state = fileStateAt(source.path);
  const totalBytes = Number(state.size);
  await writeWholeFiles(
    context,
    async files => {
      const copy = new RangeCopy(source.path, await files.create(source.outPath));
      const request: PromptVisitor['request'] = (reader, _line, start, _end, offset) => {
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
      };
      try {
        forEachPrompt(source.path, { request }, context);
        copy.replace(totalBytes, totalBytes, '');
        demandState(source.path, state);
      } finally {
        copy.close();
      }
    },
    writing,
  );
  return report;
}
