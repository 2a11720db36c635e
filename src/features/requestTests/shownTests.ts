import * as vscode from 'vscode';
import { readSetting } from '../../common/settings';
import { resultsOfSource } from '../ledger';
import { RequestTests, type RequestTestsOptions } from './requestTests';

/** Tests of this window's request files. They exist while there are results and the setting is on. */
export class ShownTests implements vscode.Disposable {
  private tests: RequestTests | undefined;

  constructor(private readonly options: Pick<RequestTestsOptions, 'log' | 'jobs' | 'registry'>) {}

  /** Shows or removes the tests to match the current state. */
  show(): void {
    const { registry } = this.options;
    if (!readSetting('managedAgents.tests.enabled')) {
      this.dispose();
    } else if (
      this.tests !== undefined ||
      registry.all().some(one => (one.results ?? one.groupResults) !== undefined && isHere(one.source))
    ) {
      const resultsOf = (source: string) => resultsOfSource(registry.all(), source)?.results;
      this.tests ??= new RequestTests({ ...this.options, isHere, resultsOf });
      this.tests.refresh();
    }
  }

  async goTo(item: vscode.TestItem): Promise<void> {
    await this.tests?.goTo(item);
  }

  dispose(): void {
    this.tests?.dispose();
    this.tests = undefined;
  }
}

/** Returns whether a request file, given as a URI string, belongs to this window: it is in the workspace or open. */
function isHere(source: string): boolean {
  const uri = vscode.Uri.parse(source);
  return (
    uri.scheme === 'file' &&
    (vscode.workspace.getWorkspaceFolder(uri) !== undefined || vscode.workspace.textDocuments.some(open => open.uri.toString() === source))
  );
}
