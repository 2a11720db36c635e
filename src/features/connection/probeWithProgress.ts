import * as vscode from 'vscode';
import type { ProbeStep } from '../../client/probe';
import { CancelledError, isCancellation, toAbortSignal } from '../../common/cancellation';
import { toHost } from './baseUrl';
import type { ConnectionCommandContext } from './connectionCommandContext';
import { type Finding, toFinding } from './probeFinding';

export interface ProbeTarget {
  readonly baseUrl: string;
  readonly key: string;
  readonly allowInsecureHttp: boolean;
}

/** Tries a service while a notification shows how far it is. Rejects with `CancelledError` when the user cancels there. */
export async function probeWithProgress(context: ConnectionCommandContext, target: ProbeTarget): Promise<Finding> {
  const t = vscode.l10n.t;
  const title = t('Trying {0}', toHost(target.baseUrl));
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const cancellation = toAbortSignal(token);
      try {
        const onStep = (step: ProbeStep) => progress.report({ message: t(step.template, ...step.args) });
        const [{ probeService }, network] = await Promise.all([import('../../client/probe'), context.network()]);
        const { log, userAgent } = context;
        const result = await probeService({ ...target, network, log, userAgent, onStep, signal: cancellation.signal });
        for (const { state, template, args } of result.steps) {
          log.info(
            `${toHost(target.baseUrl)}: ${state === 'ok' ? '' : 'not '}ok: ${template.replace(/\{(\d)\}/g, (_, place) => args[Number(place)] ?? '')}`,
          );
        }
        return toFinding(result, t);
      } catch (error) {
        throw isCancellation(error) ? new CancelledError() : error;
      } finally {
        cancellation.dispose();
      }
    },
  );
}
