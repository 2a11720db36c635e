import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { BatchFileReport } from '../../../jsonl/checking/batchFileReport';
import type { SelectedRequests } from '../../../jsonl/checking/requestPlan';
import { WholeFile } from '../../../jsonl/files/wholeFile';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { type Submission, type SubmissionRegistry, toSelection, verifyChecksum, withChecksum } from '../../ledger';

/** Names of the plan's files. They are in the folder of the first part's submission. */
const groupFiles = {
  plan: 'group.json',
  /** Lines to send if not all are sent: 0-based decimal numbers, each followed by LF. */
  lines: 'group.lines',
} as const;

const partSchema = z.object({
  firstLine: z.number().int().nonnegative(),
  lastLine: z.number().int().nonnegative(),
  requests: z.number().int().positive(),
  bodyBytes: z.number().int().positive(),
  digest: z.string(),
});

const planSchema = z.object({
  id: z.string().min(1),
  connection: z.string(),
  origin: z.string(),
  source: z.string(),
  fromEditor: z.boolean(),
  sha256: z.string(),
  purpose: z.enum(['part', 'canary', 'rest', 'changed']),
  follows: z.object({ runId: z.string(), purpose: z.enum(['retry', 'changed', 'rest']) }).optional(),
  knownBefore: z.array(z.string()),
  parts: z.array(partSchema).min(2),
});

/** Plan of a run of several parts, with everything needed to send the remaining ones. It is on disk before the first part is sent. */
export type GroupPlan = z.infer<typeof planSchema>;

/** Returns the plan's record of a part. */
export function toPlanned({ lines, bodyBytes }: SelectedRequests, purpose: GroupPlan['purpose']): GroupPlan['parts'][number] {
  const { firstLine, lastLine, digest } = toSelection({ purpose, lines });
  return { firstLine, lastLine, digest, requests: lines.length, bodyBytes };
}

/** Writes a plan to a submission's folder. It is on disk when this settles. `chosen` has the lines to send if not all are sent. */
export async function writeGroupPlan(folder: string, plan: GroupPlan, chosen: Uint32Array | undefined): Promise<void> {
  if (chosen !== undefined) {
    await WholeFile.write(path.join(folder, groupFiles.lines), `${chosen.join('\n')}\n`);
  }
  await WholeFile.write(path.join(folder, groupFiles.plan), withChecksum(`${JSON.stringify(plan)}\n`));
}

/** Returns the plan of a group with its file's current location, and the submission that contains it. `undefined` if it is unreadable. */
export async function readGroupPlan(
  registry: Pick<SubmissionRegistry, 'all' | 'folder'>,
  groupId: string,
): Promise<{ readonly plan: GroupPlan; readonly holder: Submission } | undefined> {
  for (const submission of registry.all()) {
    if (submission.group?.id === groupId && submission.group.index === 0) {
      try {
        const text = await readFile(path.join(registry.folder(submission.id), groupFiles.plan), 'utf8');
        verifyChecksum(text);
        const plan = planSchema.parse(JSON.parse(text));
        if (plan.id === groupId) {
          return { plan: { ...plan, source: submission.source }, holder: submission };
        }
      } catch {
        // Another submission of the first part may contain the plan.
      }
    }
  }
  return undefined;
}

/** Returns the planned parts of a file that was checked again. Throws if they differ from the plan. */
export async function readParts(
  jobs: Pick<JsonlJobs, 'selectRequests' | 'cutRequests'>,
  report: BatchFileReport,
  plan: GroupPlan,
  folder: string,
): Promise<readonly SelectedRequests[]> {
  const all = plan.purpose === 'part' ? allLines(jobs, report) : parseLines(await readFile(path.join(folder, groupFiles.lines), 'utf8'));
  return plan.parts.map((part, index) => {
    const selected = jobs.selectRequests(
      report,
      all.filter(line => line >= part.firstLine && line <= part.lastLine),
    );
    if (toPlanned(selected, plan.purpose).digest !== part.digest || selected.bodyBytes !== part.bodyBytes) {
      throw new Error(`Part ${index + 1} cannot be found again as it was cut.`);
    }
    return selected;
  });
}

function allLines(jobs: Pick<JsonlJobs, 'cutRequests'>, report: BatchFileReport): Uint32Array {
  const [all] = jobs.cutRequests(report, { maxRequests: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER });
  return all?.lines ?? new Uint32Array();
}

function parseLines(text: string): Uint32Array {
  return Uint32Array.from(text.split('\n').slice(0, -1), Number);
}
