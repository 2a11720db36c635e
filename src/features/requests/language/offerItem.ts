import * as vscode from 'vscode';
import type { Offer } from '../../../jsonl/guide/offers';
import { toLabel } from '../../../shared/text';

/** Completion item of something that can be written in a request. */
export class OfferItem extends vscode.CompletionItem {
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
