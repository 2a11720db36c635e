import * as vscode from 'vscode';
import type { DeploymentRun } from '../../../client/resources/deployments';
import { confirmChange } from '../../../common/asking/confirmChange';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import type { Reference } from '../../../contributions';
import { deploymentRuns } from '../kinds/deploymentRuns';
import { deployments } from '../kinds/deployments';
import { describeRunError } from '../kinds/deploymentWords';
import { type ResourceFlow, resourceToChange, unlessGone } from '../resourceFlow';

/** Starts a session of a deployment now, after asking, because it costs money. Shows where the session is, or why there is none. */
export async function runDeployment(flow: ResourceFlow, target: Reference | undefined): Promise<void> {
  const { reference, reached, value: deployment } = await resourceToChange(flow, target, deployments, 'runnable');
  const { connection, client } = reached;
  const name = deployments.name(deployment);
  const detail = vscode.l10n.t('It starts a session, which costs money.');
  const title = vscode.l10n.t('Run "{0}" now?', name);
  const limit = deployment.budget == null ? vscode.l10n.t('It has no budget limit.') : '';
  await confirmChange(connection, { title, details: [limit, detail], button: vscode.l10n.t('Run Now') });
  try {
    const { data } = await unlessGone(flow, reference, () => client.deployments.run(reference.id));
    flow.store.put({ connection: connection.name, kind: deploymentRuns.kind, parent: reference }, data);
    // Not awaited: the message stays until the user closes it.
    void showStarted(name, connection.name, data);
  } finally {
    // There may be a run even if the request failed.
    await flow.store.listOf(connection.name, deploymentRuns, reference).refresh();
  }
}

async function showStarted(name: string, connection: string, { session_id: sessionId, error }: DeploymentRun): Promise<void> {
  if (!sessionId) {
    await showWarning(vscode.l10n.t('"{0}" couldn\'t start a session: {1}.', name, describeRunError(error, vscode.l10n.t)));
    return;
  }
  const open = vscode.l10n.t('Open Session');
  if ((await showInformation(vscode.l10n.t('"{0}" started a session.', name), open)) === open) {
    await runCommand('managedAgents.session.open', { connection, sessionId });
  }
}
