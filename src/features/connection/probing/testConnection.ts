import * as vscode from 'vscode';
import { toOrigin } from '../../../client/transport/baseUrl';
import { ServiceError } from '../../../client/transport/errors';
import { offer, showFailure, showInformation } from '../../../common/asking/notifications';
import { withToken } from '../../../common/cancellation';
import type { Translate } from '../../../common/text/translate';
import { toLabel } from '../../../shared/text';
import type { Connection } from '../connection';
import type { ConnectionCommandContext } from '../connectionCommandContext';
import { replaceConnection } from '../connectionConfiguration';
import { type ConnectionProblem, describeGroups, type Finding, foundNothing, toFinding, toProblem } from './probeFinding';

/** Tests a connection with its current settings, and shows the result in a notification. */
export async function testConnection(
  context: ConnectionCommandContext,
  name: string,
  edit: (name: string) => Promise<void>,
): Promise<void> {
  const t = vscode.l10n.t;
  const report = await runTest(context, name);
  const { connection, finding } = report;
  if (connection.isDialectGuess === true && finding.isDialectCertain && finding.format?.dialect === connection.dialect) {
    await replaceConnection({ ...connection, isDialectGuess: false });
  }
  const problem = findProblem(report, t);
  const sentence = summarize(report, t);
  context.log.info(sentence);
  const { format, isDialectCertain } = finding;
  const adopt = async () => format && replaceConnection({ ...connection, ...format, isDialectGuess: !isDialectCertain });
  await offer(
    problem === undefined ? showInformation : showFailure,
    sentence,
    suggestsOtherFormat(report) && [t('Use Detected Settings'), adopt],
    problem !== undefined && !connection.isEmulator && [t('Edit Connection'), () => edit(name)],
    [t('Show Log'), async () => context.log.show()],
  );
}

async function runTest(context: ConnectionCommandContext, name: string): Promise<TestReport> {
  const t = vscode.l10n.t;
  const title = t('Testing "{0}"', toLabel(name, 60));
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (progress, token) =>
    withToken(token, async signal => {
      const { connection, client, key } = await openTarget(context, name);
      progress.report({ message: t('current settings') });
      const first = await timeCall(() => client.models.list({ limit: 1, signal }));
      if (first.failure !== undefined && first.failure.status === undefined) {
        // If nothing responds, a probe can't find out more.
        return { connection, calls: [first], finding: foundNothing(toProblem(first.failure, t)) };
      }
      const calls = [
        first,
        await timeCall(() => client.batches.list({ limit: 1, signal })),
        await timeCall(() => client.agents.list({ limit: 1, signal })),
        await timeCall(() => client.sessions.list({ limit: 1, signal })),
      ];
      progress.report({ message: t('detected settings') });
      const { probeService } = await import('../../../client/probe');
      const { baseUrl, allowInsecureHttp, auth, dialect } = connection;
      const { log, userAgent } = context;
      const network = await context.network();
      const preferred = { auth, dialect };
      const found = await probeService({ baseUrl, allowInsecureHttp, preferred, key, network, log, userAgent, signal });
      return { connection, calls, finding: toFinding(found, t) };
    }),
  );
}

/** Returns a connection with its client and key. Starts the emulator for the emulator's connection. */
async function openTarget({ store, keys, emulator, client }: ConnectionCommandContext, name: string) {
  const connection = store.find(name);
  if (connection === undefined) {
    throw new Error(vscode.l10n.t('There is no connection "{0}". Add it, or switch to another.', toLabel(name)));
  }
  const readClient = await client(connection, 'read');
  if (connection.isEmulator) {
    const { url, key } = await emulator.start();
    return { connection: { ...connection, baseUrl: url }, client: readClient, key };
  }
  const credential = await keys.credential(name, toOrigin(connection.baseUrl));
  return { connection, client: readClient, key: credential?.key ?? '' };
}

async function timeCall(call: () => Promise<unknown>): Promise<TestedCall> {
  const startedAt = performance.now();
  try {
    await call();
    return { milliseconds: performance.now() - startedAt, failure: undefined };
  } catch (error) {
    if (error instanceof ServiceError && error.kind !== 'aborted') {
      return { milliseconds: performance.now() - startedAt, failure: error };
    }
    throw error;
  }
}

/** Request that was sent with the connection's current settings. */
interface TestedCall {
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

/** Returns the problem of the first failed call of a connection, if any. A missing resource group is no problem. */
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
