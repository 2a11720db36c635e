import { existsSync, rmSync, statSync } from 'node:fs';
import { narrowPlan } from '../body/requestSelection';
import { passOver } from '../checking/requestPass';
import { type RequestPlan, RequestPlanBuilder } from '../checking/requestPlan';
import { writeWholeFiles } from '../files/blockWriter';
import type { JobContext } from '../files/jobContext';
import { digestOfLines, LineMapError, readLineMap } from '../files/lineMap';

export interface LinesSource {
  readonly linesPath: string;
  readonly requestCount: number;
  /** File that was sent, or a copy of it. Missing if its path is unknown. */
  readonly sent?: {
    readonly path: string;
    readonly fileBytes: number;
    readonly sha256: string;
    /** Requests that were sent. If missing, all requests of the file were sent. */
    readonly selection?: { readonly firstLine: number; readonly lastLine: number; readonly digest: string };
  };
}

/** State of a list of lines: intact, restored from the file that was sent, or lost. */
export type LinesFate = 'whole' | 'restored' | 'lost';

/**
 * Makes sure that the `lines.tsv` of a submission can be used. A damaged or missing list is written again from the file that was sent. If
 * that file is missing or has changed, the list is removed. Blocks, so it runs in a thread. Throws the system's error if the list can't be
 * read.
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
  await writeWholeFiles(context, async files => (await files.create(linesPath)).add(lineMap));
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

/** Returns the content of the list. `undefined` if the file is gone or changed, or the sent requests are uncertain. */
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

/**
 * Returns the plan of the requests that were sent. A part has all requests from its first to its last line. Returns `undefined` for a
 * sample, because only its `lines.tsv` lists its requests.
 */
function selected(plan: RequestPlan, selection: NonNullable<LinesSource['sent']>['selection']): RequestPlan | undefined {
  if (selection === undefined) {
    return plan;
  }
  const lines = plan.lines.filter(line => line >= selection.firstLine && line <= selection.lastLine);
  return digestOfLines(lines) === selection.digest ? narrowPlan(plan, lines) : undefined;
}
