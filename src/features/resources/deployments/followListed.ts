import type { Disposable } from 'vscode';
import type { Deployment, DeploymentRun } from '../../../client/schemas/deployments';
import { describeError } from '../../../common/text/describeError';
import { deploymentRuns } from '../kinds/deploymentRuns';
import { deployments } from '../kinds/deployments';
import type { ResourceStore } from '../resourceStore';
import type { MissedRuns } from './missedRuns';

/**
 * Checks deployments and runs for missed times as soon as they are listed. Waiting for the next render would miss a listing that is
 * replaced before it, together with its promised times.
 */
export function followListed(missed: MissedRuns, store: ResourceStore, warn: (message: string) => void): Disposable {
  return store.onDidChange(() => {
    for (const { kind, connection, parent, list } of store.all()) {
      if (kind.kind === deployments.kind && parent === undefined && list.isListed) {
        missed.see(connection, list.items as readonly Deployment[]).catch((error: unknown) => warn(describeError(error)));
      }
      if (kind.kind === deploymentRuns.kind && parent !== undefined) {
        missed.seeRuns(parent, list.items as readonly DeploymentRun[]);
      }
    }
  });
}
