import path from 'node:path';
import * as vscode from 'vscode';
import type { FileResourceParams } from '../../../client/resources/sessions';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { askChoices, askText, type Choice } from '../../../common/asking/askSteps';
import { confirmModal } from '../../../common/asking/confirmChange';
import { askFiles } from '../../../common/asking/newFile';
import { showWarning } from '../../../common/asking/notifications';
import type { Report } from '../../../common/asking/progress';
import { countingBody } from '../../../common/files/countingBody';
import { fileNameOf } from '../../../common/files/fileNameOf';
import { type LocalFile, toLocalFile, uriOfKey } from '../../../common/files/localFile';
import { mediaTypeOf } from '../../../common/files/mediaTypes';
import { hostOf } from '../../../common/text/presentation';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { toByteSize, toLabel } from '../../../shared/text';
import { withoutEnd } from '../../../shared/trim';
import type { Connection } from '../../connection';
import { describeMountPathProblem } from './askRepository';

const maxFiles = 100;
const maxListed = 5000;

/** Limits above which an upload needs a confirmation. */
const confirmAbove = { files: 10, bytes: 10_000_000 };

/** Asks the user before many or large files are uploaded. Files in `uploaded` don't count. Throws a `CancelledError` if declined. */
export async function confirmUpload(
  connection: Connection,
  files: readonly LocalFile[],
  uploaded: ReadonlyMap<string, string>,
): Promise<void> {
  const left = files.filter(({ key }) => !uploaded.has(key));
  if (left.length <= confirmAbove.files && totalBytes(left) <= confirmAbove.bytes) {
    return;
  }
  const largest = Math.max(...left.map(({ byteLength }) => byteLength));
  await confirmModal(
    vscode.l10n.t('Send {0} to {1}?', describeFiles(left), hostOf(connection)),
    vscode.l10n.t('The agent can read them in its sandbox. Largest: {0}.', toByteSize(largest, vscode.env.language)),
    vscode.l10n.t('Send Files'),
  );
}

