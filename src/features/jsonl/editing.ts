import type * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import type { Log } from '../../common/log';
import type { JsonlJobs } from '../../jsonl/jobs';
import type { Connections } from '../connection/connection';
import type { RequestDocuments } from './requestDocuments';
import { registerRequestEditor } from './requestEditor';

/** What the parts that help to write request files are given. */
export interface EditingDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly jobs: JsonlJobs;
  readonly documents: RequestDocuments;
}

/**
 * Everything that helps to write request files: completion, hovers, symbols, fixes, single requests as documents. Loaded when
 * the first request file is open, or a command asks for it.
 */
export function registerEditing(deps: EditingDependencies): vscode.Disposable {
  const { commands, documents, log } = deps;
  const loaded: vscode.Disposable[] = [];
  let loading: Promise<void> | undefined;
  let isDisposed = false;
  const load = () => {
    loading ??= Promise.all([import('./language'), import('./fixes')]).then(([{ registerLanguage }, { registerFixes }]) => {
      if (!isDisposed) {
        loaded.push(registerLanguage(deps), registerFixes(deps));
      }
    });
    loading.catch(error => log.error('The help for request files could not be loaded', error));
  };
  const opened = documents.onDidOpen(load);
  if (documents.all().length > 0) {
    load();
  }
  return combine(
    opened,
    registerRequestEditor(deps),
    commands.register('managedAgents.request.goTo', async file => (await import('./language/goToRequest')).goToRequest(deps, file)),
    commands.register('managedAgents.file.fix', async file => (await import('./fixes/fixFile')).fixFile(deps, file)),
    commands.register('managedAgents.file.makeIds', async file => (await import('./fixes/makeIds')).makeIds(deps, file)),
    commands.register('managedAgents.rule.explain', async rule => (await import('./ruleCommands')).explainRule(deps, rule)),
    commands.register('managedAgents.rule.changeSeverity', async rule => (await import('./ruleCommands')).changeSeverity(deps, rule)),
    {
      dispose: () => {
        isDisposed = true;
        for (const part of loaded) {
          part.dispose();
        }
      },
    },
  );
}
