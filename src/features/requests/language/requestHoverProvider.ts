import * as vscode from 'vscode';
import { explain, type Explanation } from '../../../jsonl/guide/explain';
import type { RequestSchema } from '../../../jsonl/guide/schemaNode';
import type { EditingDependencies } from '../editingDependencies';
import type { RuleSettings } from '../ruleSettings';
import { isSpecific, toHoverText } from './hoverPresentation';
import { toModels } from './modelChoices';

/** Rules whose problems say that a field is deprecated. */
const deprecationRules: ReadonlySet<unknown> = new Set(['deprecated-field', 'sampling-rejected']);

/**
 * Explains the field under the cursor, its values and its default, and names a model. The hover of an answer covers ids and texts at its
 * line.
 */
export class RequestHoverProvider implements vscode.HoverProvider {
  constructor(
    private readonly deps: Pick<EditingDependencies, 'documents' | 'answers' | 'rules'>,
    private readonly schema: Promise<RequestSchema>,
  ) {}

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const { documents, answers, rules } = this.deps;
    const { line, character } = position;
    const file = documents.get(document);
    if (file === undefined) {
      return undefined;
    }
    const { text } = document.lineAt(line);
    const isAnswered = answers.shownAt(file, line) !== undefined;
    const schema = await this.schema;
    const explanation = token.isCancellationRequested ? undefined : explain(schema, text, character);
    if (explanation === undefined || (isAnswered && !isSpecific(explanation))) {
      return undefined;
    }
    return toHover(explanation, rules, document, position, document.offsetAt(new vscode.Position(line, 0)));
  }
}

/** Returns the hover of a field whose text starts at an offset of the document. */
export function toHover(
  explanation: Explanation,
  rules: Pick<RuleSettings, 'models'>,
  document: vscode.TextDocument,
  position: vscode.Position,
  offset: number,
): vscode.Hover {
  const models = explanation.field === 'model' ? toModels(rules.models() ?? []) : [];
  const facts = { models, isDeprecationReported: isDeprecationReported(document.uri, position) };
  // Neither trusted nor with HTML. These are the defaults, which text from files requires.
  const content = new vscode.MarkdownString(toHoverText(explanation, facts, vscode.l10n.t, vscode.env.language));
  const [start, end] = [explanation.start, explanation.end].map(at => document.positionAt(offset + at));
  return new vscode.Hover(content, new vscode.Range(start ?? position, end ?? position));
}

/** Returns whether a reported problem at a position says that the field is deprecated. VS Code shows it in the same hover. */
function isDeprecationReported(uri: vscode.Uri, position: vscode.Position): boolean {
  return vscode.languages
    .getDiagnostics(uri)
    .some(({ range, code }) => range.contains(position) && deprecationRules.has(typeof code === 'object' ? code.value : code));
}
