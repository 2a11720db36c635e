import { existsSync, rmSync, statSync } from 'node:fs';
import { narrowPlan } from '../body/requestSelection';
import { passOver } from '../checking/requestPass';
import { type RequestPlan, RequestPlanBuilder } from '../checking/requestPlan';
import type { JobContext } from '../files/jobContext';
import { digestOfLines, LineMapError, readLineMap } from '../files/lineMap';
import { WholeFile } from '../files/wholeFile';
import type { LinesFate, LinesSource } from './mergingJobs';

/**
 * Makes sure that the `lines.tsv` of a submission can be used: one that is damaged, cut or gone is written again from the file that was sent,
 * and removed where that is not what was sent any more. Blocks, so it is for threads. Throws what the disk says of a list that it does not give.
 */
export async function restoreLines(source: LinesSource, context: JobContext): Promise<LinesFate> {
  const { linesPath, requestCount } = source;
  if (isWhole(linesPath, requestCount)) {
    return 'whole';
  }
  const lineMap = await linesOf(source, context);
  if (lineMap === undefined) {
    rmSync(linesPath, { force: true });
    return 'lost';
  }
  const file = await WholeFile.create(linesPath);
  try {
    file.append(lineMap);
    await file.finish(context.signal);
    await file.publish();
  } finally {
    await file.discard();
  }
  return 'restored';
}

function isWhole(linesPath: string, requestCount: number): boolean {
  try {
    readLineMap(linesPath, requestCount);
    return true;
  } catch (error) {
    if (error instanceof LineMapError) {
      return false;
    }
    throw error;
  }
}

/** What stood in the list, when the file is still the one that was sent and which of its requests were sent is certain. */
async function linesOf({ sent, requestCount }: LinesSource, context: JobContext): Promise<Uint8Array | undefined> {
  if (sent === undefined || !existsSync(sent.path) || statSync(sent.path).size !== sent.fileBytes) {
    return undefined;
  }
  const builder = new RequestPlanBuilder();
  const { sha256, crc32, file } = await passOver(sent.path, context, line => builder.add(line));
  if (sha256 !== sent.sha256) {
    return undefined;
  }
  const plan = selected(builder.build(file, crc32), sent.selection);
  return plan?.lines.length === requestCount ? plan.lineMap : undefined;
}

/** A part holds all requests between its first and its last line; which ones a sample holds only its list knew. */
function selected(plan: RequestPlan, selection: NonNullable<LinesSource['sent']>['selection']): RequestPlan | undefined {
  if (selection === undefined) {
    return plan;
  }
  const lines = plan.lines.filter(line => line >= selection.firstLine && line <= selection.lastLine);
  return digestOfLines(lines) === selection.digest ? narrowPlan(plan, lines) : undefined;
}
