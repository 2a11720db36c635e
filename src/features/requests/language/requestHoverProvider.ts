import * as vscode from 'vscode';
import { toRange } from '../../../common/documents/documentChecks';
import { explain } from '../../../jsonl/guide/explain';
import type { RequestSchema } from '../../../jsonl/guide/schemaNode';
import type { EditingDependencies } from '../fileWork';
import { isSpecific, toHoverText } from './hoverPresentation';
import { toModels } from './modelChoices';
import { isEditedRequest, requestTextAt } from './requestTextAt';

/** Rules whose problems say that a field is deprecated. */
const deprecationRules: ReadonlySet<unknown> = new Set(['deprecated-field', 'sampling-rejected']);

/**
 * Explains the field under the cursor, its values and its default, and shows the name of a model. On a line with an answer, ids and texts
 * are left to the hover of the answer.
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
    const file = documents.get(document);
    if (file === undefined && !isEditedRequest(document)) {
      return undefined;
    }
    const { text, start, cursor } = requestTextAt(document, position);
    const isAnswered = file !== undefined && answers.shownAt(file, position.line) !== undefined;
    const schema = await this.schema;
    const explanation = token.isCancellationRequested ? undefined : explain(schema, text, cursor);
    if (explanation === undefined || (isAnswered && !isSpecific(explanation))) {
      return undefined;
    }
    const models = explanation.field === 'model' ? toModels(rules.models() ?? []) : [];
    const facts = { models, isDeprecationReported: isDeprecationReported(document.uri, position) };
    // Not trusted and without HTML (the defaults), because the text can come from files.
    const content = new vscode.MarkdownString(toHoverText(explanation, facts, vscode.l10n.t, vscode.env.language));
    return new vscode.Hover(content, toRange(document, { start: start + explanation.start, end: start + explanation.end }));
  }
}

/** Returns whether a problem at a position says that the field is deprecated. VS Code shows the problem in the same hover. */
function isDeprecationReported(uri: vscode.Uri, position: vscode.Position): boolean {
  return vscode.languages
    .getDiagnostics(uri)
    .some(({ range, code }) => range.contains(position) && deprecationRules.has(typeof code === 'object' ? code.value : code));
}
