import * as vscode from 'vscode';
import { toAbortSignal } from '../../../common/cancellation';
import { commandLink } from '../../../common/commands';
import { diagnosticSource } from '../../../common/documents/documentChecks';
import type { DocumentChecker } from '../../../jsonl/checking/documentChecker';
import { ownFieldsOf } from '../../../jsonl/fixes/fieldMover';
import { fixesOfProblem } from '../../../jsonl/fixes/fixesOfProblem';
import { FixRewriter, mostUsed } from '../../../jsonl/fixes/fixRewriter';
import { JsonLine } from '../../../jsonl/fixes/jsonLine';
import type { FixContext, LineFix } from '../../../jsonl/fixes/lineFix';
import { fixBareParams } from '../../../jsonl/fixes/makers/idFixes';
import { toLabel } from '../../../shared/text';
import { toRuleUri } from '../checking/requestDiagnostics';
import { isRule } from '../checking/rulePagePresentation';
import { requestFileSelector } from '../documents/requestFile';
import { Slices } from '../documents/slices';
import type { EditingDependencies } from '../fileWork';
import { lineCheckerOf, planRewrite, toWorkspaceEdit } from './documentRewrite';
import { everythingSafe, extraFields, toFieldsName, toFixTitle } from './fixFile';

const maxLines = 20_000;

/** Kind of the action with all safe fixes of a file. `source.fixAll` on save includes it. */
const fixAllKind = vscode.CodeActionKind.SourceFixAll.append('managedAgents');

/** Maximum number of diagnostics to handle per request by VS Code. The selection can be the whole file. */
const maxDiagnostics = 50;

/** Rules whose problem is at a model name. */
const modelRules: ReadonlySet<string> = new Set(['unknown-model', 'deprecated-model']);

/** Registers quick fixes in request files. */
export function registerFixes(deps: EditingDependencies): vscode.Disposable {
  const { QuickFix, RefactorRewrite } = vscode.CodeActionKind;
  const provider: vscode.CodeActionProvider = {
    provideCodeActions: async (document, range, { diagnostics, only }, token) => {
      const file = deps.documents.get(document);
      if (file === undefined) {
        return [];
      }
      const { checker } = file;
      if (only?.contains(fixAllKind) === true) {
        return await fixAll(deps, document, checker, token);
      }
      const actions: vscode.CodeAction[] = [];
      if (checker !== undefined && (only === undefined || only.contains(QuickFix))) {
        const ours = diagnostics.filter(({ source }) => source === diagnosticSource).slice(0, maxDiagnostics);
        actions.push(...(await lineActions(deps, document, checker, ours, range.start, token)));
      }
      const { line } = range.start;
      if (range.isSingleLine && only?.contains(RefactorRewrite) !== false && checker?.lineInfo(line)?.kind === 'params') {
        const fix = fixBareParams(document.lineAt(line).text, contextOf(document, checker, line, []));
        actions.push(...(fix === undefined ? [] : [toAction(document, line, fix, RefactorRewrite)]));
      }
      return actions;
    },
  };
  return vscode.languages.registerCodeActionsProvider(requestFileSelector, provider, {
    providedCodeActionKinds: [QuickFix, RefactorRewrite, fixAllKind],
  });
}

/** Returns the action with all safe fixes of a file. Empty if there are none. */
async function fixAll(
  { rules: ruleSettings, log }: EditingDependencies,
  document: vscode.TextDocument,
  checker: DocumentChecker | undefined,
  token: vscode.CancellationToken,
): Promise<vscode.CodeAction[]> {
  const rules = ruleSettings.options(document.uri);
  const rewriter = new FixRewriter({}, rules);
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
    // The document was edited, and VS Code will ask again, or the request was cancelled.
    log.debug(`Fixes of a whole document were canceled: ${String(error)}`);
    return [];
  } finally {
    cancel.dispose();
  }
}

/**
 * Returns quick fixes for diagnostics of a document. Fixes of single problems come first, then fixes of whole rules and of the file, and
 * finally the rule pages for the cursor. Empty if cancelled.
 */
