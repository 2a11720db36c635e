import * as vscode from 'vscode';
import { explain } from '../../../jsonl/guide/explain';
import type { RequestSchema } from '../../../jsonl/guide/schemaNode';
import type { RequestDocuments } from '../requestDocuments';
import type { RuleSettings } from '../ruleSettings';
import { toHoverText } from './hoverPresentation';
import { toModels } from './modelNames';

/** Says of the field under the cursor what it means, what it can be and what it is by itself; of a model its name. */
export class RequestHoverProvider implements vscode.HoverProvider {
  constructor(
    private readonly documents: RequestDocuments,
    private readonly rules: RuleSettings,
    private readonly schema: Promise<RequestSchema>,
  ) {}

  async provideHover(
    document: vscode.TextDocument,
    { line, character }: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    if (this.documents.get(document) === undefined) {
      return undefined;
    }
    const { text } = document.lineAt(line);
    const schema = await this.schema;
    const explanation = token.isCancellationRequested ? undefined : explain(schema, text, character);
    if (explanation === undefined) {
      return undefined;
    }
    const models = explanation.field === 'model' ? toModels(this.rules.models() ?? []) : [];
    // Neither trusted nor with HTML: that is the default, and it must stay so for what stands in files.
    const content = new vscode.MarkdownString(toHoverText(explanation, models, vscode.l10n.t, vscode.env.language));
    return new vscode.Hover(content, new vscode.Range(line, explanation.start, line, explanation.end));
  }
}
