import * as vscode from 'vscode';
import type { Disposable } from 'vscode';
import type { Deployment, DeploymentRun } from '../../../client/schemas/deployments';
import { showWarning } from '../../../common/asking/notifications';
import { describeError } from '../../../common/text/describeError';
import type { PresentationContext } from '../../../common/text/presentation';
import { views } from '../../../contributions';
import { deploymentRuns } from '../kinds/deploymentRuns';
import { deployments } from '../kinds/deployments';
import type { Remarks } from '../remarks';
import type { ResourceStore } from '../resourceStore';
import type { Service } from '../service';
import { describeMissed, presentMissed } from './missedPresentation';
import { MissedRuns } from './missedRuns';

export interface MissedRunsDependencies {
  readonly service: Service;
  readonly memory: vscode.Memento;
  readonly presentation: () => PresentationContext;
  readonly warn: (message: string) => void;
}

/** Creates the detector of missed runs. It polls in the background and reports its findings in a notification. */
export function createMissedRuns({ service, memory, presentation, warn }: MissedRunsDependencies): MissedRuns {
  return new MissedRuns({
    memory,
    warn,
    now: () => Date.now(),
    readRuns: async ({ connection, id }, createdSince, createdUntil) => {
      const { client } = await service.reach(connection, 'nobody');
      const filters = { deploymentId: id, triggerType: 'schedule', createdSince, createdUntil } as const;
      return (await client.deployments.runs.list({ limit: 100, ...filters })).items;
    },
    tell: news => {
      const show = vscode.l10n.t('Show Deployments');
      void showWarning(describeMissed(news, presentation()), show).then(async answer => {
        if (answer === show) {
          await vscode.commands.executeCommand(`${views.resources}.focus`);
        }
      });
    },
  });
}

/** Returns the missed runs of deployments as rows below them. */
export function remarksOfMissed(missed: MissedRuns): Remarks {
  return {
    of: (reference, context) => {
      const times = reference.kind === deployments.kind ? missed.of(reference) : [];
      return times.length === 0 ? undefined : presentMissed(times, context);
    },
  };
}

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
