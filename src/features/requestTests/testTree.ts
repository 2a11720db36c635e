import path from 'node:path';
import * as vscode from 'vscode';
import type { Log } from '../../common/log';
import { toTestMessage } from '../../common/testing/runTests';
import { describeError } from '../../common/text/describeError';
import type { ExpectationProblem } from '../../jsonl/expecting/expectation';
import { expectationsNameOf } from '../../jsonl/expecting/expectationsName';
import type { JudgedGroup, JudgedRow } from '../../jsonl/expecting/judgeResults';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import { dateTimeFormat, numberFormat } from '../../shared/formats';
import { toLabel } from '../../shared/text';
import { type RunResults, resultsOfSource, type SubmissionRegistry } from '../ledger';
import { TestedFile, type TestedRequest, type TestGroup } from './testedFile';
import { describeFailure, describeProblem, labelOf } from './testPresentation';

/** Returns a message with the reason of a failure, its location (0-based line, -1 for none), and expected and actual text. */
export function toFailureMessage(item: vscode.TestItem, line: number, group?: JudgedGroup, detail?: JudgedRow): vscode.TestMessage {
  const { t } = vscode.l10n;
  const failure = detail?.failure;
  const text = group === undefined ? t('no answer') : describeFailure(group, failure, detail?.text ?? '', t);
  const isCompared = failure !== undefined && failure.check !== 'max_output_tokens' && failure.check !== 'expectation';
  const location = item.uri !== undefined && line >= 0 ? new vscode.Location(item.uri, new vscode.Position(line, 0)) : undefined;
  return toTestMessage(text, isCompared ? failure : undefined, location);
}

/** Returns a diagnostic for a problem in an expectations file. */
function toDiagnostic(problem: ExpectationProblem): vscode.Diagnostic {
  const range = new vscode.Range(problem.line, 0, problem.line, Number.MAX_SAFE_INTEGER);
  const text = describeProblem(problem, vscode.l10n.t);
  const diagnostic = new vscode.Diagnostic(range, text, vscode.DiagnosticSeverity.Warning);
  diagnostic.source = 'Managed Agents';
  diagnostic.code = problem.code;
  return diagnostic;
}

/** Object represented by a test item. */
type TestNode =
  | { readonly kind: 'file'; readonly file: TestedFile }
  /** A group, or with `first` the page of a large group that starts at that request. */
  | { readonly kind: 'group'; readonly file: TestedFile; readonly group: TestGroup; readonly first?: number }
  | { readonly kind: 'request'; readonly file: TestedFile; readonly group: TestGroup; readonly request: TestedRequest };

export interface TestDependencies {
  readonly log: Log;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
}

/** Maximum number of requests under one item. */
const pageSize = 200;

/** Maximum number of items to expand in order to show moved requests. */
const maxShown = 25;

/** Tree of test items: files, causes of failure, pages of large groups, requests. Items are created when expanded. */
export class TestTree {
  private readonly nodes = new WeakMap<vscode.TestItem, TestNode>();

  constructor(
    private readonly deps: TestDependencies,
    private readonly controller: vscode.TestController,
    private readonly problems: vscode.DiagnosticCollection,
  ) {}

  resultsOf(source: string): RunResults | undefined {
    return resultsOfSource(this.deps.registry.all(), source)?.results;
  }

  nodeOf(item: vscode.TestItem): TestNode | undefined {
    return this.nodes.get(item);
  }

  createFile(source: string, results: RunResults): vscode.TestItem {
    const uri = vscode.Uri.parse(source);
    const name = path.basename(uri.fsPath);
    const item = this.controller.createTestItem(source, toLabel(name, 120), uri);
    const expectations = path.join(path.dirname(uri.fsPath), expectationsNameOf(name));
    const { jobs, registry } = this.deps;
    const file = new TestedFile(source, expectations, jobs, id => registry.folder(id));
    item.canResolveChildren = true;
    item.description = describeResults(results);
    this.nodes.set(item, { kind: 'file', file });
    return item;
  }

  /** Creates the children of an item. Errors are shown at the item. */
  async open(item: vscode.TestItem, signal: AbortSignal): Promise<void> {
    const node = this.nodes.get(item);
    if (node?.kind === 'file') {
      await this.openFile(item, node.file, signal);
    } else {
      this.openNow(item);
    }
  }

