import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { explain } from '../../../jsonl/guide/explain';
import { findOffers } from '../../../jsonl/guide/offers';
import type { RequestSchema } from '../../../jsonl/guide/schemaNode';
import type { EditingDependencies } from '../editingDependencies';
import { toModels } from './modelChoices';
import { completionTriggers, OfferItem, readRequestSchema, toParagraphs } from './requestCompletionProvider';
import { toHover } from './requestHoverProvider';

type Dependencies = Pick<EditingDependencies, 'context' | 'rules'>;

/** Registers completions and hovers for documents of `scheme`. Each document is one request. */
export function registerEditedHelp(deps: Dependencies, scheme: string): vscode.Disposable {
  const help = new EditedHelp(deps);
  return combine(
    vscode.languages.registerCompletionItemProvider({ scheme }, help, ...completionTriggers),
    vscode.languages.registerHoverProvider({ scheme }, help),
  );
}

class EditedHelp implements vscode.CompletionItemProvider, vscode.HoverProvider {
  private read: Promise<RequestSchema> | undefined;

  constructor(private readonly deps: Dependencies) {}

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
    { triggerKind }: vscode.CompletionContext,
  ): Promise<vscode.CompletionList | undefined> {
    const schema = await this.schema();
    if (token.isCancellationRequested) {
      return undefined;
    }
    const models = toModels(this.deps.rules.models() ?? []);
    const context = { isPretty: true, ...(models.length > 0 && { models }) };
    const found = findOffers(schema, document.getText(), document.offsetAt(position), context);
    if (found.isRemote && triggerKind !== vscode.CompletionTriggerKind.Invoke) {
      return undefined;
    }
    const range = new vscode.Range(document.positionAt(found.start), document.positionAt(found.end));
    return new vscode.CompletionList(
      found.offers.map(offer => {
        const item = new OfferItem(offer, range);
        if (offer.words !== '') {
          item.documentation = new vscode.MarkdownString(toParagraphs(offer.words));
        }
        if (found.commaAt !== undefined) {
          item.additionalTextEdits = [vscode.TextEdit.insert(document.positionAt(found.commaAt), ',')];
        }
        return item;
      }),
    );
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const schema = await this.schema();
    const found = token.isCancellationRequested ? undefined : explain(schema, document.getText(), document.offsetAt(position));
    if (found === undefined) {
      return undefined;
    }
    return toHover(found, this.deps.rules, document, position, 0);
  }

  private schema(): Promise<RequestSchema> {
    this.read ??= readRequestSchema(this.deps.context.extensionUri);
    return this.read;
  }
}
