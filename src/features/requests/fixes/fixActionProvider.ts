import path from 'node:path';
import * as vscode from 'vscode';
import { toAbortSignal } from '../../../common/cancellation';
import { commandLink } from '../../../common/commands';
import type { Problem } from '../../../contract/problem';
import { duplicateIdProblem } from '../../../jsonl/checking/batchRules';
import type { DocumentChecker } from '../../../jsonl/checking/documentChecker';
import { checkRequestLine } from '../../../jsonl/checking/requestRules';
import { fixesOfProblem } from '../../../jsonl/fixes/fixesOfProblem';
import { FixRewriter } from '../../../jsonl/fixes/fixRewriter';
import { JsonLine } from '../../../jsonl/fixes/jsonLine';
import type { FixContext, LineFix } from '../../../jsonl/fixes/lineFix';
import { fixBareParams } from '../../../jsonl/fixes/makers/idFixes';
import { toLabel } from '../../../shared/text';
import { isRule } from '../checking/rulePagePresentation';
import type { EditingDependencies } from '../editingDependencies';
import { commonModelOf } from './commonModelOf';
import { lookOf, planRewrite, toWorkspaceEdit } from './documentRewrite';
import { toFixTitle } from './fixesPresentation';
import { everythingSafe } from './fixFile';
import { fieldsUriOf, toMoveEdit } from './moveFields';

/** All safe fixes of a file; `source.fixAll` on save brings it along. */
const fixAllKind = vscode.CodeActionKind.SourceFixAll.append('managedAgents');

/** Diagnostics that are answered at once: what is selected can be a whole file. */
const mostDiagnostics = 50;

/** Rules of which the user may know better which model is meant. */
const modelRules: ReadonlySet<string> = new Set(['unknown-model', 'deprecated-model', 'sampling-rejected']);

/** Quick fixes for the problems of open request files, and the fix of everything safe at once. */
export class FixActionProvider implements vscode.CodeActionProvider {
  static readonly metadata: vscode.CodeActionProviderMetadata = {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.RefactorRewrite, fixAllKind],
  };

  /** Documents whose extra fields an action moves. */
  private readonly moving = new WeakMap<vscode.CodeAction, vscode.TextDocument>();

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
    const moving = (action: vscode.CodeAction) => this.moving.set(action, document);
    if (only === undefined || only.contains(vscode.CodeActionKind.QuickFix)) {
      const ours = diagnostics.filter(({ source }) => source === 'managed-agents');
      actions.push(...(await new LineActions(this.deps, document, checker, moving).of(ours.slice(0, mostDiagnostics), range.start, token)));
    }
    const wantsRewrite = only?.contains(vscode.CodeActionKind.RefactorRewrite) ?? range.isSingleLine;
    const line = range.start.line;
    if (wantsRewrite && range.isSingleLine && checker?.lineInfo(line)?.kind === 'params') {
      actions.push(...wrapping(document, line, contextOf(document, checker, line, [])));
    }
    return actions;
  }

  async resolveCodeAction(action: vscode.CodeAction): Promise<vscode.CodeAction> {
    const document = this.moving.get(action);
    if (document !== undefined) {
      action.edit = await toMoveEdit(document);
    }
    return action;
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
      const { edits } = await planRewrite(document, rewriter, lookOf(checker, rules), [], cancel.signal);
      if (edits.length === 0) {
        return [];
      }
      const action = new vscode.CodeAction(vscode.l10n.t('Fix all request problems that have one safe answer'), fixAllKind);
      action.edit = toWorkspaceEdit(document, edits);
      return [action];
    } catch (error) {
      // The document was edited, so whoever asked will ask again; or nobody waits any more.
      this.deps.log.debug(`Fixes of a whole document were given up: ${String(error)}`);
      return [];
    } finally {
      cancel.dispose();
    }
  }
}

/** Milliseconds that the thread is held at a time. */
const sliceMs = 8;

/** The actions for diagnostics of some lines. */
class LineActions {
  private readonly lines = new Map<number, KnownLine>();
  private readonly keys = new Map<LineFix, string>();

  constructor(
    private readonly deps: EditingDependencies,
    private readonly document: vscode.TextDocument,
    private readonly checker: DocumentChecker | undefined,
    /** Called with an action that moves fields, whose edit is made once it was chosen. */
    private readonly onMoving: (action: vscode.CodeAction) => void,
  ) {}

