import type { Disposable } from 'vscode';
import * as vscode from 'vscode';
import type { Deployment, DeploymentRun } from '../../../client/resources/deployments';
import { showWarning } from '../../../common/asking/notifications';
import { describeError } from '../../../common/text/describeError';
import { describeSince, describeTime, join, type PresentationContext } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { views } from '../../../contributions';
import { listFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { deploymentRuns } from '../kinds/deploymentRuns';
import { deployments } from '../kinds/deployments';
import type { ResourceFlow } from '../resourceFlow';
import type { Remark, RemarksOf } from '../resourcePresentation';
import type { ResourceStore } from '../resourceStore';
import { type MissedNews, MissedRuns } from './missedRuns';

/** Creates the detector of missed runs. It polls in the background and reports its findings in a notification. */
export function createMissedRuns(
  { service, presentation }: Pick<ResourceFlow, 'service' | 'presentation'>,
  memory: vscode.Memento,
  warn: (message: string) => void,
): MissedRuns {
  return new MissedRuns({
    memory,
    warn,
    now: () => Date.now(),
    readRuns: async ({ connection, id }, createdSince, createdUntil) => {
      const { client } = await service.reach(connection, 'nobody');
      const filters = { deploymentId: id, triggerType: 'schedule', createdSince, createdUntil } as const;
      return (await client.deployments.runs.list({ limit: 100, ...filters })).items;
    },
    report: news => {
      const show = vscode.l10n.t('Show Deployments');
      void showWarning(describeMissed(news, presentation()), show).then(
        answer => answer && vscode.commands.executeCommand(`${views.resources}.focus`),
      );
    },
  });
}

/** Returns the missed runs of deployments as rows below them. */
export function remarksOfMissed(missed: MissedRuns): RemarksOf {
  return (reference, context) => {
    const times = reference.kind === deployments.kind ? missed.of(reference) : [];
    return times.length === 0 ? undefined : presentMissed(times, context);
  };
}

/**
 * Checks deployments and runs for missed times as soon as they are listed. At the next render, a newer listing may already have replaced
 * this one, and its announced times would be lost.
 */
export function followListed(missed: MissedRuns, store: ResourceStore, warn: (message: string) => void): Disposable {
  return store.onDidChange(() => {
    for (const { kind, connection, parent, list } of store.all()) {
      if (kind.kind === deployments.kind && parent === undefined && list.isListed) {
        missed.update(connection, list.items as readonly Deployment[]).catch((error: unknown) => warn(describeError(error)));
      }
      if (kind.kind === deploymentRuns.kind && parent !== undefined) {
        missed.updateRuns(parent, list.items as readonly DeploymentRun[]);
      }
    }
  });
}

const maxNamed = 5;

/** Returns a row for each missed time, latest first, and a short summary of all. */
export function presentMissed(times: readonly number[], context: PresentationContext) {
  const { translate } = context;
  const words = times.length === 1 ? translate('missed 1 run') : translate('missed {0} runs', times.length);
  const label = translate('Missed');
  const remarks = times.map((time): Remark => {
    const at = new Date(time).toISOString();
    const when = describeTime(at, context);
    // The age comes first: rows are truncated.
    const description = join(' · ', describeSince(at, context), when);
    return {
      ...{ id: String(time), label, description, icon: 'warning', color: 'list.warningForeground' },
      abilities: 'remark missedRun',
      spoken: `${label}, ${description}`,
      tooltip: translate('The run at {0} was missed. You can run it manually.', when),
    };
  });
  return { words, remarks };
}

/** Returns one sentence about all runs missed since the last check. */
export function describeMissed(news: readonly MissedNews[], context: PresentationContext): string {
  const { translate, locale } = context;
  const nameOf = ({ name, reference }: MissedNews) => toLabel(name, 60) || toLabel(reference.id, 60);
  const [first] = news;
  if (first === undefined) {
    return '';
  }
  if (news.length > 1) {
    return translate('{0} deployments missed runs: {1}.', news.length, listNames(news.map(nameOf), locale, translate));
  }
  const last = describeTime(new Date(first.times.at(-1) ?? 0).toISOString(), context);
  return first.times.length === 1
    ? translate('"{0}" missed a scheduled run ({1})', nameOf(first), last)
    : translate('"{0}" missed {1} scheduled runs (last: {2})', nameOf(first), first.times.length, last);
}

function listNames(names: readonly string[], locale: string, translate: Translate): string {
  const shown = names.slice(0, maxNamed);
  const more = names.length > maxNamed ? [translate('{0} more', names.length - maxNamed)] : [];
  return listFormat(locale, { type: 'conjunction' }).format([...shown, ...more]);
}
