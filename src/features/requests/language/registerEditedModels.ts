import * as vscode from 'vscode';
import { findOffers } from '../../../jsonl/guide/offers';
import type { RequestSchema } from '../../../jsonl/guide/schemaNode';
import type { EditingDependencies } from '../editingDependencies';
import { toModels } from './offeredModels';
import { OfferItem } from './offerItem';
import { readRequestSchema } from './readRequestSchema';

/**
 * Offers the models of the connection in documents of `scheme`, which hold one request each; those that the contract names VS Code's
 * JSON service offers by the schema.
 */
export function registerEditedModels(deps: Pick<EditingDependencies, 'context' | 'rules'>, scheme: string): vscode.Disposable {
  return vscode.languages.registerCompletionItemProvider({ scheme }, new EditedModelProvider(deps), '"', ':');
}

class EditedModelProvider implements vscode.CompletionItemProvider {
  private schema: Promise<RequestSchema> | undefined;

  constructor(private readonly deps: Pick<EditingDependencies, 'context' | 'rules'>) {}

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.CompletionList | undefined> {
    // The whole document is read only where a model can be.
    const before = document.lineAt(position.line).text.slice(0, position.character);
    const at = before.lastIndexOf('"model"');
    if (at < 0 || !/^"model"\s*:\s*[^\s,]*$/.test(before.slice(at))) {
      return undefined;
    }
    const models = toModels(this.deps.rules.models() ?? []);
    this.schema ??= readRequestSchema(this.deps.context.extensionUri);
    const schema = await this.schema;
    if (token.isCancellationRequested) {
      return undefined;
    }
    const told = new Set(schema.models);
    const { start, end, offers } = findOffers(schema, document.getText(), document.offsetAt(position), {
      models: models.filter(({ id }) => !told.has(id)),
    });
    const found = offers.filter(({ kind, label }) => kind === 'model' && !told.has(label));
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    return new vscode.CompletionList(
      found.map(offer => {
        // As the JSON service writes its own, and before them.
        const item = new OfferItem({ ...offer, label: JSON.stringify(offer.label) }, range);
        item.sortText = ` ${item.sortText}`;
        return item;
      }),
    );
  }
}
