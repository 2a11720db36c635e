import path from 'node:path';
import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { runTests, testsOf } from '../../../common/testing/runTests';
import { describeError } from '../../../common/text/describeError';
import { toLabel } from '../../../shared/text';
import type { SessionsDependencies } from '../sessionsDependencies';
import { runOn } from './runOn';
import { testEnding } from './testDocument';
import { registerTestProblems } from './testProblems';

const pattern = `**/*${testEnding}`;
const maxFiles = 500;

/**
 * Shows the files of session tests in the Testing view, one test per file, with a profile per connection. A file is read when its test
 * runs.
 */
export class SessionTests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController('managedAgents.sessions', vscode.l10n.t('Managed Agents Sessions'));
  private readonly profiles = new Map<string, vscode.TestRunProfile>();
  private readonly lifetime = new AbortController();
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly deps: Pick<SessionsDependencies, 'connections' | 'log'>) {
    const { controller } = this;
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    controller.refreshHandler = () => this.refresh();
    this.subscriptions = combine(
      controller,
      registerTestProblems(),
      watcher,
      watcher.onDidCreate(uri => this.add(uri)),
      watcher.onDidChange(uri => this.add(uri)),
      watcher.onDidDelete(uri => controller.items.delete(uri.toString())),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.refreshSoon()),
      deps.connections.onDidChange(() => this.showProfiles()),
    );
    this.createProfile(vscode.l10n.t('Run on Recorded Connection'), undefined);
    this.showProfiles();
    this.refreshSoon();
  }

  dispose(): void {
    this.lifetime.abort();
    this.subscriptions.dispose();
  }

  private refreshSoon(): void {
    this.refresh().catch(error => this.deps.log.error('The tests of sessions could not be found', error));
  }

  private async refresh(): Promise<void> {
    const { items } = this.controller;
    const files = await vscode.workspace.findFiles(pattern, '**/node_modules/**', maxFiles);
    const ids = new Set(files.map(String));
    for (const id of [...items].map(([known]) => known).filter(known => !ids.has(known))) {
      items.delete(id);
    }
    for (const file of files.filter(each => items.get(each.toString()) === undefined)) {
      this.add(file);
    }
  }

  /** Adds a new file. Invalidates the results of a changed file. */
  private add(file: vscode.Uri): void {
    const { items } = this.controller;
    const id = file.toString();
    const known = items.get(id);
    if (known !== undefined) {
      this.controller.invalidateTestResults(known);
    } else if (vscode.workspace.getWorkspaceFolder(file) !== undefined && !file.path.includes('/node_modules/')) {
      const item = this.controller.createTestItem(id, toLabel(path.basename(file.path, testEnding), 120), file);
      item.range = new vscode.Range(0, 0, 0, 0);
      items.add(item);
    }
  }

  private showProfiles(): void {
    const connections = this.deps.connections.all();
    const names = new Set(connections.map(({ name }) => name));
    for (const [name, profile] of [...this.profiles].filter(([known]) => !names.has(known))) {
      profile.dispose();
      this.profiles.delete(name);
    }
    const fresh = connections.filter(({ name }) => !this.profiles.has(name));
    for (const { name, isEmulator } of fresh.toSorted((a, b) => Number(b.isEmulator) - Number(a.isEmulator))) {
      const label = isEmulator ? vscode.l10n.t('Run on Emulator') : vscode.l10n.t('Run on {0}', toLabel(name, 60));
      this.profiles.set(name, this.createProfile(label, name));
    }
  }

  /** Creates a profile that runs tests on the connection `name`. Without a name, they run on the connections that their files name. */
  private createProfile(label: string, name: string | undefined): vscode.TestRunProfile {
    const run = (request: vscode.TestRunRequest, token: vscode.CancellationToken) => this.run(name, request, token);
    return this.controller.createRunProfile(label, vscode.TestRunProfileKind.Run, run, name === undefined);
  }

  private async run(name: string | undefined, request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const tests = { controller: this.controller, request, token, lifetime: this.lifetime.signal };
    await runTests(tests, async (run, signal) => {
      const items = testsOf(tests);
      try {
        await runOn(name, { ...this.deps, items, run, signal, lifetime: this.lifetime.signal });
      } catch (error) {
        this.deps.log.error('Tests of sessions could not be run', error);
        for (const item of items) {
          run.errored(item, new vscode.TestMessage(describeError(error)));
        }
      }
    });
  }
}