async function lineActions(
  deps: EditingDependencies,
  document: vscode.TextDocument,
  checker: DocumentChecker,
  diagnostics: readonly vscode.Diagnostic[],
  cursor: vscode.Position,
  token: vscode.CancellationToken,
): Promise<readonly vscode.CodeAction[]> {
  const { uri, version } = document;
  const { t } = vscode.l10n;
  const models = deps.rules.models()?.map(({ id }) => id) ?? [];
  const fixFile = (title: string, what: string, diagnostic: vscode.Diagnostic) =>
    commandAction(title, commandLink('managedAgents.file.fix', title, uri, what), diagnostic);
  /** Parsed lines. One line may have many diagnostics. */
  const lines = new Map<number, JsonLine>();
  /** Actions keyed by their edits, because two problems may have the same fix. */
  const fixing = new Map<string, vscode.CodeAction>();
  /** Keys of `fixing`. Thousands of problems may share one large fix. */
  const keys = new Map<LineFix, string>();
  let moving: vscode.CodeAction | undefined;
  const choosing: vscode.CodeAction[] = [];
  const wholeRules = new Map<string, vscode.CodeAction>();
  const found: vscode.Diagnostic[] = [];
  const slices = new Slices();
  for (const diagnostic of diagnostics) {
    if (slices.isOver) {
      await slices.pause();
    }
    if (token.isCancellationRequested || document.version !== version) {
      return [];
    }
    const rule = ruleOf(diagnostic);
    const { start, end } = diagnostic.range;
    const { line } = start;
    const problem = checker.problemsAt(line).find(one => one.rule === rule && one.start === start.character && one.end === end.character);
    if (problem === undefined) {
      continue;
    }
    found.push(diagnostic);
    const json = lines.get(line) ?? new JsonLine(document.lineAt(line).text);
    lines.set(line, json);
    const fixes = fixesOfProblem(json, problem, contextOf(document, checker, line, models));
    for (const fix of fixes) {
      const key = keys.get(fix) ?? JSON.stringify([line, fix.title, fix.removesLine, fix.edits]);
      keys.set(fix, key);
      const action = fixing.get(key) ?? toAction(document, line, fix, vscode.CodeActionKind.QuickFix);
      action.diagnostics = [...(action.diagnostics ?? []), diagnostic];
      action.isPreferred = action.isPreferred === true || fix.preferred;
      fixing.set(key, action);
    }
    const part = rule === 'unknown-field' && problem.path.length === 1 ? json.partAt(problem.path) : undefined;
    if (part !== undefined && json.once(ownFieldsOf).has(part.index)) {
      const title = t('Move extra fields of all requests to {0}', toLabel(toFieldsName(uri), 80));
      moving = fixFile(title, extraFields, diagnostic);
    }
    if (modelRules.has(rule) && diagnostic.range.contains(cursor)) {
      choosing.push(modelAction(document, diagnostic));
    }
    if (!wholeRules.has(rule) && fixes.some(fix => fix.preferred)) {
      wholeRules.set(rule, fixFile(t('Fix all {0} problems', rule), rule, diagnostic));
    }
  }
  const [first] = found;
  if (first === undefined) {
    return [];
  }
  return [
    ...(moving === undefined ? [] : [moving]),
    ...fixing.values(),
    ...choosing,
    ...wholeRules.values(),
    fixFile(t('Fix all auto-fixable problems'), everythingSafe, first),
    ...aboutRule(found.find(({ range }) => range.contains(cursor)) ?? first),
  ];
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

/** Returns the actions that open the page of a rule and the setting of its severity. */
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

/** Returns an action that deletes the model name at the cursor and opens the suggestions. */
function modelAction(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const action = commandAction(vscode.l10n.t('Select a model...'), { title: '', command: 'editor.action.triggerSuggest' }, diagnostic);
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

/** Returns the most common model in the first lines of a document, among the lines that its checker has read. */
function commonModelOf(document: Pick<vscode.TextDocument, 'lineCount'>, checker: DocumentChecker | undefined): string | undefined {
  const models = new Map<string, number>();
  for (let line = 0; checker !== undefined && line < Math.min(document.lineCount, maxLines); line++) {
    const model = checker.lineInfo(line)?.model ?? '';
    models.set(model, (models.get(model) ?? 0) + 1);
  }
  return mostUsed(models);
}
