import * as vscode from 'vscode';
import { runCommand } from '../../common/commands';
import { combine } from '../../common/disposables';
import { whenOpened } from '../../common/documents/whenOpened';
import { ReportDocuments } from '../../common/documents/reportDocuments';
import { Lazy } from '../../common/lazy';
import type { FileWorkDependencies, RequestFileDependencies } from './fileWork';

/** Registers the commands that build requests from rows and a template. A command or an open template loads the code. */
function registerRowsBuilding(deps: FileWorkDependencies): vscode.Disposable {
  const { commands, connections, context, log } = deps;
  const building = new Lazy(async () => new (await import('./building/rowsBuilding')).RowsBuilding(deps));
  const help = ({ uri }: vscode.TextDocument) => {
    if (uri.path.endsWith('.batch-template.json') || uri.scheme === 'managed-agents-build') {
      building.get().catch(error => log.error('The help for request templates could not be loaded', error));
    }
  };
  return combine(
    building,
    whenOpened(help),
    // Menus pass other values after the URI.
    commands.register('managedAgents.file.build', async (uri, act) =>
      (await building.get()).build(uri, act === 'anotherRow' || act === 'chooseRows' ? act : undefined),
    ),
    commands.register('managedAgents.sample.open', async () => {
      const { openSample } = await import('./openSample');
      await openSample(context.extensionUri, async (template, rows) => (await building.get()).open(template, rows));
      await connections.whenKnown;
      if (connections.state === 'none') {
        await runCommand('managedAgents.emulator.start');
      }
    }),
  );
}

/** Registers the commands that create request files: from rows and a template, from other formats, and from request files. */
export function registerRequestFileCommands(deps: RequestFileDependencies): vscode.Disposable {
  const { commands } = deps;
  const lifetime = new AbortController();
  const reports = new ReportDocuments('managed-agents-report', () => vscode.l10n.t('This document has expired. Run the command again.'));
  const workDeps = { ...deps, lifetime: lifetime.signal, reports };
  return combine(
    registerRowsBuilding(workDeps),
    reports,
    { dispose: () => lifetime.abort() },
    commands.register('managedAgents.file.convert', async file =>
      (await import('./converting/convertRequestFile')).convertFile(workDeps, file),
    ),
    commands.register('managedAgents.file.arrange', async (file, selected) =>
      (await import('./arranging/arrangeRequests')).arrangeRequests(workDeps, file, Array.isArray(selected) ? selected : undefined),
    ),
  );
}
