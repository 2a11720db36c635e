import type * as vscode from 'vscode';
import * as z from 'zod';
import type { KeptRequests, SheetMode, SheetState } from '../../../shared/sheet/sheetProtocol';
import type { ChosenRequests } from '../submitting/chosenRequests';

/** Characters of what VS Code is given to keep; a choice that takes more is not kept. */
const mostText = 500_000;

/** What a window keeps of a sheet over its reload: nothing where the chosen requests take too much room. */
export function toSheetState(target: vscode.Uri, mode: SheetMode, chosen: ChosenRequests | undefined, shownAt: number): SheetState {
  const kept = chosen && keepRequests(chosen);
  return chosen !== undefined && kept === undefined ? {} : { target: target.toString(), mode, shownAt, ...(kept && { chosen: kept }) };
}

/** Chosen requests as a window can keep them over its reload; undefined where they take too much room. */
export function keepRequests({ purpose, lines, sha256, description, note, follows, compared }: ChosenRequests): KeptRequests | undefined {
  const ranges = toRanges(lines);
  return ranges.length > mostText
    ? undefined
    : {
        ...{ purpose, sha256, description, lines: ranges },
        ...(note && { note: note.text }),
        ...(follows && { follows }),
        ...(compared && { compared }),
      };
}

/** The requests that were kept; undefined for what is none of ours. */
export function bringRequests(kept: unknown): ChosenRequests | undefined {
  const parsed = keptSchema.safeParse(kept);
  const lines = parsed.success ? fromRanges(parsed.data.lines) : undefined;
  if (!parsed.success || lines === undefined) {
    return undefined;
  }
  const { note, follows, compared, ...rest } = parsed.data;
  return {
    ...rest,
    lines,
    ...(note !== undefined && { note: { text: note } }),
    ...(follows && { follows }),
    ...(compared && { compared }),
  };
}

/** Ascending numbers as ranges, `0-4,7`, each told by what lies between it and the one before. */
function toRanges(lines: Uint32Array): string {
  const ranges: string[] = [];
  let end = 0;
  for (let at = 0; at < lines.length; ) {
    const first = lines[at] ?? 0;
    let next = at + 1;
    while (next < lines.length && lines[next] === first + next - at) {
      next++;
    }
    const length = next - at;
    ranges.push(length === 1 ? `${first - end}` : `${first - end}+${length}`);
    end = first + length;
    at = next;
  }
  return ranges.join();
}

/** Numbers of what `toRanges` made, in shared memory; undefined where they are more than a file can have. */
function fromRanges(text: string): Uint32Array | undefined {
  const ranges = text.split(',').map(range => range.split('+').map(Number));
  const count = ranges.reduce((sum, [, length = 1]) => sum + length, 0);
  const last = ranges.reduce((sum, [gap = 0, length = 1]) => sum + gap + length, 0);
  if (!(last <= mostLines)) {
    return undefined;
  }
  const lines = new Uint32Array(new SharedArrayBuffer(count * Uint32Array.BYTES_PER_ELEMENT));
  let at = 0;
  let line = 0;
  for (const [gap = 0, length = 1] of ranges) {
    line += gap;
    for (let left = length; left > 0; left--) {
      lines[at++] = line++;
    }
  }
  return lines;
}

const mostLines = 100_000_000;

const keptSchema = z.object({
  purpose: z.enum(['part', 'canary', 'rest', 'changed']),
  lines: z
    .string()
    .max(mostText)
    .regex(/^\d{1,9}(?:\+\d{1,9})?(?:,\d{1,9}(?:\+\d{1,9})?)*$/),
  sha256: z.string().max(100),
  description: z.string().max(1000),
  note: z.string().max(10_000).optional(),
  follows: z.object({ runId: z.string().max(200), purpose: z.enum(['retry', 'changed', 'rest']) }).optional(),
  compared: z.object({ connection: z.string().max(1000), submissions: z.array(z.string().max(200)).max(100_000) }).optional(),
}) satisfies z.ZodType<KeptRequests>;
