import type { ServiceError } from '../../../client/transport/errors';
import type { Translate } from '../../../common/text/translate';
import { toLabel } from '../../../shared/text';
import type { Connection } from '../connection';
import { toAuthLabel, toNamesLabel } from '../wireFormat';
import { type ConnectionProblem, describeGroups, type Finding, toProblem } from './probeFinding';

/** One request with the connection's current settings: the time until the response, or the error. */
export interface TestedCall {
  readonly what: string;
  readonly milliseconds: number;
  readonly requestId: string | undefined;
  readonly failure: ServiceError | undefined;
}

/** Result of testing a connection. */
export interface TestReport {
  readonly connection: Connection;
  readonly calls: readonly TestedCall[];
  /** Result of probing the service, independent of the connection's settings. */
  readonly finding: Finding;
  /** RFC 3339, by this machine's clock. */
  readonly testedAt: string;
}

/** Returns the problem of a connection, if any: that of the first failed call. A missing resource group is not a problem. */
export function findProblem(report: TestReport, t: Translate): ConnectionProblem | undefined {
  const isServed = report.calls.some(call => call.failure === undefined);
  const failure = report.calls.find(call => call.failure !== undefined && !(isServed && call.failure.kind === 'not_found'))?.failure;
  return failure === undefined ? undefined : toProblem(failure, t);
}

/** Returns whether another dialect or header than the connection's works better. */
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
      ? t('"{0}" works with other settings.', name)
      : t('"{0}" doesn\'t work. {1} {2}', name, problem.headline, problem.details);
  }
  const slowest = Math.max(0, ...calls.map(call => call.milliseconds));
  return t('"{0}" works ({1} ms). {2}', name, Math.round(slowest), describeGroups(finding.groups, t).join(' '));
}

/** Returns the whole report as plain text, without the key. */
export function toReportText(report: TestReport, t: Translate): string {
  const { connection, calls, finding, testedAt } = report;
  const lines = [
    t('Test of connection "{0}", {1}', toLabel(connection.name), testedAt),
    '',
    t('Address: {0}', connection.baseUrl),
    t('Names: {0}', toNamesLabel(connection, t)),
    `${t('Key sent as')}: ${toAuthLabel(connection.auth)}`,
    ...(connection.extraBetas.length > 0 ? [t('Other betas: {0}', connection.extraBetas.join(', '))] : []),
    '',
    t('Current settings:'),
    ...calls.map(call => `  ${describeCall(call, t)}`),
    '',
    t('Detected settings:'),
  ];
  if (finding.format === undefined) {
    lines.push(`  ${finding.problem?.details ?? t('Nothing.')}`);
  } else {
    lines.push(
      `  ${t('Names: {0}', toNamesLabel({ ...finding.format, isDialectGuess: !finding.isDialectCertain }, t))}`,
      `  ${t('Key sent as')}: ${toAuthLabel(finding.format.auth)}`,
    );
    lines.push(...describeGroups(finding.groups, t).map(sentence => `  ${sentence}`));
    if (suggestsOtherFormat(report)) {
      lines.push('', t('Change the settings with "Edit Connection".'));
    }
  }
  return `${lines.join('\n')}\n`;
}

function describeCall({ what, milliseconds, requestId, failure }: TestedCall, t: Translate): string {
  if (failure !== undefined) {
    return `${what}: ${failure.message}`;
  }
  const took = t('{0}: {1} ms', what, Math.round(milliseconds));
  return requestId === undefined ? took : `${took} (request-id ${toLabel(requestId)})`;
}
