import path from 'node:path';
import * as vscode from 'vscode';
import { runCommand } from '../../common/commands';
import { runTests } from '../../common/testing/runTests';
import { describeError } from '../../common/text/describeError';
import type { JudgedGroup } from '../../jsonl/expecting/judgeResults';
import { lineOfDerivedId } from '../../jsonl/files/derivedIds';
import { toLabel } from '../../shared/text';
import { isMerged, type RunResults, resultsOfSource } from '../ledger';
import type { TestedFile, TestedRequest } from './testedFile';
import { labelOf } from './testPresentation';
import { describeResults, requestsBelow, type TestDependencies, TestTree, toFailureMessage } from './testTree';

interface FailedTest {
  readonly item: vscode.TestItem;
  readonly request: TestedRequest;
  readonly group: JudgedGroup | undefined;
}

/** Maximum number of failed requests to report individually in a run. The remaining requests only get the description of their group. */
const maxReported = 1_000;

/** Test run. Reports failed requests with details up to a maximum number. */
class TestJudging {
  private left = maxReported;

  constructor(
    private readonly run: vscode.TestRun,
    private readonly tree: TestTree,
    private readonly excluded: ReadonlySet<vscode.TestItem>,
  ) {}

  /** Judges a file again and reports the selected tests, given by id. */
  async judge(fileItem: vscode.TestItem, wanted: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const { run, excluded } = this;
    const node = this.tree.nodeOf(fileItem);
    const before = wanted.has(fileItem.id) ? [] : requestsBelow(fileItem).filter(item => isWithin(item, wanted));
    await this.tree.open(fileItem, signal);
    const results = node?.kind === 'file' ? this.tree.resultsOf(node.file.source) : undefined;
    if (node?.kind !== 'file' || results === undefined || fileItem.error !== undefined) {
      const problem = fileItem.error ?? vscode.l10n.t('The results file is missing or has changed. Fetch the results again.');
      run.errored(fileItem, new vscode.TestMessage(problem));
      return;
    }
    for (const group of node.file.groups) {
      run.appendOutput(`${fileItem.label}: ${group.count}  ${labelOf(group, vscode.l10n.t)}\r\n`);
    }
    const unread = node.file.problems.filter(({ code }) => code === 'not-json' || code === 'not-object').length;
    if (unread > 0) {
      // An unreadable line could belong to any request. Without an error, its request would pass.
      const name = toLabel(path.basename(node.file.expectationsPath), 80);
      run.errored(fileItem, new vscode.TestMessage(vscode.l10n.t('Invalid lines in {1}: {0}. See the Problems view.', unread, name)));
    }
    const { file } = node;
    this.showMoved(fileItem, file, before);
    const wantedIds = new Set([...wanted, ...before.map(({ id }) => id)]);
    const targets: FailedTest[] = [];
    for (const [, groupItem] of fileItem.children) {
      if (!excluded.has(groupItem)) {
        const isWhole = wanted.has(fileItem.id) || wanted.has(groupItem.id);
        targets.push(...this.reportGroup(groupItem, isWhole ? undefined : wantedIds));
      }
    }
    const shown = new Set(before.length === 0 ? [] : requestsBelow(fileItem).map(({ id }) => id));
    for (const item of before.filter(({ id }) => !shown.has(id))) {
      run.skipped(item);
    }
    const rows = targets.flatMap(({ request }) => request.entry?.row ?? []);
    const details = rows.length === 0 ? undefined : await file.details(rows, signal);
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === fileItem.uri?.toString());
    for (const { item, request, group } of targets) {
      const detail = request.entry && details?.get(request.entry.row);
      run.failed(item, toFailureMessage(item, lineNow(document, request), group, detail));
    }
  }

  /** Creates items for requests that have moved to another group. The group may not be expanded. */
  private showMoved(fileItem: vscode.TestItem, file: TestedFile, before: readonly vscode.TestItem[]): void {
    const remaining = new Set(before.length === 0 ? [] : requestsBelow(fileItem).map(({ id }) => id));
    const moved = before.filter(({ id }) => !remaining.has(id));
    const ids = moved.map(item => this.tree.nodeOf(item)).flatMap(node => (node?.kind === 'request' ? node.request.customId : []));
    this.tree.show(fileItem, file, new Set(ids));
  }

  /** Reports the selected passed requests of a group. Returns the selected failed requests, whose details must be read first. */
  private reportGroup(item: vscode.TestItem, wanted: ReadonlySet<string> | undefined): readonly FailedTest[] {
    const { run, excluded } = this;
    const node = this.tree.nodeOf(item);
    if (node?.kind !== 'group') {
      return [];
    }
    const { group } = node;
    const isWhole = wanted === undefined || wanted.has(item.id);
    const passed = group.kind === 'passed';
    if (isWhole && item.children.size === 0 && !passed && this.left > 0 && (node.first ?? 0) === 0) {
      this.tree.openNow(item);
    }
    if (isWhole && item.children.size === 0) {
      if (passed) {
        run.passed(item);
      } else {
        run.failed(item, new vscode.TestMessage(labelOf(group, vscode.l10n.t)));
      }
      return [];
    }
    const targets: FailedTest[] = [];
    for (const [, child] of item.children) {
      const childNode = this.tree.nodeOf(child);
      if (excluded.has(child)) {
        continue;
      }
      if (childNode?.kind !== 'request') {
        targets.push(...this.reportGroup(child, isWhole ? undefined : wanted));
      } else if (isWhole || wanted.has(child.id)) {
        if (passed) {
          run.passed(child);
        } else if (this.left-- > 0) {
          targets.push({ item: child, request: childNode.request, group: group.kind === 'missing' ? undefined : group });
        } else {
          run.failed(child, new vscode.TestMessage(labelOf(group, vscode.l10n.t)));
        }
      }
    }
    return targets;
  }
}

