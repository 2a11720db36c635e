import * as vscode from 'vscode';
import { isCancellation } from '../../../common/cancellation';
import { hostOf } from '../../../common/text/presentation';
import type { ConnectionCommandContext } from '../connectionCommandContext';
import { type Finding, foundNothing, toFinding } from './probeFinding';

/** Probes a service while a quick pick shows the progress. If the user closes it, the finding is that the probe was cancelled. */
export async function probeInPicker(
  context: ConnectionCommandContext,
  target: { readonly baseUrl: string; readonly key: string; readonly allowInsecureHttp: boolean },
): Promise<Finding> {
  const t = vscode.l10n.t;
  const host = hostOf(target);
  const controller = new AbortController();
  const pick = vscode.window.createQuickPick();
  pick.title = t('Trying {0}', host);
  pick.placeholder = t('Testing the connection. Press Escape to cancel.');
  pick.busy = true;
  pick.ignoreFocusOut = true;
  const hidden = pick.onDidHide(() => controller.abort());
  pick.show();
  try {
    const [{ probeService }, network] = await Promise.all([import('../../../client/probe'), context.network()]);
    const { log, userAgent } = context;
    log.info(`Trying ${host}`);
    return toFinding(await probeService({ ...target, network, log, userAgent, signal: controller.signal }), t);
  } catch (error) {
    if (!isCancellation(error)) {
      throw error;
    }
    return foundNothing({ headline: t('The test was canceled.'), details: '', remedy: 'again' });
  } finally {
    hidden.dispose();
    pick.dispose();
  }
}
