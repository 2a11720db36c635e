import * as vscode from 'vscode';
import { askChoice } from '../../../../common/asking/askSteps';
import { toNumber } from '../../../../shared/formats';
import type { RunAgentView } from '../../../../shared/session/runViews';

/** Asks for one of the agents of a workflow run. Returns the ID of its thread. */
export async function chooseRunThread(agents: readonly RunAgentView[]): Promise<string> {
  return await askChoice({
    title: vscode.l10n.t('Show Thread'),
    placeholder: vscode.l10n.t('Select an agent'),
    choices: agents.map(({ thread, name, status, waiting, tokens }) => ({
      label: name,
      description: [
        waiting > 0 ? vscode.l10n.t('needs approval') : status,
        tokens === undefined ? '' : vscode.l10n.t('{0} tokens', toNumber(tokens, vscode.env.language)),
      ]
        .filter(word => word !== '')
        .join(' · '),
      value: thread,
    })),
  });
}