/** Returns the 0-based line that a request had when it was sent. -1 if it had none or another request is now at that line. */
function lineNow(document: vscode.TextDocument | undefined, { customId, entry }: TestedRequest): number {
  const line = entry?.line ?? -1;
  if (document === undefined || line < 0 || lineOfDerivedId(customId) !== undefined) {
    return line;
  }
  return line < document.lineCount && document.lineAt(line).text.includes(JSON.stringify(customId)) ? line : -1;
}

/** Returns whether an item or one of its ancestors is in a set of ids. */
function isWithin(item: vscode.TestItem, ids: ReadonlySet<string>): boolean {
  return ids.has(item.id) || (item.parent !== undefined && isWithin(item.parent, ids));
}

const maxFiles = 100;

/**
 * Tests in the Test Explorer for the requests of files with fetched results: file, cause of failure, request. Items are created when
 * expanded. A test judges the answer of its request by the service's status and by the expectations file of the request file. Nothing is
 * sent.
 */
export class RequestTests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController('managedAgents.requests', vscode.l10n.t('Managed Agents Requests'));
  private readonly problems = vscode.languages.createDiagnosticCollection('managedAgents.expectations');
  private readonly watcher = vscode.workspace.createFileSystemWatcher('**/*.expect.jsonl');
  private readonly tree: TestTree;
  private readonly lifetime = new AbortController();
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly deps: TestDependencies,
    /** Returns whether a request file, given as a URI string, belongs to this window. */
    private readonly isHere: (source: string) => boolean,
  ) {
    const { t } = vscode.l10n;
    const { controller, problems } = this;
    this.tree = new TestTree(deps, controller, problems);
    const changed = (uri: vscode.Uri) => void this.reopen(uri.fsPath);
    this.subscriptions = [
      this.controller,
      this.problems,
      this.watcher,
      this.watcher.onDidChange(changed),
      this.watcher.onDidCreate(changed),
      this.watcher.onDidDelete(changed),
      this.controller.createRunProfile(
        t('Judge Answers'),
        vscode.TestRunProfileKind.Run,
        (request, token) => this.run(request, token),
        true,
      ),
      this.controller.createRunProfile(t('Show Failed in Results Table'), vscode.TestRunProfileKind.Run, request =>
        this.showFailed(request),
      ),
    ];
    this.controller.resolveHandler = async item => {
      if (item !== undefined) {
        await this.tree.open(item, this.lifetime.signal);
      }
    };
    this.controller.refreshHandler = async () => {
      this.refresh();
      await this.reopen();
    };
  }

  /** Shows the files that currently have results, and removes all other files. */
  refresh(): void {
    const { items } = this.controller;
    const sources = this.sources();
    for (const [id] of items) {
      if (!sources.has(id)) {
        items.delete(id);
      }
    }
    for (const [source, results] of sources) {
      const known = items.get(source);
      if (known === undefined) {
        items.add(this.tree.createFile(source, results));
      } else if (known.description !== describeResults(results)) {
        known.description = describeResults(results);
        void this.reopen(undefined, known);
      }
    }
  }

  async goTo(item: vscode.TestItem): Promise<void> {
    const node = this.tree.nodeOf(item);
    if (node?.kind !== 'request') {
      return;
    }
    const { customId, entry } = node.request;
    const { joined, source } = node.file;
    if (entry !== undefined && joined !== undefined && lineOfDerivedId(customId) !== undefined) {
      await runCommand('managedAgents.answer.goToRequest', vscode.Uri.file(joined.joinedPath), entry.row);
    } else {
      await runCommand('managedAgents.request.goTo', vscode.Uri.parse(source).with({ fragment: customId }));
    }
  }

  dispose(): void {
    this.lifetime.abort();
    for (const subscription of this.subscriptions) {
      subscription.dispose();
    }
  }

  /** Returns the fetched results of request files in the workspace or an open editor, keyed by the URI string of the file. */
  private sources(): ReadonlyMap<string, RunResults> {
    const submissions = this.deps.registry.all();
    const found = new Map<string, RunResults>();
    const sources = new Set(submissions.filter(one => one.results ?? one.groupResults ?? one.merged).map(({ source }) => source));
    for (const source of sources) {
      const isWanted = found.size < maxFiles && this.isHere(source);
      const results = isWanted ? this.tree.resultsOf(source) : undefined;
      if (results !== undefined) {
        found.set(source, results);
      }
    }
    return found;
  }

  /** Judges one or all expanded files again after expectations or results changed, and marks their earlier test results as outdated. */
  private async reopen(expectationsPath?: string, only?: vscode.TestItem): Promise<void> {
    for (const [, item] of this.controller.items) {
      const node = this.tree.nodeOf(item);
      const isMeant = expectationsPath === undefined || (node?.kind === 'file' && node.file.expectationsPath === expectationsPath);
      if (!isMeant || (only !== undefined && only !== item)) {
        continue;
      }
      // Prevents outdated counts from looking current.
      this.controller.invalidateTestResults(item);
      if (item.children.size > 0) {
        await this.tree.open(item, this.lifetime.signal).catch(error => this.deps.log.debug(`Judging ended: ${describeError(error)}`));
      }
    }
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const { controller } = this;
    await runTests({ controller, request, token, lifetime: this.lifetime.signal }, async (run, signal) => {
      const judging = new TestJudging(run, this.tree, new Set(request.exclude));
      for (const [fileItem, wanted] of this.byFile(request)) {
        signal.throwIfAborted();
        run.started(fileItem);
        await judging.judge(fileItem, wanted, signal);
      }
    });
  }

  /** Returns the files of a test run, each with the ids of the selected items in it. */
  private byFile(request: vscode.TestRunRequest): ReadonlyMap<vscode.TestItem, ReadonlySet<string>> {
    const files = new Map<vscode.TestItem, Set<string>>();
    for (const item of request.include ?? [...this.controller.items].map(([, file]) => file)) {
      let file = item;
      while (file.parent !== undefined) {
        file = file.parent;
      }
      files.set(file, (files.get(file) ?? new Set()).add(item.id));
    }
    return files;
  }

  /** Shows the failed requests in the results tables of their files, where the user can send or save them. */
  private async showFailed(request: vscode.TestRunRequest): Promise<void> {
    for (const { id: source } of this.byFile(request).keys()) {
      const found = resultsOfSource(this.deps.registry.all(), source);
      if (found !== undefined) {
        const target = { runId: found.run.id, withRetries: isMerged(found.results) };
        await runCommand('managedAgents.results.show', target, undefined, 'status!=succeeded or test=failed');
      }
    }
  }
}
