import type { ServiceClient } from '../../../client/serviceClient';
import { boundedBytes } from '../../../common/files/boundedBytes';
import type { LocalFile } from '../../../common/files/localFile';
import { describeError } from '../../../common/text/describeError';
import type { Translate } from '../../../common/text/translate';
import { type AttachedAs, type AttachedFile, maxAttached } from '../../../shared/session/composing';
import { toByteSize, toLabel } from '../../../shared/text';
import { uploadAll } from '../attaching/sessionFiles';
import { isSecretName, maxTextBytes, maxTextBytesTogether, toFileBlock, toFileText, toMountBlock } from './fileText';

/** File of a message, and the way it is sent. */
export type SentFile = Pick<AttachedFile, 'id' | 'as'>;

interface MessageFilesOptions {
  readonly sessionId: string;
  /** Opens the file of an ID from `WorkspaceFiles`. Returns `undefined` if the ID is unknown. Rejects with a message for the user. */
  readonly open: (id: string) => Promise<LocalFile | undefined>;
  /** Returns the client for changes. Rejects if nothing may be sent. */
  readonly service: () => Promise<Pick<ServiceClient, 'sessions' | 'files'>>;
  /** Asks the user before many or large files leave this machine. Rejects if the user declines. */
  readonly confirmUpload: (files: readonly LocalFile[], uploaded: ReadonlyMap<string, string>) => Promise<void>;
  readonly t: Translate;
  readonly locale: string;
}

/** Files attached in the composer of one session. Sends nothing before `contentOf`. */
export class MessageFiles {
  private readonly attached = new Map<string, AttachedFile>();
  /** IDs of uploaded files and paths of mounted files, by file key, so that neither step is repeated. */
  private readonly uploaded = new Map<string, string>();
  private readonly mounted = new Map<string, string | undefined>();

  constructor(private readonly options: MessageFilesOptions) {}

  get list(): readonly AttachedFile[] {
    return [...this.attached.values()];
  }

  /**
   * Attaches a file, or changes how it is sent. By default, sends small text as text, and uploads other files. Rejects with a message for
   * the user.
   */
  async attach(id: string, as: AttachedAs | undefined): Promise<void> {
    const { t } = this.options;
    if (!this.attached.has(id) && this.attached.size >= maxAttached) {
      throw new Error(t('Select at most {0}.', maxAttached));
    }
    const file = await this.open(id);
    const text = await this.textOf(file);
    const notAsText = typeof text === 'string' ? undefined : text.problem;
    this.attached.set(id, {
      ...{ id, path: toLabel(file.relativePath, 300), bytes: file.byteLength },
      as: notAsText === undefined ? (as ?? 'text') : 'upload',
      ...(notAsText !== undefined && { notAsText }),
      ...(isSecretName(file.name) && { warning: t('This file may contain secrets. The agent will read it.') }),
    });
  }

  detach(id: string): void {
    this.attached.delete(id);
  }

  /**
   * Returns the content blocks for the files of a message. Reads all files again. Uploads and mounts files that are not sent as text, each
   * file once. If this call rejects with a message for the user, the message must not be sent.
   */
  async contentOf(files: readonly SentFile[], signal: AbortSignal): Promise<readonly object[]> {
    const service = await this.options.service();
    const blocks: object[] = [];
    const uploads: LocalFile[] = [];
    let textBytes = 0;
    for (const { id, as } of files) {
      const file = await this.open(id);
      if (as === 'upload') {
        uploads.push(file);
        continue;
      }
      const text = await this.textOf(file);
      if (typeof text !== 'string') {
        throw new Error(`${toLabel(file.relativePath, 200)}: ${text.problem}`);
      }
      textBytes += file.byteLength;
      if (textBytes > maxTextBytesTogether) {
        const most = toByteSize(maxTextBytesTogether, this.options.locale);
        throw new Error(this.options.t('Too large to send as text (limit {0}).', most));
      }
      blocks.push(toFileBlock(file.relativePath, text));
    }
    await this.mount(uploads, service, signal);
    return [...blocks, ...uploads.map(file => toMountBlock(file.relativePath, this.mounted.get(file.key)))];
  }

  private async mount(files: readonly LocalFile[], client: Pick<ServiceClient, 'sessions' | 'files'>, signal: AbortSignal): Promise<void> {
    const { t, sessionId, confirmUpload } = this.options;
    const left = files.filter(({ key }) => !this.mounted.has(key));
    if (left.length === 0) {
      return;
    }
    await confirmUpload(left, this.uploaded);
    const resources = await uploadAll(client, { files: left, folder: '' }, { signal, uploaded: this.uploaded });
    if (resources === undefined) {
      throw new Error(t("This service doesn't support files."));
    }
    for (const [index, resource] of resources.entries()) {
      const { key, relativePath } = left[index] as LocalFile;
      try {
        const { data } = await client.sessions.addResource(sessionId, resource, { signal });
        this.mounted.set(key, data.mount_path ?? undefined);
      } catch (error) {
        throw new Error(t("Couldn't add {0} to the session. {1}", toLabel(relativePath, 200), describeError(error)), { cause: error });
      }
    }
  }

  private async open(id: string): Promise<LocalFile> {
    const file = await this.options.open(id);
    if (file === undefined) {
      throw new Error(this.options.t('Attach the file again.'));
    }
    return file;
  }

  /** Returns the file as text, or the reason why it can't be sent as text. */
  private async textOf(file: LocalFile): Promise<string | { readonly problem: string }> {
    const { t, locale } = this.options;
    if (file.byteLength > maxTextBytes) {
      return { problem: t('Too large to send as text (limit {0}).', toByteSize(maxTextBytes, locale)) };
    }
    const bytes = await boundedBytes((await file.open()).open(new AbortController().signal), maxTextBytes);
    const text = bytes && toFileText(bytes);
    return text ?? { problem: t('Not UTF-8') };
  }
}
