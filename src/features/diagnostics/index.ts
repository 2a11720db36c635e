import type * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import { ReadonlyDocuments } from '../../common/documents/readonlyDocuments';
import type { Connections, RecentCalls } from '../connection';
import type { SubmissionRegistry } from '../ledger';

export interface DiagnosticsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly connections: Connections;
  readonly recentCalls: RecentCalls;
  readonly registry: SubmissionRegistry;
}

/** Registers the command that copies a report for an issue. */
export function registerDiagnostics(deps: DiagnosticsDependencies): vscode.Disposable {
  const reports = new ReadonlyDocuments('managed-agents-diagnostics');
  return combine(
    reports,
    deps.commands.register('managedAgents.diagnostics.copy', async () =>
      (await import('./copyDiagnostics')).copyDiagnostics(deps, reports),
    ),
  );
}