  private async openFile(item: vscode.TestItem, file: TestedFile, signal: AbortSignal): Promise<void> {
    const results = this.resultsOf(file.source);
    if (results === undefined) {
      item.children.replace([]);
      return;
    }
    item.busy = true;
    try {
      await file.judge(results, signal);
      item.error = undefined;
    } catch (error) {
      signal.throwIfAborted();
      this.deps.log.warn(`The requests of ${file.source} could not be judged: ${describeError(error)}`);
      item.error = toLabel(describeError(error), 600);
      return;
    } finally {
      item.busy = false;
    }
    this.problems.set(vscode.Uri.file(file.expectationsPath), file.problems.map(toDiagnostic));
    item.children.replace(
      file.groups.map((group, position) => {
        const child = this.groupItem(item, idOfGroup(file, group), labelOf(group, vscode.l10n.t), position, { kind: 'group', file, group });
        child.description = numberFormat(vscode.env.language).format(group.count);
        return child;
      }),
    );
  }

  private groupItem(parent: vscode.TestItem, id: string, label: string, position: number, node: TestNode): vscode.TestItem {
    const item = parent.children.get(id) ?? this.controller.createTestItem(id, label, parent.uri);
    item.label = label;
    item.sortText = String(position).padStart(9, '0');
    item.canResolveChildren = true;
    this.nodes.set(item, node);
    if (item.children.size > 0) {
      this.openNow(item);
    }
    return item;
  }

  private pageItems(item: vscode.TestItem, file: TestedFile, group: TestGroup): readonly vscode.TestItem[] {
    const number = numberFormat(vscode.env.language);
    return Array.from({ length: Math.ceil(group.count / pageSize) }, (_, page) => {
      const first = page * pageSize;
      const last = Math.min(first + pageSize, group.count);
      const label = vscode.l10n.t('{0} to {1}', number.format(first + 1), number.format(last));
      return this.groupItem(item, idOfPage(item, first), label, first, { kind: 'group', file, group, first });
    });
  }

  private requestItems(file: TestedFile, group: TestGroup, first: number): readonly vscode.TestItem[] {
    const uri = vscode.Uri.parse(file.source);
    return file.requests(group, first, pageSize).map((request, position) => {
      const item = this.controller.createTestItem(`${file.source}\n=${request.customId}`, toLabel(request.customId, 120), uri);
      item.sortText = String(position).padStart(6, '0');
      // No range is set. A test icon in the gutter would cover the icon of the answer, and would be at a wrong line after an edit.
      this.nodes.set(item, { kind: 'request', file, group, request });
      return item;
    });
  }

  openNow(item: vscode.TestItem): void {
    const node = this.nodes.get(item);
    if (node?.kind === 'group') {
      const { file, group, first = 0 } = node;
      const hasPages = node.first === undefined && group.count > pageSize;
      item.children.replace(hasPages ? this.pageItems(item, file, group) : this.requestItems(file, group, first));
    }
  }

  /** Creates the items of requests in their current groups. Expands only a limited number of groups and pages. */
  show(fileItem: vscode.TestItem, file: TestedFile, customIds: ReadonlySet<string>): void {
    const opened = new Set<vscode.TestItem>();
    for (const { group, position } of customIds.size === 0 ? [] : file.positions(customIds).values()) {
      const groupItem = fileItem.children.get(idOfGroup(file, group));
      if (groupItem !== undefined && groupItem.children.size === 0) {
        this.openNow(groupItem);
        opened.add(groupItem);
      }
      const page = groupItem?.children.get(idOfPage(groupItem, position - (position % pageSize)));
      if (page !== undefined && page.children.size === 0) {
        this.openNow(page);
        opened.add(page);
      }
      if (opened.size >= maxShown) {
        return;
      }
    }
  }
}

/** Returns the existing request items under an item. */
export function requestsBelow(item: vscode.TestItem): readonly vscode.TestItem[] {
  return [...item.children].flatMap(([, child]) => (child.canResolveChildren ? requestsBelow(child) : [child]));
}

function idOfGroup({ source }: TestedFile, group: TestGroup): string {
  const key = group.kind === 'missing' ? 'missing' : JSON.stringify([group.kind, group.check, group.errorType, group.message]);
  return `${source}\n${key}`;
}

function idOfPage({ id }: vscode.TestItem, first: number): string {
  return `${id}\n${first}`;
}

/** Returns the time at which results were fetched, for display. Also used to detect newer results. */
export function describeResults({ fetchedAt }: RunResults): string {
  return vscode.l10n.t(
    'results of {0}',
    dateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'medium' }).format(Date.parse(fetchedAt)),
  );
}
