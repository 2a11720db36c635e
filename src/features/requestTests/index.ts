import * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import { Throttle } from '../../common/lists/throttle';
import type { Log } from '../../common/log';
import { registerOptional } from '../../common/optionalApi';
import { onDidChangeSettings } from '../../common/settings';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import type { SubmissionRegistry } from '../ledger';

export interface RequestTestsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
}

/** Registers the requests of files with results as tests in the Test Explorer. Most code is loaded only if any file has results. */
export function registerRequestTests({ commands, log, jobs, registry }: RequestTestsDependencies): vscode.Disposable {
  const tests = new Lazy(async () => new (await import('./requestTests')).ShownTests({ log, jobs, registry }));
  const showing = new Throttle(() => {
    if (tests.current !== undefined || registry.all().some(one => one.results ?? one.groupResults)) {
      tests
        .get()
        .then(shown => shown.show())
        .catch((error: unknown) => log.error('The tests could not be shown', error));
    }
  });
  const showSoon = () => showing.ask();
  const showSoonFor = ({ uri }: vscode.TextDocument) => /\.(?:jsonl|ndjson)$/i.test(uri.path) && showSoon();
  return combine(
    tests,
    showing,
    registerOptional('tests.createTestController', log, () =>
      combine(
        registry.onDidChange(showSoon),
        vscode.workspace.onDidChangeWorkspaceFolders(showSoon),
        vscode.workspace.onDidOpenTextDocument(showSoonFor),
        vscode.workspace.onDidCloseTextDocument(showSoonFor),
        onDidChangeSettings(['managedAgents.tests.enabled'], showSoon),
      ),
    ),
    commands.register('managedAgents.test.goToRequest', test => test && tests.current?.goTo(test)),
    vscode.languages.registerCompletionItemProvider(
      { pattern: '**/*.expect.jsonl' },
      {
        provideCompletionItems: async (...args) =>
          await (await import('./expectationCompletions')).expectationCompletions.provideCompletionItems(...args),
      },
      '"',
    ),
  );
}
