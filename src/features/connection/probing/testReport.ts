import type { ServiceError } from '../../../client/transport/errors';
import type { Translate } from '../../../common/text/translate';
import { toLabel } from '../../../shared/text';
import type { Connection } from '../connection';
import { type ConnectionProblem, describeGroups, type Finding, toProblem } from './probeFinding';

/** Request that was sent with the connection's current settings. */
export interface TestedCall {
  readonly milliseconds: number;
  readonly failure: ServiceError | undefined;
}

/** Result of testing a connection. */
export interface TestReport {
  readonly connection: Connection;
  readonly calls: readonly TestedCall[];
  /** Result of probing the service. Doesn't depend on the connection's settings. */
  readonly finding: Finding;
}

/** Returns the problem of a connection, if any: that of the first failed call. A missing resource group is no problem. */
export function findProblem(report: TestReport, t: Translate): ConnectionProblem | undefined {
  const isServed = report.calls.some(call => call.failure === undefined);
  const failure = report.calls.find(call => call.failure !== undefined && !(isServed && call.failure.kind === 'not_found'))?.failure;
  return failure === undefined ? undefined : toProblem(failure, t);
}

/** Returns whether the service works better with another dialect or header than the connection's. */
export function suggestsOtherFormat({ connection, finding }: TestReport): boolean {
  const { format } = finding;
  return format !== undefined && (format.auth !== connection.auth || format.dialect !== connection.dialect);
}

/** Summarizes the report in one sentence for a notification. */
export function summarize(report: TestReport, t: Translate): string {
  const { connection, calls, finding } = report;
  const name = toLabel(connection.name, 60);
  const problem = findProblem(report, t);
  if (problem !== undefined) {
    return suggestsOtherFormat(report)
      ? t('"{0}" responds, but needs different settings.', name)
      : t('"{0}" doesn\'t work. {1} {2}', name, problem.headline, problem.details);
  }
  const slowest = Math.max(0, ...calls.map(call => call.milliseconds));
  return t('"{0}" works ({1} ms). {2}', name, Math.round(slowest), describeGroups(finding.groups, t).join(' '));
}
