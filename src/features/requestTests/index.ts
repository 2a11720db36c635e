import * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import type { Log } from '../../common/log';
import { onDidChangeSettings, readSetting } from '../../common/settings';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import { resultsOfSource, type SubmissionRegistry } from '../ledger';
import type { RequestTests } from './requestTests';

export interface RequestTestsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
}

/** How long changes of the registry are gathered, in milliseconds. */
const gatherMs = 200;

/** The requests of files that have results, as tests in the Test Explorer. Loaded when there are any. */
export function registerRequestTests({ commands, log, jobs, registry }: RequestTestsDependencies): vscode.Disposable {
  const lifetime = new AbortController();
  let tests: Lazy<RequestTests> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const show = async () => {
    if (!readSetting('managedAgents.tests.enabled')) {
      tests?.dispose();
      tests = undefined;
    } else if (tests !== undefined || registry.all().some(one => (one.results ?? one.groupResults) !== undefined && isHere(one.source))) {
      tests ??= new Lazy(async () => {
        const resultsOf = (source: string) => resultsOfSource(registry.all(), source)?.results;
        return new (await import('./requestTests')).RequestTests({ log, jobs, registry, isHere, resultsOf });
      });
      (await tests.get()).refresh();
    }
  };
  const showSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      show().catch(error => log.error('The tests could not be shown', error));
    }, gatherMs);
  };
  const showSoonFor = ({ uri }: vscode.TextDocument) => /\.(?:jsonl|ndjson)$/i.test(uri.path) && showSoon();
  return combine(
    {
      dispose: () => {
        clearTimeout(timer);
        lifetime.abort();
        tests?.dispose();
      },
    },
    registry.onDidChange(showSoon),
    vscode.workspace.onDidChangeWorkspaceFolders(showSoon),
    vscode.workspace.onDidOpenTextDocument(showSoonFor),
    vscode.workspace.onDidCloseTextDocument(showSoonFor),
    onDidChangeSettings(['managedAgents.tests.enabled'], showSoon),
    commands.register('managedAgents.test.goToRequest', test => test && tests?.current?.goTo(test)),
    commands.register('managedAgents.expectations.create', async file => {
      await (await import('./createExpectations')).createExpectations({ jobs, registry, lifetime: lifetime.signal }, file);
    }),
  );
}

/** Whether a request file, as a URI string, is one of this window: in its workspace, or open. */
function isHere(source: string): boolean {
  const uri = vscode.Uri.parse(source);
  return (
    uri.scheme === 'file' &&
    (vscode.workspace.getWorkspaceFolder(uri) !== undefined || vscode.workspace.textDocuments.some(open => open.uri.toString() === source))
  );
}
