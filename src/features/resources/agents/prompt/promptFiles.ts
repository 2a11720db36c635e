import * as vscode from 'vscode';
import { combine } from '../../../../common/disposables';
import { tabsOf } from '../../../../common/documents/tabs';
import type { DraftState } from '../../documents/draftLenses';
import { isSameDocument, openDocument, type ResourceFiles } from '../../documents/resourceFiles';
import { agentScheme, parseResourceUri } from '../../documents/resourceUri';
import { PromptDocument, promptIn, withPrompt } from './promptDocument';
import { commandLink } from '../../../../common/commands';
import { lensTitle } from '../../../../common/text/lensTitle';
import { memberOf, parseLoose } from '../../../../jsonl/guide/looseJson';

export const promptScheme = 'managed-agents-prompt';

/** Returns the URI of the prompt of an agent's document. Avoids the extension `.prompt.md`, which has its own language in VS Code. */
export function toPromptUri(agent: vscode.Uri): vscode.Uri {
  return agent.with({ scheme: promptScheme, path: agent.path.replace(/\.agent\.json$/, '.system-prompt.md') });
}

/** Returns the URI of the agent's document that a prompt belongs to. */
export function toAgentUri(prompt: vscode.Uri): vscode.Uri {
  return prompt.with({ scheme: agentScheme, path: prompt.path.replace(/\.system-prompt\.md$/, '.agent.json') });
}

/** File system of agents' system prompts, as Markdown files. Saving a prompt saves it into the draft of its agent. Nothing is published. */
export class PromptFiles implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly texts = new Map<string, PromptDocument>();
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly agents: ResourceFiles) {
    this.subscriptions = combine(
      agents.onDidChangeFile(events => this.follow(events.map(({ uri }) => uri))),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.uri.scheme === agentScheme && contentChanges.length > 0) {
          this.follow([document.uri]);
        }
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.scheme === promptScheme && this.texts.get(uri.path)?.settle() === true) {
          this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
        }
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === promptScheme) {
          this.texts.delete(uri.path);
        }
      }),
    );
  }

  async open(agent: vscode.Uri): Promise<void> {
    const wanted = toPromptUri(agent);
    const uri = openDocument(wanted)?.uri ?? wanted;
    await this.agents.asked.during(toAgentUri(uri), async () => {
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: false, viewColumn: vscode.ViewColumn.Beside });
    });
  }

  /** Replaces the open prompt of a draft with that of the agent that was created from it. */
  async reopen(draft: vscode.Uri, agent: vscode.Uri): Promise<void> {
    const open = isSameDocument(draft, agent) ? undefined : openDocument(toPromptUri(draft));
    if (open !== undefined) {
      await vscode.window.tabGroups.close(tabsOf(open.uri));
      await this.open(agent);
    }
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { permissions } = await this.agents.stat(toAgentUri(uri));
    const { text, current } = this.textOf(uri, await this.source(uri));
    const { stamp, bytes } = text.state(current, this.edited(uri));
    return { type: vscode.FileType.File, ctime: 0, mtime: stamp, size: bytes, ...(permissions !== undefined && { permissions }) };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { text, current } = this.textOf(uri, await this.source(uri));
    return Buffer.from(text.read(current, this.edited(uri) !== undefined));
  }

  /** Saves a prompt into the draft of its agent. If the agent's document has unsaved edits, saves through that document. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const mine = Buffer.from(content).toString('utf8');
    const source = await this.source(uri).catch(error => {
      const isGone = (error as { readonly code?: unknown }).code === 'FileNotFound';
      const words = vscode.l10n.t('This draft no longer exists. It may have been published or discarded in another window.');
      throw isGone ? vscode.FileSystemError.Unavailable(words) : error;
    });
    const { text, current } = this.textOf(uri, source, true);
    const prompt = text.save(mine, current);
    await this.writeAgent(uri, source, withPrompt(source, prompt));
    text.saved(mine, prompt);
  }

  get onDidChangeDrafts(): vscode.Event<unknown> {
    return this.agents.onDidChangeDrafts;
  }

  stateOf(uri: vscode.Uri): DraftState {
    return this.agents.stateOf(uri.scheme === promptScheme ? toAgentUri(uri) : uri);
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.changed.dispose();
  }

  private async writeAgent(uri: vscode.Uri, before: string, after: string): Promise<void> {
    const open = openDocument(toAgentUri(uri));
    if (open === undefined || !open.isDirty) {
      await this.agents.writeFile(open?.uri ?? toAgentUri(uri), Buffer.from(after));
      return;
    }
    const edit = new vscode.WorkspaceEdit();
    edit.replace(open.uri, new vscode.Range(open.positionAt(0), open.positionAt(before.length)), after);
    if (open.getText() !== before || !(await vscode.workspace.applyEdit(edit)) || !(await open.save())) {
      throw vscode.FileSystemError.Unavailable(vscode.l10n.t("The document couldn't be saved."));
    }
  }

  private async source(uri: vscode.Uri): Promise<string> {
    const open = openDocument(toAgentUri(uri));
    return open === undefined ? Buffer.from(await this.agents.readFile(toAgentUri(uri))).toString('utf8') : open.getText();
  }

  private edited(uri: vscode.Uri): string | undefined {
    const open = openDocument(uri);
    return open?.isDirty === true ? open.getText() : undefined;
  }

  /**
   * Returns the document of a prompt, and the prompt in the text of its agent. If that text has no prompt, returns the last known one.
   * Throws instead if no prompt is known or `isWriting` is true.
   */
  private textOf(uri: vscode.Uri, source: string, isWriting = false): { readonly text: PromptDocument; readonly current: string } {
    const known = this.texts.get(uri.path);
    const current = promptIn(source) ?? (isWriting ? undefined : known?.latest);
    if (current === undefined) {
      const words = vscode.l10n.t("The agent's document isn't valid, or its system prompt isn't text. Fix it first.");
      throw vscode.FileSystemError.Unavailable(words);
    }
    const text = known ?? new PromptDocument(current, Date.now());
    this.texts.set(uri.path, text);
    return { text, current };
  }

  private follow(agents: readonly vscode.Uri[]): void {
    const uris = vscode.workspace.textDocuments.flatMap(({ uri }) =>
      uri.scheme === promptScheme && agents.some(agent => isSameDocument(toAgentUri(uri), agent)) ? [uri] : [],
    );
    if (uris.length > 0) {
      this.changed.fire(uris.map(uri => ({ type: vscode.FileChangeType.Changed, uri })));
    }
  }
}

/** Returns the code lens that opens the system prompt in its own document: at the prompt, or above line 1 if there is none. */
export function promptLensesOf(document: vscode.TextDocument): vscode.CodeLens[] {
  const text = document.getText();
  const key = memberOf(text, parseLoose(text), 'system')?.key;
  const location = parseResourceUri(document.uri);
  const isVersion = location?.view === 'edit' && location.reference.kind === 'agentVersion';
  if (key === undefined && isVersion) {
    return [];
  }
  const at = document.positionAt(key?.start ?? 0);
  const title = vscode.l10n.t('Open Prompt as Markdown');
  return [
    new vscode.CodeLens(
      new vscode.Range(at, at),
      commandLink('managedAgents.agent.editPrompt', lensTitle('markdown', title), document.uri),
    ),
  ];
}
