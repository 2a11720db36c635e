import * as vscode from 'vscode';
import { toLabel } from '../../../common/text';
import { proposeIds } from '../../../jsonl/guide/idProposals';
import { findOffers, type Offer, type Offers } from '../../../jsonl/guide/offers';
import { outlineOf } from '../../../jsonl/guide/requestOutline';
import type { RequestSchema } from '../../../jsonl/guide/schemaNode';
import type { OpenRequestFile, RequestDocuments } from '../requestDocuments';
import type { RuleSettings } from '../ruleSettings';
import { toModels } from './modelNames';

/** Characters after which something is offered without being asked for. */
export const completionTriggers = ['"', ':', ',', '{', '['] as const;

/** How many lines before the cursor are asked what a line of this file looks like. */
const linesLookedAt = 3;

class OfferItem extends vscode.CompletionItem {
  constructor(
    readonly offer: Offer,
    range: vscode.Range,
  ) {
    super({ label: toLabel(offer.label, 100), ...(offer.detail === '' ? {} : { description: toLabel(offer.detail, 60) }) }, toKind(offer));
    this.range = range;
    this.insertText = new vscode.SnippetString(offer.insert);
    this.filterText = offer.filter;
    this.sortText = `${String(offer.rank + 5000).padStart(5, '0')} ${offer.label}`;
    if (offer.isDeprecated) {
      this.tags = [vscode.CompletionItemTag.Deprecated];
    }
    if (offer.asksNext) {
      this.command = { command: 'editor.action.triggerSuggest', title: vscode.l10n.t('Suggest') };
    }
  }
}

/** Offers fields, values, models and whole requests where the cursor is. */
export class RequestCompletionProvider implements vscode.CompletionItemProvider<OfferItem> {
  constructor(
    private readonly documents: RequestDocuments,
    private readonly rules: RuleSettings,
    private readonly schema: Promise<RequestSchema>,
  ) {}

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
    { triggerKind }: vscode.CompletionContext,
  ): Promise<vscode.CompletionList<OfferItem> | undefined> {
    const file = this.documents.get(document);
    if (file === undefined) {
      return undefined;
    }
    const { text } = document.lineAt(position.line);
    const ids = proposedIds(file, position.line);
    const isBare = findBefore(position.line, line => file.requests.checker?.lineInfo(line)?.kind) === 'params';
    const like = findBefore(position.line, line => document.lineAt(line).text.trim() || undefined);
    const schema = await this.schema;
    if (token.isCancellationRequested) {
      return undefined;
    }
    const models = this.rules.models();
    const found = findOffers(schema, text, position.character, { models: models && toModels(models), ids, isBare, like });
    if (found.offers.length === 0 || (found.isRemote && triggerKind !== vscode.CompletionTriggerKind.Invoke)) {
      return undefined;
    }
    return new vscode.CompletionList(toItems(found, position));
  }

  resolveCompletionItem(item: OfferItem): OfferItem {
    if (item.offer.words !== '') {
      item.documentation = new vscode.MarkdownString(vscode.l10n.t(item.offer.words));
    }
    return item;
  }
}

function toItems({ start, end, offers }: Offers, { line, character }: vscode.Position): OfferItem[] {
  // A range that does not hold the cursor would be refused.
  const range = new vscode.Range(line, Math.min(start, character), line, Math.max(end, character));
  return offers.map(offer => new OfferItem(offer, range));
}

function toKind({ kind }: Offer): vscode.CompletionItemKind {
  switch (kind) {
    case 'field':
      return vscode.CompletionItemKind.Property;
    case 'model':
      return vscode.CompletionItemKind.Constant;
    case 'value':
      return vscode.CompletionItemKind.Value;
    case 'snippet':
      return vscode.CompletionItemKind.Snippet;
  }
}

/** Ids that could stand in `line`: those that follow the ones above it and the last one of the file. */
function proposedIds(file: OpenRequestFile, line: number): readonly string[] {
  const above = findBefore(line, candidate => idOf(file, candidate));
  const last = findBefore(file.document.lineCount, candidate => (candidate === line ? undefined : idOf(file, candidate)));
  const previous = [above, last].filter(id => id !== undefined);
  return proposeIds([...new Set(previous)], id => {
    const taken = file.requests.checker?.lineOfId(id);
    return taken !== undefined && taken !== line;
  });
}

function idOf({ document, requests }: OpenRequestFile, line: number): string | undefined {
  const info = requests.checker?.lineInfo(line);
  return info === undefined ? outlineOf(document.lineAt(line).text, false)?.customId : info.customId;
}

/** What is found first in the lines above one. */
function findBefore<T>(line: number, look: (line: number) => T | undefined): T | undefined {
  for (let before = line - 1; before >= Math.max(0, line - linesLookedAt); before--) {
    const found = look(before);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
