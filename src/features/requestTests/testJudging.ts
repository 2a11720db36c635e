import path from 'node:path';
import * as vscode from 'vscode';
import type { JudgedGroup } from '../../jsonl/expecting/judgeResults';
import { lineOfDerivedId } from '../../jsonl/files/derivedIds';
import { toLabel } from '../../shared/text';
import type { TestedFile, TestedRequest } from './testedFile';
import { labelOf, toFailureMessage } from './testMessage';
import { requestsBelow, type TestTree } from './testTree';

interface FailedTest {
  readonly item: vscode.TestItem;
  readonly request: TestedRequest;
  readonly group: JudgedGroup | undefined;
}

/** Maximum number of failed requests to report individually in a run. The remaining ones only get the description of their group. */
const maxReported = 1_000;

/** Test run. Reports failed requests with details up to a maximum number. */
export class TestJudging {
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
      run.appendOutput(`${fileItem.label}: ${group.count}  ${labelOf(group)}\r\n`);
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

  /** Creates items for requests that have moved to another group, which may not be expanded. */
  private showMoved(fileItem: vscode.TestItem, file: TestedFile, before: readonly vscode.TestItem[]): void {
    const remaining = new Set(before.length === 0 ? [] : requestsBelow(fileItem).map(({ id }) => id));
    const moved = before.filter(({ id }) => !remaining.has(id));
    const ids = moved.map(item => this.tree.nodeOf(item)).flatMap(node => (node?.kind === 'request' ? node.request.customId : []));
    this.tree.show(fileItem, file, new Set(ids));
  }

  /** Reports the selected passed requests of a group. Returns the selected failed ones, whose details must be read first. */
  private reportGroup(item: vscode.TestItem, wanted: ReadonlySet<string> | undefined): readonly FailedTest[] {
    const { run, excluded } = this;
    const node = this.tree.nodeOf(item);
    if (node?.kind !== 'group' && node?.kind !== 'page') {
      return [];
    }
    const { group } = node;
    const isWhole = wanted === undefined || wanted.has(item.id);
    const passed = group.kind === 'passed';
    if (isWhole && item.children.size === 0 && !passed && this.left > 0 && (node.kind === 'group' || node.first === 0)) {
      this.tree.openNow(item);
    }
    if (isWhole && item.children.size === 0) {
      if (passed) {
        run.passed(item);
      } else {
        run.failed(item, new vscode.TestMessage(labelOf(group)));
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
          run.failed(child, new vscode.TestMessage(labelOf(group)));
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
