import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ReadonlyDocuments } from '../../../../common/documents/readonlyDocuments';
import { imageTypeOf } from '../../../../common/files/mediaTypes';
import { describeError } from '../../../../common/text/describeError';
import type { Translate } from '../../../../common/text/translate';
import { toMaskedJson } from '../../../../shared/maskedJson';
import type { TranscriptEvent } from '../../../../shared/session/event';
import { type FileChange, fileCallOf } from '../../../../shared/session/fileChange';
import { inputOf } from '../../../../shared/session/rows/buildToolRow';
import { toPrettyJson } from '../../../../shared/session/rows/parts';
import type { WholePart } from '../../../../shared/session/rows/rowParts';
import { toLabel } from '../../../../shared/text';
import type { LiveSession } from '../../live/liveSession';

const beside = (): vscode.TextDocumentShowOptions => ({ viewColumn: vscode.ViewColumn.Beside, preview: true });

/** Opens parts of a transcript in read-only editors. */
export class PartOpener {
  private isFolderUsed = false;

  /** `folder` contains images while VS Code shows them. The folder belongs to this window alone. */
  constructor(
    private readonly documents: ReadonlyDocuments,
    private readonly folder: string,
  ) {}

  /** Shows text or JSON as a document, and an image in VS Code's viewer. `ending` is the extension of text that isn't JSON. */
  async open(part: WholePart, name: string, ending: 'md' | 'txt'): Promise<void> {
    if (part.data !== undefined && (part.type === 'image' || part.mediaType?.startsWith('image/') === true)) {
      return await this.openImage(part.data, name);
    }
    if (part.data !== undefined) {
      throw new Error(vscode.l10n.t("This content can't be shown here."));
    }
    if (part.type === 'image') {
      throw new Error(vscode.l10n.t("Images from other sites aren't loaded."));
    }
    const isJson = part.type === 'json' || isJsonText(part.text);
    await this.show(`${name}.${isJson ? 'json' : ending}`, part.text);
  }

  async openEvent(events: readonly TranscriptEvent[], name: string): Promise<void> {
    const [first] = events;
    await this.show(`${name}.json`, toMaskedJson(events.length === 1 ? first : events));
  }

  /** Shows a call's file change in the diff editor. For an edit, shows the replaced pieces. For a written file, the other side is empty. */
  async openChange({ path: file, before, after }: FileChange, isApplied: boolean): Promise<void> {
    const { t } = vscode.l10n;
    const name = toLabel(file.slice(file.lastIndexOf('/') + 1), 80) || 'file';
    const title = isApplied ? t('{0} (changed by the agent)', name) : t('{0} (not applied)', name);
    const [left, right] = [this.documents.create(name, before), this.documents.create(name, after)];
    await vscode.commands.executeCommand('vscode.diff', left, right, title, beside());
  }

  async dispose(): Promise<void> {
    if (this.isFolderUsed) {
      await rm(this.folder, { recursive: true, force: true });
    }
  }

  private async show(name: string, text: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.documents.create(name, text));
    await vscode.window.showTextDocument(document, beside());
  }

  private async openImage(data: string, name: string): Promise<void> {
    const bytes = Buffer.from(data, 'base64');
    const type = imageTypeOf(bytes);
    if (type === undefined) {
      throw new Error(vscode.l10n.t("This content can't be shown here."));
    }
    if (!this.isFolderUsed) {
      this.isFolderUsed = true;
      await removeLeftBehind(path.dirname(this.folder));
    }
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const stem = name.replace(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 40);
    const file = path.join(this.folder, `${stem}-${randomBytes(4).toString('hex')}.${type.extension}`);
    await writeFile(file, bytes, { flag: 'wx', mode: 0o600 });
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file), beside());
  }
}

/** Deletes the image folders of windows that have ended. The folders are named by process ID. */
async function removeLeftBehind(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    try {
      process.kill(Number(name), 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') {
        await rm(path.join(folder, name), { recursive: true, force: true });
      }
    }
  }
}

function isJsonText(text: string): boolean {
  if (!/^\s*[[{]/.test(text) || text.length > 20_000_000) {
    return false;
  }
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Shows the file change of an ask in the diff editor. Throws an error for the user if its arguments don't describe a change. */
export async function openAskedChange(
  session: Pick<LiveSession, 'transcript' | 'view' | 'findEvent'>,
  parts: Pick<PartOpener, 'openChange'>,
  eventId: string,
  signal: AbortSignal,
): Promise<void> {
  const { t } = vscode.l10n;
  const given = await findArguments(session, eventId, signal, t);
  if (typeof given === 'string') {
    throw new Error(given);
  }
  const tool = session.view.asks.find(ask => ask.eventId === eventId)?.tool ?? '';
  const change = fileCallOf(tool, given.text)?.change;
  if (change === undefined) {
    throw new Error(t("The call's arguments don't name a file."));
  }
  await parts.openChange(change, false);
}

/** Finds the complete arguments of an ask in the log that has its call. Returns a message if they can't be found. */
export async function findArguments(
  session: Pick<LiveSession, 'transcript' | 'view' | 'findEvent'>,
  eventId: string,
  signal: AbortSignal,
  t: Translate,
): Promise<WholePart | string> {
  const part = session.transcript('')?.partOf(eventId, 'ask');
  if (part !== undefined) {
    return part;
  }
  const ask = session.view.asks.find(one => one.eventId === eventId);
  try {
    const event = await session.findEvent(eventId, ask?.thread, signal);
    const input = event && inputOf(event);
    if (input !== undefined) {
      return { type: 'json', text: toPrettyJson(input) };
    }
  } catch (error) {
    return t("Couldn't load the arguments: {0}", describeError(error));
  }
  return t("The arguments aren't available.");
}
