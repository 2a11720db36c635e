import * as vscode from 'vscode';
import { commandLink } from '../../../../common/commands';
import { combine } from '../../../../common/disposables';
import { tabsOf } from '../../../../common/documents/tabs';
import { lensTitle } from '../../../../common/text/lensTitle';
import { memberOf, parseLoose } from '../../../../jsonl/guide/looseJson';
import { isRecord } from '../../../../shared/isRecord';
import { jsonOf } from '../../../../shared/jsonOf';
import { toDefinitionText } from '../../definitions/definitionText';
import { mergeLines } from '../../definitions/mergeDefinitions';
import type { DraftState } from '../../documents/draftLenses';
import { isSameDocument, openDocument, type ResourceFiles } from '../../documents/resourceFiles';
import { agentScheme, parseResourceUri } from '../../documents/resourceUri';

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

  /** Replaces the open prompt of a draft with the prompt of the agent that was created from it. */
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
      throw vscode.FileSystemError.Unavailable(vscode.l10n.t("Couldn't save the document."));
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
   * Returns the document of a prompt, and the prompt in the text of its agent. If that text has no prompt, returns the last known prompt.
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

/** Returns the code lens that opens the system prompt in its own document. The lens is at the prompt, or above line 1 without a prompt. */
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

/**
 * System prompt of an agent in its own document. Until it is edited, it follows the agent's document. After that, saving merges the changes
 * of both documents line by line. If both changed the same lines, VS Code sees a newer file and offers to compare them.
 */
export class PromptDocument {
  private stamp: number;
  /** Stamp of `base`. */
  private baseStamp: number;
  /** Prompt in the agent's document when it was last read. */
  private shownText: string;
  private isSettling = false;

  constructor(
    /** Text that the editor last loaded or saved. */
    private base: string,
    stamp: number,
  ) {
    this.shownText = base;
    this.stamp = stamp;
    this.baseStamp = stamp;
  }

  get latest(): string {
    return this.shownText;
  }

  /**
   * Returns the state of the file for VS Code, which considers a file newer if its stamp is higher and its size differs. `edited` is the
   * unsaved text of the editor.
   */
  state(current: string, edited: string | undefined): { readonly stamp: number; readonly bytes: number } {
    this.update(current);
    const isMerged = edited !== undefined && edited !== current && mergeLines(this.base, edited, current).isWhole;
    if (this.isSettling || isMerged || current === this.base) {
      return { stamp: this.baseStamp, bytes: Buffer.byteLength(this.base) };
    }
    const bytes = Buffer.byteLength(current);
    return { stamp: this.stamp, bytes: bytes === Buffer.byteLength(this.base) ? bytes + 1 : bytes };
  }

  /** Returns the text to read. If the editor has unsaved edits, VS Code reads the text only to compare, so the base stays. */
  read(current: string, isEdited: boolean): string {
    this.update(current);
    if (!isEdited) {
      this.base = current;
      this.baseStamp = this.stamp;
    }
    return current;
  }

  /**
   * Returns the prompt to write to the agent's document when `mine` is saved. If both documents changed the same lines, `mine` wins,
   * because the user has already chosen to overwrite the other changes.
   */
  save(mine: string, current: string): string {
    const merged = mergeLines(this.base, mine, current);
    return merged.isWhole ? merged.mine : mine;
  }

  /** Records that `mine` was saved and that `written` is now in the agent's document. Until `settle`, the file has the state of `mine`. */
  saved(mine: string, written: string): void {
    this.base = mine;
    this.shownText = written;
    this.baseStamp = ++this.stamp;
    this.isSettling = written !== mine;
  }

  /** Records that VS Code finished its save. Returns whether a merge produced newer text to read. */
  settle(): boolean {
    const isNewer = this.isSettling;
    this.isSettling = false;
    this.stamp += isNewer ? 1 : 0;
    return isNewer;
  }

  private update(current: string): void {
    if (current !== this.shownText) {
      this.shownText = current;
      this.stamp++;
    }
  }
}

/**
 * Returns the system prompt in the text of an agent's document. `undefined` if the text is not a JSON object or the prompt is not a string.
 */
export function promptIn(document: string): string | undefined {
  const agent = jsonOf(document);
  const prompt = isRecord(agent) ? (agent.system ?? '') : undefined;
  return typeof prompt === 'string' ? prompt : undefined;
}

/**
 * Replaces the system prompt in the text of an agent's document and leaves everything else unchanged. An empty prompt becomes `null`, which
 * clears the prompt. Throws if the document has no prompt (`promptIn`).
 */
export function withPrompt(document: string, prompt: string): string {
  const agent = jsonOf(document);
  if (!isRecord(agent) || promptIn(document) === undefined) {
    throw new Error('unreachable: the document has no prompt');
  }
  const system = prompt === '' ? null : prompt;
  if (prompt === promptIn(document)) {
    return document;
  }
  const wanted = { ...agent, system };
  const root = parseLoose(document);
  const value = memberOf(document, root, 'system')?.value;
  const written = JSON.stringify(system);
  const target = value ?? (root && { start: root.start + 1, end: root.start + 1 });
  const inserted = value === undefined ? `\n  "system": ${written}${Object.keys(agent).length === 0 ? '\n' : ','}` : written;
  const edited = target && `${document.slice(0, target.start)}${inserted}${document.slice(target.end)}`;
  // With a duplicate key, for example, the edit may change the wrong member.
  return edited !== undefined && JSON.stringify(sorted(jsonOf(edited))) === JSON.stringify(sorted(wanted))
    ? edited
    : toDefinitionText(wanted);
}

function sorted(value: unknown): unknown {
  return isRecord(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value;
}
