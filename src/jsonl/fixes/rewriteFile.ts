import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type PassResult, passOver } from '../checking/requestPass';
import { checkRequestLine } from '../checking/requestRules';
import type { VisitedLine } from '../checking/visitedLine';
import { type WholeFiles, writeWholeFiles } from '../files/blockWriter';
import { demandState, type FileState, fileStateAt, isSameState, SourceChangedError } from '../files/fileState';
import type { JobContext } from '../files/jobContext';
import { passOf } from '../files/lineFile';
import { linkBackup } from '../files/publishing';
import { RangeCopy } from '../files/rangeCopy';
import { textOf } from '../files/spanReader';
import type { RuleOptions } from '../rules/ruleOptions';
import { CR } from '../scanning/jsonBytes';
import { decodeLine } from '../scanning/lineText';
import { createRewriter, type RewriteReport, type RewriteSource } from './createRewriter';
import type { FixKind } from './fixKinds';
import type { LineRewriter, SourceLine } from './lineRewriter';

/**
 * Rewrites a file in two passes. Unchanged bytes are copied, including the byte order mark, CRs and unreadable lines. The new file appears
 * completely or not at all. The source is only replaced if it has not changed since it was read. With `backupPath`, the old file stays
 * under that name. Throws a `SourceChangedError` if the source has changed since it was read or since `expected`, and `FileWriteError`s.
 */
export async function rewriteFile(source: RewriteSource, context: JobContext): Promise<RewriteReport> {
  const { path, outPath } = source;
  const rewriter = createRewriter(source.work, source.rules);
  const { size } = statSync(path);
  const surveyed = await passOver(path, passOf(context, 0), line => rewriter.survey(toSourceLine(line, size, source.rules)), source.rules);
  demandState(path, source.expected ?? surveyed.file, surveyed.file);
  const rewrite = (out: RangeCopy | undefined) => rewritePass(source, rewriter, out, passOf(context, 1), surveyed);
  const counts = outPath === undefined ? await rewrite(undefined) : await write({ ...source, outPath }, rewrite, surveyed.file, context);
  const summary = rewriter.summary();
  const written = outPath === undefined ? {} : { written: fileStateAt(outPath) };
  return { ...summary, fixes: [...summary.fixes, ...counts], file: surveyed.file, ...written };
}

async function write<T>(
  { path, outPath, backupPath }: RewriteSource & { readonly outPath: string },
  rewrite: (out: RangeCopy) => Promise<T>,
  before: FileState,
  context: JobContext,
): Promise<T> {
  let backup: string | undefined;
  const fill = async (files: WholeFiles) => {
    const copy = new RangeCopy(path, await (outPath === path ? files.replace(path) : files.create(outPath)), () =>
      context.throwIfAborted(),
    );
    try {
      const done = await rewrite(copy);
      if (outPath === path) {
        // All slow work is done before this check, to leave little time for another write before the rename.
        await files.finish(context.signal);
        demandState(path, before);
        if (backupPath !== undefined) {
          await linkBackup(path, backupPath);
          backup = backupPath;
        }
      }
      return done;
    } finally {
      copy.close();
    }
  };
  try {
    return await writeWholeFiles(context, fill);
  } catch (error) {
    if (backup !== undefined) {
      await rm(backup, { force: true }).catch(() => {});
    }
    throw error;
  }
}

function toSourceLine(line: VisitedLine, fileBytes: number, rules: RuleOptions): SourceLine {
  const canChange = !line.isTooLong && line.invalidAt === undefined;
  return {
    line: line.line,
    kind: line.kind,
    noted: line.noted,
    checked: () => line.checked ?? checkRequestLine(textOf(line), line.line, rules),
    canChange,
    isUnended: !line.isTooLong && line.fileOffset + line.end >= fileBytes,
    text: () => decodeLine(line.bytes.subarray(line.start, endOf(line))).text,
    customId: () => line.checked?.customId ?? (line.id && textOf(line.id)),
    model: () => line.checked?.model ?? (line.model && textOf(line.model)),
  };
}

/** Returns the end of a line without the CR before its LF. */
function endOf({ bytes, start, end }: VisitedLine): number {
  return end > start && bytes[end - 1] === CR ? end - 1 : end;
}

/** Rewrites a file in one pass. Returns how often each fix of the whole file was applied, such as `last-newline`. */
async function rewritePass(
  { path, work, rules }: RewriteSource,
  rewriter: LineRewriter,
  out: RangeCopy | undefined,
  context: JobContext,
  surveyed: PassResult,
): Promise<readonly (readonly [FixKind, number])[]> {
  const kinds: ReadonlySet<FixKind> = new Set(work.type === 'fix' ? work.selection.kinds : []);
  const dropsMark = kinds.has('byte-order-mark') && surveyed.hasByteOrderMark;
  if (dropsMark) {
    out?.replace(0, 3, '');
  }
  let returns = 0;
  const take = (line: VisitedLine) => {
    const lines = rewriter.rewrite(toSourceLine(line, surveyed.fileBytes, rules));
    if (line.isTooLong) {
      return;
    }
    const start = line.fileOffset + line.start;
    const contentEnd = line.fileOffset + endOf(line);
    const end = line.fileOffset + line.end;
    const hasReturn = contentEnd < end;
    const dropsReturn = hasReturn && kinds.has('carriage-returns');
    returns += dropsReturn ? 1 : 0;
    if (lines?.length === 0) {
      out?.replace(start, end + 1, '');
      return;
    }
    if (lines !== undefined) {
      out?.replace(start, contentEnd, lines.join(hasReturn && !dropsReturn ? '\r\n' : '\n'));
    }
    if (dropsReturn) {
      out?.replace(contentEnd, end, '');
    }
  };
  const result = await passOver(path, context, take, rules);
  if (!isSameState(surveyed.file, result.file) || surveyed.fileBytes !== result.fileBytes) {
    throw new SourceChangedError(`${path} changed while it was being read. Nothing was written. Try again.`);
  }
  const addsNewline = kinds.has('last-newline') && !surveyed.endsWithNewline && surveyed.fileBytes > 0;
  out?.replace(surveyed.fileBytes, surveyed.fileBytes, addsNewline ? '\n' : '');
  const counts: readonly (readonly [FixKind, number])[] = [
    ['byte-order-mark', dropsMark ? 1 : 0],
    ['carriage-returns', returns],
    ['last-newline', addsNewline ? 1 : 0],
  ];
  return counts.filter(([, count]) => count > 0);
}
