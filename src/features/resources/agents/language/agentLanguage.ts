import * as vscode from 'vscode';
import { toAbortSignal } from '../../../../common/cancellation';
import { type Clock, systemClock } from '../../../../common/clock';
import { combine } from '../../../../common/disposables';
import { toRange } from '../../../../common/documents/documentChecks';
import type { PresentationContext } from '../../../../common/text/presentation';
import { toLabel } from '../../../../shared/text';
import type { Service } from '../../service';
import { parseResourceUri } from '../../documents/resourceUri';
import { createAgentDiagnostics } from './agentDiagnostics';
import { type AgentOffer, offersFor } from './agentOffers';
import { groupOf } from './agentProblems';
import { type CompletionTarget, completionTargetAt, readReferences } from './agentReferences';
import { describeReference } from './describeReference';
import { noNames, ServiceNames } from './serviceNames';

/**
 * Completions, hovers and problems in agent documents, based on the names that the service has. Sends only background requests: see
 * `Service.reach`.
 */
export class AgentLanguage implements vscode.Disposable {
  private readonly names: ServiceNames;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly service: Service,
    documents: vscode.DocumentSelector,
    warn: (message: string) => void,
    clock: Clock = systemClock,
  ) {
    this.names = new ServiceNames(async connection => (await service.reach(connection, 'nobody')).client, clock, warn);
    const diagnostics = createAgentDiagnostics(this.names, documents, document => this.connectionOf(document.uri));
    this.subscriptions = combine(
      this.names,
      diagnostics,
      service.connections.onDidChange(() => {
        this.names.clear();
        diagnostics.checkAll();
      }),
    );
  }

  async complete(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.CompletionItem[] | undefined> {
    const text = document.getText();
    const target = completionTargetAt(text, document.offsetAt(position));
    if (target === undefined) {
      return undefined;
    }
    const connection = this.connectionOf(document.uri);
    const group = groupOf(target.kind, target.skillId);
    if (connection !== undefined && group !== undefined) {
      await this.names.refresh(connection, target.kind === 'skillVersion' ? ['skills', group] : [group]);
    }
    if (token.isCancellationRequested) {
      return undefined;
    }
    const known = connection === undefined ? noNames : this.names.known(connection);
    const offers = offersFor(target, known, readReferences(text).servers, presentation());
    return offers.map((offer, index) => toItem(offer, target, index, document));
  }

  async hover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const offset = document.offsetAt(position);
    const { references } = readReferences(document.getText());
    const reference = references.find(({ start, end }) => start <= offset && offset < end);
    const connection = this.connectionOf(document.uri);
    if (reference === undefined || connection === undefined) {
      return undefined;
    }
    if (reference.kind === 'model') {
      await this.names.refresh(connection, ['models']);
    }
    const { signal, dispose } = toAbortSignal(token);
    try {
      const source = {
        connection,
        client: async () => (await this.service.reach(connection, 'nobody')).client,
        known: this.names.known(connection),
        signal,
      };
      const description = await describeReference(reference, source, presentation());
      return description === undefined || token.isCancellationRequested
        ? undefined
        : new vscode.Hover(new vscode.MarkdownString(description), toRange(document, reference));
    } finally {
      dispose();
    }
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /**
   * Returns the connection of a document: its own if it shows an agent of the service, else the one of this window if background requests
   * are allowed.
   */
  private connectionOf(uri: vscode.Uri): string | undefined {
    const location = parseResourceUri(uri);
    return location === undefined
      ? this.service.lookedAt?.name
      : location.view === 'new'
        ? location.connection
        : location.reference.connection;
  }
}

function toItem(
  { text, name, detail }: AgentOffer,
  { kind, start, end, commaBefore, commaAfter }: CompletionTarget,
  index: number,
  document: vscode.TextDocument,
): vscode.CompletionItem {
  const written = JSON.stringify(text);
  const label = { label: toLabel(name === '' ? text : name, 100), description: toLabel(detail, 80) };
  const item = new vscode.CompletionItem(
    label,
    kind === 'server' ? vscode.CompletionItemKind.Reference : vscode.CompletionItemKind.Constant,
  );
  item.detail = name === '' ? undefined : toLabel(text, 120);
  item.range = toRange(document, { start, end });
  item.insertText = `${commaBefore ? ', ' : ''}${written}${commaAfter ? ',' : ''}`;
  // The ID in the document and the name both match.
  item.filterText = `${written} ${name}`;
  // Sorts before the completions of VS Code's own JSON language service.
  item.sortText = ` ${String(index).padStart(5, '0')}`;
  return item;
}

function presentation(): PresentationContext {
  return { translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() };
}
