import * as vscode from 'vscode';
import { readSetting } from '../../common/settings';
import { resultsOfSource } from '../ledger';
import { RequestTests, type RequestTestsOptions } from './requestTests';

/** The tests of the request files of this window, there as long as there are any and the settings want them. */
export class ShownTests implements vscode.Disposable {
  private tests: RequestTests | undefined;

  constructor(private readonly options: Pick<RequestTestsOptions, 'log' | 'jobs' | 'registry'>) {}

  /** Shows what there is now. */
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

/** Whether a request file, as a URI string, is one of this window: in its workspace, or open. */
function isHere(source: string): boolean {
  const uri = vscode.Uri.parse(source);
  return (
    uri.scheme === 'file' &&
    (vscode.workspace.getWorkspaceFolder(uri) !== undefined || vscode.workspace.textDocuments.some(open => open.uri.toString() === source))
  );
}
