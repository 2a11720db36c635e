import type { BatchFileReport, BatchLimits } from '../../../jsonl/checking/batchFileReport';
import type { SelectedRequests } from '../../../jsonl/checking/requestPlan';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { ChosenRequests } from '../submitting/chosenRequests';

/** What would be sent of a checked file. */
export interface Outgoing {
  readonly requestCount: number;
  /** Of a body of all of them. */
  readonly bodyBytes: number;
  readonly models: BatchFileReport['models'];
  /** When these are not all requests of the file. */
  readonly selected: SelectedRequests | undefined;
  /**
   * One for each batch that it takes, when that is more than one. Empty when a request alone is over the limits; undefined when one
   * batch is enough.
   */
  readonly parts: readonly SelectedRequests[] | undefined;
}

/** What would be sent of a file: all its requests, or the chosen ones while the file is still the one in which they were chosen. */
export function toOutgoing(
  jobs: Pick<JsonlJobs, 'selectRequests' | 'cutRequests'>,
  report: BatchFileReport,
  limits: BatchLimits,
  chosen: ChosenRequests | undefined,
): Outgoing {
  const selected = chosen?.sha256 === report.sha256 ? jobs.selectRequests(report, chosen.lines) : undefined;
  const { bodyBytes, models } = selected ?? report;
  const requestCount = selected?.lines.length ?? report.requestCount;
  const isOver = requestCount > limits.maxRequests || bodyBytes > limits.maxBytes;
  return { requestCount, bodyBytes, models, selected, parts: isOver ? cut(jobs, report, limits, selected) : undefined };
}

function cut(
  jobs: Pick<JsonlJobs, 'cutRequests'>,
  report: BatchFileReport,
  limits: BatchLimits,
  selected: SelectedRequests | undefined,
): readonly SelectedRequests[] {
  try {
    return jobs.cutRequests(report, limits, selected?.lines);
  } catch {
    // A request alone is over the limits, which the check tells of by its line.
    return [];
  }
}
