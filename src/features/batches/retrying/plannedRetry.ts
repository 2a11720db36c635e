import path from 'node:path';
import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import { isCancellation } from '../../../common/cancellation';
import { runCommand } from '../../../common/commands';
import { readEstimateSettings } from '../../../common/estimateSettings';
import type { PresentationContext } from '../../../common/text/presentation';
import type { BatchReference, RunReference } from '../../../contributions';
import type { RetryPlan } from '../../../jsonl/retrying/retryingJobs';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { finalResultsOf, toRuns } from '../../ledger';
import { chooseRun } from '../chooseRun';
import type { RunDependencies } from '../runCommands';
import { baseName } from '../sourceNames';
import { askAct } from './askAct';
import { fixGroup } from './fixGroup';
import { makePlan } from './makePlan';
import type { RetryPrices } from './retryCost';
import { askRetry, RetryChoice } from './retryPick';
import { describeCause, describeWritten, toPlanPage } from './retryPresentation';
import type { RetrySources } from './retrySources';
import { openLine, showLines } from './showLines';
import { writeRetryFile } from './writeRetryFile';

/** Plans what of a run is sent again, lets the user choose, and writes it to a file. */
export async function planRetry(deps: RunDependencies, target: RunReference | BatchReference | vscode.Uri | undefined): Promise<void> {
  const { registry } = deps;
  const { t } = vscode.l10n;
  const run = await chooseRun(
    registry,
    target,
    t('Plan the retry of which batch?'),
    one => finalResultsOf(toRuns(registry.all()), one) !== undefined,
  );
  const name = toLabel(baseName(run.source), 80);
  const { sources, plan } = await makePlan(deps, run, name);
  if (plan.groups.length === 0) {
    void showInformation(describeNothing(plan, name));
    return;
  }
  const choice = new RetryChoice(plan);
  const prices: RetryPrices = readEstimateSettings();
  const context = messageContext();
  for (;;) {
    const wish = await askRetry(name, choice, prices, context);
    try {
      switch (wish.kind) {
        case 'write':
          await writePlanned(deps, sources, choice, name);
          return;
        case 'page':
          await deps.showPage(t('Retry of {0}', name), toPlanPage(name, plan, choice.acts, choice.chosen, prices, context));
          return;
        case 'change':
          choice.set(
            wish.group,
            await askAct(
              wish.group,
              deps.rules.models()?.map(({ id }) => id),
            ),
          );
          break;
        case 'lines':
          if (await showLines(wish.group, sources)) {
            return;
          }
          break;
        case 'open':
          await openLine(wish.group, 0, sources);
          return;
        case 'fix':
          await fixGroup(deps, wish.group, choice.actOf(wish.group), sources);
          return;
      }
    } catch (error) {
      // Whoever turns back from a question is at the plan again.
      if (!isCancellation(error) || wish.kind === 'write') {
        throw error;
      }
    }
  }
}

function describeNothing({ underWay, kept }: RetryPlan, name: string): string {
  const { t } = vscode.l10n;
  if (underWay > 0) {
    return underWay === 1
      ? t('Nothing is left to send again of {0}: 1 request is in a batch that has no results yet. Fetch those first.', name)
      : t('Nothing is left to send again of {0}: {1} requests are in a batch that has no results yet. Fetch those first.', name, underWay);
  }
  return kept === 1
    ? t('The 1 request of {0} has a good answer.', name)
    : t('All {0} requests of {1} have a good answer.', numberFormat(vscode.env.language).format(kept), name);
}

async function writePlanned(deps: RunDependencies, sources: RetrySources, choice: RetryChoice, name: string): Promise<void> {
  const groups = choice.groups;
  const written = await writeRetryFile(
    deps,
    sources,
    groups.map(group => ({ change: choice.actOf(group).change, places: group.places })),
    name,
  );
  const others = choice.plan.groups.filter(group => !groups.includes(group));
  const message = describeWritten(
    {
      ...written,
      name: path.basename(written.path),
      left: others.reduce((sum, { count }) => sum + count, 0),
      leftFor: others.map(group => describeCause(group, messageContext())),
      underWay: choice.plan.underWay,
      gone: written.gone + groups.reduce((sum, { gone }) => sum + gone, 0),
      toEdit: groups
        .filter(group => group.action === 'edit' && choice.actOf(group).change === undefined)
        .reduce((sum, { count }) => sum + count, 0),
    },
    messageContext(),
  );
  const create = vscode.l10n.t('Create Batch');
  void showInformation(message, create).then(async answer => {
    if (answer === create) {
      await runCommand('managedAgents.batch.create', vscode.Uri.file(written.path));
    }
  });
}

function messageContext(): PresentationContext {
  return { translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() };
}
