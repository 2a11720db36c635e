import * as vscode from 'vscode';
import { showWarning } from '../../../common/asking/notifications';
import type { PresentationContext } from '../../../common/text/presentation';
import { views } from '../../../contributions';
import { deployments } from '../kinds/deployments';
import type { Remarks } from '../remarks';
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