/** Asks the user to choose files of the workspace or from disk. `chosen` are preselected. Throws a `CancelledError` if the user cancels. */
export async function pickFiles(title: string, chosen: readonly LocalFile[]): Promise<readonly LocalFile[]> {
  const uris = await pickUris(
    title,
    chosen.map(({ key }) => vscode.Uri.parse(uriOfKey(key))),
  );
  const files: LocalFile[] = [];
  const problems: string[] = [];
  for (const uri of uris) {
    try {
      files.push(await toLocalFile(uri));
    } catch (error) {
      problems.push(`${toLabel(fileNameOf(uri), 80)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (files.length > maxFiles) {
    problems.push(vscode.l10n.t('Only the first {0} files are added to the session.', maxFiles));
  }
  if (problems.length > 0) {
    void showWarning(vscode.l10n.t("Some files can't be used. {0}", problems.slice(0, 5).join(' ')));
  }
  return files.slice(0, maxFiles);
}

/** Formats the number and size of files: `3 files, 1.2 MB`. */
export function describeFiles(files: readonly LocalFile[]): string {
  const size = toByteSize(totalBytes(files), vscode.env.language);
  return files.length === 1 ? vscode.l10n.t('1 file, {0}', size) : vscode.l10n.t('{0} files, {1}', files.length, size);
}

/** Asks for the target folder of the files in the sandbox. Returns '' if the service chooses the folder. */
export async function askFolder(title: string, value: string): Promise<string> {
  const folder = await askText({
    title,
    prompt: vscode.l10n.t('Folder in the session. Leave empty for the default.'),
    value,
    validate: text => describeMountPathProblem(text, vscode.l10n.t),
  });
  return folder.trim();
}

function totalBytes(files: readonly LocalFile[]): number {
  return files.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

async function pickUris(title: string, chosen: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  const found = await vscode.workspace.findFiles('**/*', '**/{node_modules,.git}/**', maxListed);
  const uris = new Map([...chosen, ...found].map(uri => [uri.toString(), uri]));
  if (uris.size === 0) {
    return await browseFiles();
  }
  const ticked = await askChoices<string>({
    title,
    placeholder:
      found.length < maxListed
        ? vscode.l10n.t('Select files for the session')
        : vscode.l10n.t('Select files for the session. Only the first {0} are listed', maxListed),
    choices: [
      { label: `$(folder-opened) ${vscode.l10n.t('Browse...')}`, value: '' },
      ...[...uris.values()].sort((a, b) => a.path.localeCompare(b.path)).map(toItem),
    ],
    ticked: chosen.map(String),
    validate: () => undefined,
  });
  return [...ticked.flatMap(key => uris.get(key) ?? []), ...(ticked.includes('') ? await browseFiles() : [])];
}

function toItem(uri: vscode.Uri): Choice<string> {
  const relative = vscode.workspace.asRelativePath(uri);
  const folder = path.posix.dirname(relative);
  return {
    label: withoutIcons(toLabel(path.posix.basename(relative), 80)),
    description: folder === '.' ? '' : withoutIcons(toLabel(folder, 120)),
    value: uri.toString(),
  };
}

function browseFiles(): Promise<readonly vscode.Uri[]> {
  return askFiles({ canSelectMany: true, canSelectFolders: false, openLabel: vscode.l10n.t('Add to Session') });
}

/** Files to mount in a session. `folder` is their target folder in the sandbox, empty if the service chooses it. */
export interface MountedFiles {
  readonly files: readonly LocalFile[];
  readonly folder: string;
}

export interface UploadOptions {
  readonly signal: AbortSignal;
  readonly report?: Report;
  /** IDs of uploaded files, by file key. Kept between attempts. */
  readonly uploaded: Map<string, string>;
}

/** Uploads the files and returns them as resources. Returns `undefined` if the service doesn't support files. */
export async function uploadAll(
  client: Pick<ServiceClient, 'files'>,
  { files, folder }: MountedFiles,
  { signal, report, uploaded }: UploadOptions,
): Promise<readonly FileResourceParams[] | undefined> {
  // Without a folder, the service may derive the path from the name, so names must be unique.
  const names = withoutDoubles(files.map(({ name }) => name));
  const mountPaths = folder.trim() === '' ? [] : withoutDoubles(files.map(({ relativePath }) => toMountPath(folder, relativePath)));
  const total = totalBytes(files);
  const resources: FileResourceParams[] = [];
  let done = 0;
  for (const [index, file] of files.entries()) {
    let id = uploaded.get(file.key);
    if (id === undefined) {
      const start = done;
      const reportSent = (sent: number) => {
        const words = vscode.l10n.t('Sending {0} ({1} of {2})', toLabel(file.name, 60), index + 1, files.length);
        report?.(words, total === 0 ? undefined : (start + sent) / total);
      };
      reportSent(0);
      const counted = countingBody(await file.open(), reportSent);
      try {
        const upload = { name: names[index] ?? file.name, mediaType: mediaTypeOf(file.name), content: counted };
        id = (await client.files.upload(upload, { signal })).data.id;
      } catch (error) {
        if (index === 0 && error instanceof ServiceError && error.kind === 'not_found') {
          return undefined;
        }
        throw error;
      }
      uploaded.set(file.key, id);
    }
    done += file.byteLength;
    const mountPath = mountPaths[index];
    resources.push({ type: 'file', file_id: id, ...(mountPath === undefined ? {} : { mount_path: mountPath }) });
  }
  return resources;
}

/** Makes names or paths unique by adding a number to all but the first of equal paths. */
export function withoutDoubles(paths: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return paths.map(path => {
    const [, stem = '', ending = ''] = /^(.*?)(\.[^./]+)?$/s.exec(path) ?? [];
    let own = path;
    for (let number = 2; taken.has(own); number++) {
      own = `${stem} (${number})${ending}`;
    }
    taken.add(own);
    return own;
  });
}

/** Returns the path of a file in a folder of the sandbox, from its path in the workspace. Never leaves the folder. */
export function toMountPath(folder: string, relativePath: string): string {
  const parts = relativePath
    .replaceAll('\\', '/')
    .split('/')
    .filter(part => part !== '' && part !== '.' && part !== '..')
    .map(part => part.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '_'));
  return [withoutEnd(folder.trim(), '/'), ...parts].join('/');
}