  /**
   * All fixes first, then those of whole rules and of everything, last what there is to say of the problem at the cursor. Empty when
   * it is cancelled.
   */
  async of(
    diagnostics: readonly vscode.Diagnostic[],
    cursor: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<readonly vscode.CodeAction[]> {
    const { uri, version } = this.document;
    const { t } = vscode.l10n;
    const models = this.deps.rules.models()?.map(({ id }) => id) ?? [];
    /** By what they do: two problems may have the same answer. */
    const fixing = new Map<string, vscode.CodeAction>();
    const choosing: vscode.CodeAction[] = [];
    const fixable = new Map<string, vscode.Diagnostic>();
    const seen: vscode.Diagnostic[] = [];
    let until = performance.now() + sliceMs;
    for (const diagnostic of diagnostics) {
      if (performance.now() >= until) {
        await new Promise(setImmediate);
        until = performance.now() + sliceMs;
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
      seen.push(diagnostic);
      const fixes = fixesOfProblem(this.knownLine(line).json, problem, contextOf(this.document, this.checker, line, models));
      for (const fix of fixes) {
        this.addTo(fixing, fix, line, diagnostic);
      }
      if (modelRules.has(rule)) {
        const title = t('Choose a model...');
        choosing.push(commandAction(title, commandLink('managedAgents.request.chooseModel', title, uri, line), diagnostic));
      }
      if (!fixable.has(rule) && fixes.some(fix => fix.preferred)) {
        fixable.set(rule, diagnostic);
      }
    }
    const wholeRules = [...fixable].map(([rule, diagnostic]) => {
      const title = t('Fix all problems of {0} in this file', rule);
      return commandAction(title, commandLink('managedAgents.file.fix', title, uri, rule), diagnostic);
    });
    const [first] = seen;
    const title = t('Fix everything in this file that has one safe answer');
    const everything =
      first === undefined ? [] : [commandAction(title, commandLink('managedAgents.file.fix', title, uri, everythingSafe), first)];
    const atCursor = seen.find(({ range }) => range.contains(cursor)) ?? first;
    const extra = seen.find(diagnostic => this.isExtraField(diagnostic));
    const moving = extra === undefined || uri.scheme !== 'file' ? [] : [this.toMoving(extra)];
    return [
      ...moving,
      ...fixing.values(),
      ...choosing,
      ...wholeRules,
      ...everything,
      ...(atCursor === undefined ? [] : aboutRule(atCursor)),
    ];
  }

  private toMoving(diagnostic: vscode.Diagnostic): vscode.CodeAction {
    const name = toLabel(path.posix.basename(fieldsUriOf(this.document.uri).path), 80);
    const action = new vscode.CodeAction(vscode.l10n.t('Move extra fields of all requests to {0}', name), vscode.CodeActionKind.QuickFix);
    action.diagnostics = [diagnostic];
    this.onMoving(action);
    return action;
  }

  /** Whether a field beside `params` is not known: data of the user's own, mostly, which a removal would lose. */
  private isExtraField(diagnostic: vscode.Diagnostic): boolean {
    return ruleOf(diagnostic) === 'unknown-field' && this.problemOf(diagnostic, 'unknown-field')?.path.length === 1;
  }

  private addTo(actions: Map<string, vscode.CodeAction>, fix: LineFix, line: number, diagnostic: vscode.Diagnostic): void {
    // One large answer to thousands of problems is one object.
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

  /** A line and what is wrong with it, read once for all of its problems. */
  private knownLine(line: number): KnownLine {
    let known = this.lines.get(line);
    if (known === undefined) {
      const { text } = this.document.lineAt(line);
      const checked = checkRequestLine(text, line, this.deps.rules.options(this.document.uri));
      // Of problems of one rule at one place the first is shown.
      const problems = new Map(checked.problems.toReversed().map(problem => [placeKey(problem.rule, problem.start, problem.end), problem]));
      known = { json: new JsonLine(text), problems };
      this.lines.set(line, known);
    }
    return known;
  }

  /** The problem that a diagnostic shows, as the line has it now; undefined when it is gone. */
  private problemOf(diagnostic: vscode.Diagnostic, rule: string): Problem | undefined {
    const { start, end } = diagnostic.range;
    const { line } = start;
    const ofFile = this.problemOfFile(diagnostic, rule);
    if (ofFile !== undefined) {
      return ofFile;
    }
    return this.knownLine(line).problems.get(placeKey(rule, start.character, end.character));
  }

  /** Problems that a line alone does not have. */
  private problemOfFile({ range }: vscode.Diagnostic, rule: string): Problem | undefined {
    const { line } = range.start;
    const place = { line, start: range.start.character, end: range.end.character };
    switch (rule) {
      case 'duplicate-id':
      case 'made-id-taken': {
        const id = this.checker?.lineInfo(line)?.customId;
        const first = id === undefined ? undefined : this.checker?.lineOfId(id);
        // All that a fix needs to know is whether another line has the older right.
        return id === undefined || first === undefined
          ? undefined
          : { ...duplicateIdProblem(place, id, first === line ? line + 1 : first, false), rule };
      }
      case 'blank-line':
        return { rule, severity: 'information', text: { template: '', args: [] }, ...place, path: [] };
      default:
        return undefined;
    }
  }
}

interface KnownLine {
  readonly json: JsonLine;
  /** By rule and place. */
  readonly problems: ReadonlyMap<string, Problem>;
}

function placeKey(rule: string, start: number, end: number): string {
  return `${rule} ${start} ${end}`;
}

function wrapping(document: vscode.TextDocument, line: number, context: FixContext): readonly vscode.CodeAction[] {
  const fix = fixBareParams(document.lineAt(line).text, context);
  return fix === undefined ? [] : [toAction(document, line, fix, vscode.CodeActionKind.RefactorRewrite)];
}

/** One fix of one line as one step to undo. */
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

/** What a rule says, and how much it weighs. */
function aboutRule(diagnostic: vscode.Diagnostic): readonly vscode.CodeAction[] {
  const rule = ruleOf(diagnostic);
  if (!isRule(rule)) {
    return [];
  }
  const explain = vscode.l10n.t('Explain {0}', rule);
  const change = vscode.l10n.t('Change the severity of {0}...', rule);
  return [
    commandAction(explain, commandLink('managedAgents.rule.explain', explain, rule), diagnostic),
    commandAction(change, commandLink('managedAgents.rule.changeSeverity', change, rule), diagnostic),
  ];
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
