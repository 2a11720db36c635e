import * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import { ReportDocuments } from '../../common/documents/reportDocuments';
import { Lazy } from '../../common/lazy';
import { tellVerdicts } from './canary/tellVerdicts';
import { hashSoon } from './incremental/hashSoon';
import type { ShownSheet } from './sheet/sheets';
import type { ChosenRequests } from './submitting/chosenRequests';
import type { CreateBatchDependencies } from './submitting/createBatchDependencies';

/** What the commands on runs need. */
export interface RunDependencies extends CreateBatchDependencies {
  readonly commands: CommandRegistry;
  /** Shows the sheet of a file from which these of its requests can be sent. */
  readonly showChosen: (file: vscode.Uri, chosen: ChosenRequests) => Promise<ShownSheet>;
  /** Shows a text in Markdown as a page that cannot be edited. */
  readonly showPage: (name: string, text: string) => Promise<void>;
}

/** The commands on what was submitted from this machine. What they do is loaded when one is used. */
export function registerRunCommands(given: Omit<RunDependencies, 'showPage'>): vscode.Disposable {
  const { commands } = given;
  const pages = new Lazy(async () => (await import('./retrying/runPages')).createRunPages());
  const deps: RunDependencies = { ...given, showPage: async (name, text) => await (await pages.get()).show(name, text) };
  const reports = new ReportDocuments('managed-agents-run-report', () =>
    vscode.l10n.t('This report is no longer kept. Run the command again to get a new one.'),
  );
  const steps = new Lazy(async () => new (await import('./reconciling/stepsDocuments')).StepsDocuments(deps.registry));
  return combine(
    steps,
    reports,
    pages,
    hashSoon(deps),
    tellVerdicts(deps),
    commands.register('managedAgents.submission.resolve', async target =>
      (await import('./reconciling/stepsCommands')).findOut(deps, await steps.get(), target),
    ),
    commands.register('managedAgents.submission.forget', async target =>
      (await import('./reconciling/stepsCommands')).forget(deps.registry, target),
    ),
    commands.register('managedAgents.batch.adopt', async target => (await import('./reconciling/adoptBatch')).adoptBatch(deps, target)),
    commands.register('managedAgents.group.resume', async target => (await import('./groups/resumeGroup')).resume(deps, target)),
    commands.register('managedAgents.batch.createChanged', async file =>
      (await import('./incremental/createChanged')).createChanged({ ...deps, reports }, file),
    ),
    commands.register('managedAgents.canary.create', async (file, count) =>
      (await import('./canary/canaryCommands')).createCanary(deps, file, count),
    ),
    commands.register('managedAgents.canary.continue', async target =>
      (await import('./canary/canaryCommands')).continueCanary({ ...deps, reports }, target),
    ),
    commands.register('managedAgents.canary.showVerdict', async target =>
      (await import('./canary/canaryCommands')).showCanaryVerdict(deps, target),
    ),
    commands.register('managedAgents.retry.plan', async target => (await import('./retrying/plannedRetry')).planRetry(deps, target)),
  );
}
