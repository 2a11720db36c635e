import * as vscode from 'vscode';
import { toAbortSignal } from '../../../common/cancellation';
import { commandLink } from '../../../common/commands';
import { diagnosticSource } from '../../../common/documents/documentChecks';
import type { Problem } from '../../../contract/problem';
import { duplicateIdProblem } from '../../../jsonl/checking/batchRules';
import type { DocumentChecker } from '../../../jsonl/checking/documentChecker';
import { checkRequestLine } from '../../../jsonl/checking/requestRules';
import { ownFieldsOf } from '../../../jsonl/fixes/fieldMover';
import { fixesOfProblem } from '../../../jsonl/fixes/fixesOfProblem';
import { FixRewriter, mostUsed } from '../../../jsonl/fixes/fixRewriter';
import { JsonLine } from '../../../jsonl/fixes/jsonLine';
import type { FixContext, LineFix } from '../../../jsonl/fixes/lineFix';
import { fixBareParams } from '../../../jsonl/fixes/makers/idFixes';
import { toLabel } from '../../../shared/text';
import { toRuleUri } from '../checking/rulePageDocuments';
import { isRule } from '../checking/rulePagePresentation';
import { requestFileSelector } from '../documents/requestFile';
import { Slices } from '../documents/slices';
import type { EditingDependencies } from '../editingDependencies';
import { lineCheckerOf, planRewrite, toWorkspaceEdit } from './documentRewrite';
import { toFixTitle } from './fixesPresentation';
import { everythingSafe } from './fixFile';
import { extraFields, toFieldsName } from './moveFields';

const maxLines = 20_000;

/** Kind of the action with all safe fixes of a file. `source.fixAll` on save includes it. */
const fixAllKind = vscode.CodeActionKind.SourceFixAll.append('managedAgents');

/** Maximum number of diagnostics per request of VS Code. The selection can be the whole file. */
const maxDiagnostics = 50;

/** Rules whose problem is at a model name. */
const modelRules: ReadonlySet<string> = new Set(['unknown-model', 'deprecated-model']);

/** Registers quick fixes in request files. */
export function registerFixes(deps: EditingDependencies): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(requestFileSelector, new FixActionProvider(deps), {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.RefactorRewrite, fixAllKind],
  });
}

class FixActionProvider implements vscode.CodeActionProvider {
  constructor(private readonly deps: EditingDependencies) {}

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics, only }: vscode.CodeActionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeAction[]> {
    const file = this.deps.documents.get(document);
    if (file === undefined) {
      return [];
    }
    if (only?.contains(fixAllKind) === true) {
      return await this.fixAll(document, file.requests.checker, token);
    }
    const checker = file.requests.checker;
    const actions: vscode.CodeAction[] = [];
    if (only === undefined || only.contains(vscode.CodeActionKind.QuickFix)) {
      const ours = diagnostics.filter(({ source }) => source === diagnosticSource);
      actions.push(...(await new LineActions(this.deps, document, checker).of(ours.slice(0, maxDiagnostics), range.start, token)));
    }
    const includesRewrites = only?.contains(vscode.CodeActionKind.RefactorRewrite) ?? range.isSingleLine;
    const line = range.start.line;
    if (includesRewrites && range.isSingleLine && checker?.lineInfo(line)?.kind === 'params') {
      actions.push(...wrapping(document, line, contextOf(document, checker, line, [])));
    }
    return actions;
  }

  private async fixAll(
    document: vscode.TextDocument,
    checker: DocumentChecker | undefined,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeAction[]> {
    const rules = this.deps.rules.options(document.uri);
    const rewriter = new FixRewriter({}, (text, line) => checkRequestLine(text, line, rules), rules);
    const cancel = toAbortSignal(token);
    try {
      const { edits } = await planRewrite(document, rewriter, lineCheckerOf(checker, rules), [], cancel.signal);
      if (edits.length === 0) {
        return [];
      }
      const action = new vscode.CodeAction(vscode.l10n.t('Fix all auto-fixable problems'), fixAllKind);
      action.edit = toWorkspaceEdit(document, edits);
      return [action];
    } catch (error) {
      // The document was edited, and VS Code asks again, or the request was cancelled.
      this.deps.log.debug(`Fixes of a whole document were canceled: ${String(error)}`);
      return [];
    } finally {
      cancel.dispose();
    }
  }
}

class LineActions {
  private readonly lines = new Map<number, KnownLine>();
  private readonly keys = new Map<LineFix, string>();

  constructor(
    private readonly deps: EditingDependencies,
    private readonly document: vscode.TextDocument,
    private readonly checker: DocumentChecker | undefined,
  ) {}

