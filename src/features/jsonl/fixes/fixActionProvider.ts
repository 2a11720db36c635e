import * as vscode from 'vscode';
import { toAbortSignal } from '../../../common/cancellation';
import { commandLink } from '../../../common/commands';
import { duplicateIdProblem } from '../../../jsonl/batchRules';
import type { DocumentChecker } from '../../../jsonl/documentChecker';
import { fixesOfProblem } from '../../../jsonl/fixes/fixesOfProblem';
import { FixRewriter } from '../../../jsonl/fixes/fixRewriter';
import { fixBareParams } from '../../../jsonl/fixes/idFixes';
import type { FixContext, LineFix } from '../../../jsonl/fixes/lineFix';
import type { Problem } from '../../../jsonl/problem';
import { checkRequestLine } from '../../../jsonl/requestRules';
import type { EditingDependencies } from '../editing';
import { isRule } from '../rulePagePresentation';
import { planRewrite } from './documentRewrite';
import { toFixTitle } from './fixesPresentation';
import { everythingSafe } from './fixFile';

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
      return await this.fixAll(document, token);
    }
    const checker = file.requests.checker;
    const actions: vscode.CodeAction[] = [];
    if (only === undefined || only.contains(vscode.CodeActionKind.QuickFix)) {
      const ours = diagnostics.filter(({ source }) => source === 'managed-agents');
      actions.push(...new LineActions(this.deps, document, checker).of(ours.slice(0, mostDiagnostics)));
    }
    const wantsRewrite = only?.contains(vscode.CodeActionKind.RefactorRewrite) ?? range.isSingleLine;
    const line = range.start.line;
    if (wantsRewrite && range.isSingleLine && checker?.lineInfo(line)?.kind === 'params') {
      actions.push(...wrapping(document, line, contextOf(document, checker, line, [])));
    }
    return actions;
  }

  private async fixAll(document: vscode.TextDocument, token: vscode.CancellationToken): Promise<vscode.CodeAction[]> {
    const rules = this.deps.rules.options(document.uri);
    const rewriter = new FixRewriter({}, (text, line) => checkRequestLine(text, line, rules), rules);
    const cancel = toAbortSignal(token);
    try {
      const { edit } = await planRewrite(document, rewriter, rules, [], cancel.signal);
      if (edit.size === 0) {
        return [];
      }
      const action = new vscode.CodeAction(vscode.l10n.t('Fix all request problems that have one safe answer'), fixAllKind);
      action.edit = edit;
      return [action];
    } catch (error) {
      // The document was edited, so whoever asked will ask again.
      this.deps.log.debug(`Fixes of a whole document were given up: ${String(error)}`);
      return [];
    } finally {
      cancel.dispose();
    }
  }
}

/** The actions for diagnostics of some lines. */
class LineActions {
  private readonly problems = new Map<number, readonly Problem[]>();

  constructor(
    private readonly deps: EditingDependencies,
    private readonly document: vscode.TextDocument,
    private readonly checker: DocumentChecker | undefined,
  ) {}

  of(diagnostics: readonly vscode.Diagnostic[]): readonly vscode.CodeAction[] {
    const { uri } = this.document;
    const models = this.deps.rules.models()?.map(({ id }) => id) ?? [];
    const actions: vscode.CodeAction[] = [];
    /** Rules to the diagnostics that have them, and whether there is a fix for all. */
    const seen = new Map<string, { readonly diagnostic: vscode.Diagnostic; canFixAll: boolean }>();
    for (const diagnostic of diagnostics) {
      const rule = ruleOf(diagnostic);
      const line = diagnostic.range.start.line;
      const problem = line < this.document.lineCount ? this.problemOf(diagnostic, rule) : undefined;
      if (problem === undefined) {
        continue;
      }
      const fixes = fixesOfProblem(this.document.lineAt(line).text, problem, contextOf(this.document, this.checker, line, models));
      actions.push(...fixes.map(fix => this.toAction(fix, line, diagnostic)));
      if (modelRules.has(rule)) {
        const title = vscode.l10n.t('Choose a model...');
        actions.push(commandAction(title, commandLink('managedAgents.request.chooseModel', title, uri, line), diagnostic));
      }
      const known = seen.get(rule) ?? { diagnostic, canFixAll: false };
      known.canFixAll ||= fixes.some(fix => fix.preferred);
      seen.set(rule, known);
    }
    for (const [rule, { diagnostic, canFixAll }] of seen) {
      if (canFixAll) {
        const title = vscode.l10n.t('Fix all problems of {0} in this file', rule);
        actions.push(commandAction(title, commandLink('managedAgents.file.fix', title, uri, rule), diagnostic));
      }
    }
    const [first] = seen.values();
    if (first !== undefined) {
      const title = vscode.l10n.t('Fix everything in this file that has one safe answer');
      actions.push(commandAction(title, commandLink('managedAgents.file.fix', title, uri, everythingSafe), first.diagnostic));
    }
    for (const [rule, { diagnostic }] of seen) {
      if (isRule(rule)) {
        const explain = vscode.l10n.t('Explain {0}', rule);
        const change = vscode.l10n.t('Change the severity of {0}...', rule);
        actions.push(commandAction(explain, commandLink('managedAgents.rule.explain', explain, rule), diagnostic));
        actions.push(commandAction(change, commandLink('managedAgents.rule.changeSeverity', change, rule), diagnostic));
      }
    }
    return actions;
  }

  /** The problem that a diagnostic shows, as the line has it now; undefined when it is gone. */
  private problemOf(diagnostic: vscode.Diagnostic, rule: string): Problem | undefined {
    const { start, end } = diagnostic.range;
    const { line } = start;
    const ofFile = this.problemOfFile(diagnostic, rule);
    if (ofFile !== undefined) {
      return ofFile;
    }
    let problems = this.problems.get(line);
    if (problems === undefined) {
      problems = checkRequestLine(this.document.lineAt(line).text, line, this.deps.rules.options(this.document.uri)).problems;
      this.problems.set(line, problems);
    }
    return problems.find(problem => problem.rule === rule && problem.start === start.character && problem.end === end.character);
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

  private toAction(fix: LineFix, line: number, diagnostic: vscode.Diagnostic): vscode.CodeAction {
    const action = toAction(this.document, line, fix, vscode.CodeActionKind.QuickFix);
    action.diagnostics = [diagnostic];
    action.isPreferred = fix.preferred;
    return action;
  }
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

function contextOf(
  document: vscode.TextDocument,
  checker: DocumentChecker | undefined,
  line: number,
  models: readonly string[],
): FixContext {
  return {
    line,
    models,
    isTaken: id => (checker?.lineOfId(id) ?? line) !== line,
    textAt: other => document.lineAt(other).text,
  };
}

function ruleOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === 'object' ? code.value : code);
}
