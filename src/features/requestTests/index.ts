import * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import { Throttle } from '../../common/lists/throttle';
import type { Log } from '../../common/log';
import { registerOptional } from '../../common/optionalApi';
import { onDidChangeSettings, readSetting } from '../../common/settings';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import type { Submission, SubmissionRegistry } from '../ledger';
import type { RequestTests } from './requestTests';

interface RequestTestsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
}

/** Registers tests in the Test Explorer for the requests of files with results. Most code is loaded only if any file has results. */
export function registerRequestTests({ commands, log, jobs, registry }: RequestTestsDependencies): vscode.Disposable {
  let tests: RequestTests | undefined;
  const hide = () => {
    tests?.dispose();
    tests = undefined;
  };
  const show = async () => {
    const { RequestTests: Tests } = await import('./requestTests');
    if (!readSetting('managedAgents.tests.enabled')) {
      hide();
    } else if (tests !== undefined || registry.all().some(one => hasFetchedResults(one) && isHere(one.source))) {
      tests ??= new Tests({ log, jobs, registry }, isHere);
      tests.refresh();
    }
  };
  const showing = new Throttle(() => {
    if (tests !== undefined || registry.all().some(hasFetchedResults)) {
      show().catch((error: unknown) => log.error('The tests could not be shown', error));
    }
  });
  const showSoon = () => showing.ask();
  const showSoonFor = ({ uri }: vscode.TextDocument) => /\.(?:jsonl|ndjson)$/i.test(uri.path) && showSoon();
  return combine(
    { dispose: hide },
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
    commands.register('managedAgents.test.goToRequest', test => test && tests?.goTo(test)),
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

function hasFetchedResults({ results, groupResults }: Submission): boolean {
  return (results ?? groupResults) !== undefined;
}

/** Returns whether a request file, given as a URI string, is in the workspace or open. */
function isHere(source: string): boolean {
  const uri = vscode.Uri.parse(source);
  return (
    uri.scheme === 'file' &&
    (vscode.workspace.getWorkspaceFolder(uri) !== undefined || vscode.workspace.textDocuments.some(open => open.uri.toString() === source))
  );
}