  /** Returns single fixes, then those of whole rules and of the file, and finally the rule pages for the cursor. Empty if cancelled. */
  async of(
    diagnostics: readonly vscode.Diagnostic[],
    cursor: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<readonly vscode.CodeAction[]> {
    const { uri, version } = this.document;
    const { t } = vscode.l10n;
    const models = this.deps.rules.models()?.map(({ id }) => id) ?? [];
    /** Fixes keyed by their edits, because two problems may have the same fix. */
    const fixing = new Map<string, vscode.CodeAction>();
    const moveActions = new Map<string, vscode.CodeAction>();
    const choosing: vscode.CodeAction[] = [];
    const fixable = new Map<string, vscode.Diagnostic>();
    const found: vscode.Diagnostic[] = [];
    const slices = new Slices();
    for (const diagnostic of diagnostics) {
      if (slices.isOver) {
        await slices.pause();
      }
      if (token.isCancellationRequested || this.document.version !== version) {
        return [];
      }
      const rule = ruleOf(diagnostic);
      const line = diagnostic.range.start.line;
      const problem = line < this.document.lineCount ? this.problemOf(diagnostic, rule) : undefined;
      if (problem === undefined) {
        continue;
      }
      found.push(diagnostic);
      const fixes = fixesOfProblem(this.knownLine(line).json, problem, contextOf(this.document, this.checker, line, models));
      for (const fix of fixes) {
        this.addTo(fixing, fix, line, diagnostic);
      }
      if (rule === 'unknown-field' && problem.path.length === 1 && this.isOwnField(line, problem)) {
        const title = t('Move extra fields of all requests to {0}', toLabel(toFieldsName(uri), 80));
        moveActions.set(title, commandAction(title, commandLink('managedAgents.file.fix', title, uri, extraFields), diagnostic));
      }
      if (modelRules.has(rule) && diagnostic.range.contains(cursor)) {
        choosing.push(modelAction(this.document, diagnostic));
      }
      if (!fixable.has(rule) && fixes.some(fix => fix.preferred)) {
        fixable.set(rule, diagnostic);
      }
    }
    const wholeRules = [...fixable].map(([rule, diagnostic]) => {
      const title = t('Fix all {0} problems', rule);
      return commandAction(title, commandLink('managedAgents.file.fix', title, uri, rule), diagnostic);
    });
    const [first] = found;
    const title = t('Fix all auto-fixable problems');
    const everything =
      first === undefined ? [] : [commandAction(title, commandLink('managedAgents.file.fix', title, uri, everythingSafe), first)];
    const atCursor = found.find(({ range }) => range.contains(cursor)) ?? first;
    return [
      ...moveActions.values(),
      ...fixing.values(),
      ...choosing,
      ...wholeRules,
      ...everything,
      ...(atCursor === undefined ? [] : aboutRule(atCursor)),
    ];
  }

  private addTo(actions: Map<string, vscode.CodeAction>, fix: LineFix, line: number, diagnostic: vscode.Diagnostic): void {
    // Thousands of problems may share one large fix.
    const key = this.keys.get(fix) ?? JSON.stringify([line, fix.title, fix.removesLine, fix.edits]);
    this.keys.set(fix, key);
    const known = actions.get(key);
    if (known === undefined) {
      const action = toAction(this.document, line, fix, vscode.CodeActionKind.QuickFix);
      action.diagnostics = [diagnostic];
      action.isPreferred = fix.preferred;
      actions.set(key, action);
    } else {
      known.diagnostics = [...(known.diagnostics ?? []), diagnostic];
      known.isPreferred = known.isPreferred === true || fix.preferred;
    }
  }

  private isOwnField(line: number, { path }: Problem): boolean {
    const { json } = this.knownLine(line);
    const part = json.partAt(path);
    return part !== undefined && json.once(ownFieldsOf).has(part.index);
  }

  /** Returns a line and its problems. Cached, because one line may have many diagnostics. */
  private knownLine(line: number): KnownLine {
    let known = this.lines.get(line);
    if (known === undefined) {
      const { text } = this.document.lineAt(line);
      const checked = checkRequestLine(text, line, this.deps.rules.options(this.document.uri));
      // The first problem of a rule at a range wins.
      const problems = new Map(
        checked.problems.toReversed().map(problem => [problemKey(problem.rule, problem.start, problem.end), problem]),
      );
      known = { json: new JsonLine(text), problems };
      this.lines.set(line, known);
    }
    return known;
  }

  /** Returns the problem of a diagnostic in the current line, or `undefined` if it no longer exists. */
  private problemOf(diagnostic: vscode.Diagnostic, rule: string): Problem | undefined {
    const { start, end } = diagnostic.range;
    const { line } = start;
    const ofFile = this.problemOfFile(diagnostic, rule);
    if (ofFile !== undefined) {
      return ofFile;
    }
    return this.knownLine(line).problems.get(problemKey(rule, start.character, end.character));
  }

  /** Returns the current problem of a diagnostic that depends on other lines. */
  private problemOfFile({ range }: vscode.Diagnostic, rule: string): Problem | undefined {
    const { line } = range.start;
    const position = { line, start: range.start.character, end: range.end.character };
    switch (rule) {
      case 'duplicate-id':
      case 'made-id-taken': {
        const id = this.checker?.lineInfo(line)?.customId;
        const first = id === undefined ? undefined : this.checker?.lineOfId(id);
        // The fix only depends on whether the other line comes earlier.
        return id === undefined || first === undefined
          ? undefined
          : { ...duplicateIdProblem(position, id, first === line ? line + 1 : first, false), rule };
      }
      case 'blank-line':
        return { rule, severity: 'information', text: { template: '', args: [] }, ...position, path: [] };
      default:
        return undefined;
    }
  }
}

interface KnownLine {
  readonly json: JsonLine;
  /** Problems by rule and range. */
  readonly problems: ReadonlyMap<string, Problem>;
}

function problemKey(rule: string, start: number, end: number): string {
  return `${rule} ${start} ${end}`;
}

function wrapping(document: vscode.TextDocument, line: number, context: FixContext): readonly vscode.CodeAction[] {
  const fix = fixBareParams(document.lineAt(line).text, context);
  return fix === undefined ? [] : [toAction(document, line, fix, vscode.CodeActionKind.RefactorRewrite)];
}

/** Returns an action that applies a fix of one line as one undo step. */
function toAction(document: vscode.TextDocument, line: number, fix: LineFix, kind: vscode.CodeActionKind): vscode.CodeAction {
  const action = new vscode.CodeAction(toFixTitle(fix.title, vscode.l10n.t), kind);
  const edit = new vscode.WorkspaceEdit();
  if (fix.removesLine) {
    edit.delete(document.uri, document.lineAt(line).rangeIncludingLineBreak);
  }
  for (const { start, end, text } of fix.edits) {
    edit.replace(document.uri, new vscode.Range(line, start, line, end), text);
  }
  action.edit = edit;
  return action;
}

function commandAction(title: string, command: vscode.Command, diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = command;
  action.diagnostics = [diagnostic];
  return action;
}

/** Returns the actions that show the page of a rule and the setting of its severity. */
function aboutRule(diagnostic: vscode.Diagnostic): readonly vscode.CodeAction[] {
  const rule = ruleOf(diagnostic);
  if (!isRule(rule)) {
    return [];
  }
  const explain = vscode.l10n.t('Explain {0}', rule);
  const change = vscode.l10n.t('Change the severity of {0}...', rule);
  const page = { title: explain, command: 'markdown.showPreviewToSide', arguments: [toRuleUri(rule)] };
  const setting = { title: change, command: 'workbench.action.openSettings', arguments: ['@id:managedAgents.rules'] };
  return [commandAction(explain, page, diagnostic), commandAction(change, setting, diagnostic)];
}

/** Returns an action that clears the model name at the cursor and shows suggestions. */
function modelAction(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const action = commandAction(vscode.l10n.t('Choose a model...'), { title: '', command: 'editor.action.triggerSuggest' }, diagnostic);
  action.edit = new vscode.WorkspaceEdit();
  const { start, end } = diagnostic.range;
  // Keeps the quotation marks, so that the cursor is between them.
  action.edit.delete(document.uri, new vscode.Range(start.translate(0, 1), end.translate(0, -1)));
  return action;
}

function contextOf(
  document: vscode.TextDocument,
  checker: DocumentChecker | undefined,
  line: number,
  models: readonly string[],
): FixContext {
  return {
    line,
    models,
    commonModel: () => commonModelOf(document, checker),
    isTaken: id => (checker?.lineOfId(id) ?? line) !== line,
    textAt: other => document.lineAt(other).text,
  };
}

function ruleOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === 'object' ? code.value : code);
}

/** Returns the most common model in the first lines of a document, among those that its checker has read. */
function commonModelOf(document: Pick<vscode.TextDocument, 'lineCount'>, checker: DocumentChecker | undefined): string | undefined {
  const models = new Map<string, number>();
  for (let line = 0; checker !== undefined && line < Math.min(document.lineCount, maxLines); line++) {
    const model = checker.lineInfo(line)?.model ?? '';
    models.set(model, (models.get(model) ?? 0) + 1);
  }
  return mostUsed(models);
}
