import * as vscode from 'vscode';
import { toAbortSignal } from '../../../../common/cancellation';
import { type Clock, systemClock } from '../../../../common/clock';
import { combine } from '../../../../common/disposables';
import { createDiagnostic, DocumentChecks, toRange } from '../../../../common/documents/documentChecks';
import { onDidChangeSettings, readSetting } from '../../../../common/settings';
import type { PresentationContext } from '../../../../common/text/presentation';
import { toLabel } from '../../../../shared/text';
import { parseResourceUri } from '../../documents/resourceUri';
import type { Service } from '../../service';
import { type AgentOffer, offersFor } from './agentOffers';
import { findProblems, groupOf, groupsOf } from './agentProblems';
import { type CompletionTarget, completionTargetAt, readReferences } from './agentReferences';
import { describeReference } from './describeReference';
import { incompleteCacheDuration, noNames, ServiceNames } from './serviceNames';

/** Maximum length of an agent document, in characters. Larger documents are ignored. */
const maxCharacters = 2_000_000;

/**
 * Completions, hovers and problems in agent documents, based on the names that the service has. Sends only background requests (see
 * `Service.reach`).
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
    this.names = new ServiceNames(async connection => (await service.reach(connection, 'look')).client, clock, warn);
    const checks = new DocumentChecks({
      name: 'managedAgents.agent',
      matches: document => vscode.languages.match(documents, document) > 0 && isEditable(document),
      delay: 250,
      find: (document, showEarly) => this.findProblems(document, showEarly),
    });
    const checkAll = () => checks.checkAll();
    this.subscriptions = combine(
      this.names,
      checks,
      vscode.window.onDidChangeVisibleTextEditors(checkAll),
      onDidChangeSettings(['managedAgents.editor.problems'], checkAll),
      service.connections.onDidChange(() => {
        this.names.clear();
        checkAll();
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
        client: async () => (await this.service.reach(connection, 'look')).client,
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

  /** Finds the problems of a visible document. Shows the problems of the text itself first, before the service's names are read. */
  private async findProblems(
    document: vscode.TextDocument,
    showEarly: (problems: readonly vscode.Diagnostic[]) => void,
  ): Promise<readonly vscode.Diagnostic[]> {
    const isVisible = vscode.window.visibleTextEditors.some(editor => editor.document === document);
    if (!isVisible || !readSetting('managedAgents.editor.problems', document.uri)) {
      return [];
    }
    const read = readReferences(document.getText());
    const connection = this.connectionOf(document.uri);
    const known = () => (connection === undefined ? noNames : this.names.known(connection));
    const problems = () => findProblems(read, known(), connection ?? '', vscode.l10n.t);
    const toDiagnostics = () =>
      problems().map(problem => createDiagnostic(toRange(document, problem), problem.message, vscode.DiagnosticSeverity.Warning));
    if (connection !== undefined) {
      showEarly(toDiagnostics());
      await this.names.refresh(connection, groupsOf(read));
      // Rereads lists that lack a name, because the name may have been created since they were read.
      const lacking = problems().flatMap(problem => problem.lacking ?? []);
      await this.names.refresh(connection, lacking, incompleteCacheDuration);
    }
    return document.isClosed ? [] : toDiagnostics();
  }

  /**
   * Returns the connection of a document. This is its own connection if it shows an agent of the service, otherwise the connection of this
   * window if background requests are allowed.
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

/** Returns whether a document is an editable agent. Problems of an old version can't be fixed. */
function isEditable(document: vscode.TextDocument): boolean {
  const location = parseResourceUri(document.uri);
  return !(location?.view === 'edit' && location.reference.kind === 'agentVersion') && document.getText().length <= maxCharacters;
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
