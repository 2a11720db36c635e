import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { ServiceFile } from '../../../client/resources/files';
import type { ServiceClient } from '../../../client/serviceClient';
import { askChoice } from '../../../common/asking/askSteps';
import { askFiles } from '../../../common/asking/newFile';
import { askModal, offer, showInformation, showWarning } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { CancelledError } from '../../../common/cancellation';
import { copyIds } from '../../../common/copyIds';
import { countingBody } from '../../../common/files/countingBody';
import { fileNameOf } from '../../../common/files/fileNameOf';
import { type LocalFile, toLocalFile } from '../../../common/files/localFile';
import { mediaTypeOf } from '../../../common/files/mediaTypes';
import { areTexts, StoredList } from '../../../common/storedList';
import { describeError } from '../../../common/text/describeError';
import { describeIgnored } from '../../../common/text/describeIgnored';
import type { StreamedBody } from '../../../contract/streamedBody';
import { toByteSize, toLabel } from '../../../shared/text';
import { refuseUntrusted } from '../../connection';
import { files as filesKind } from '../kinds/files';
import { isGone } from '../lists/resourceErrors';
import { connectionToCreateOn, type ResourceFlow } from '../resourceFlow';

const maxFiles = 100;
const day = 86_400;

/**
 * Uploads the given files, or files that the user chooses, one after the other with a cancellable progress. Warns about content that was
 * uploaded from this machine before. Failures are reported by file name. The other files stay uploaded.
 */
export async function uploadFiles(flow: ResourceFlow, state: vscode.Memento, given: readonly vscode.Uri[] | undefined): Promise<void> {
  refuseUntrusted('change');
  const { name } = await connectionToCreateOn(flow, filesKind);
  const { connection, client } = await flow.service.reach(name, 'change');
  const upload = vscode.l10n.t('Upload');
  const local = await toLocalFiles(given ?? (await askFiles({ canSelectMany: true, openLabel: upload, title: upload })));
  const known = createKnownUploads(state);
  const service = connection.baseUrl;
  const lifetime = new AbortController().signal;
  const hashes = await withProgress(vscode.l10n.t('Checking'), lifetime, signal => hashAll(local, signal));
  const chosen = await withoutKnown(client, known, service, local, hashes);
  const expiresInSeconds = hasExpiry(flow, name, connection.dialect) ? await askExpiry() : undefined;
  const total = chosen.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const title = vscode.l10n.t('Uploading to {0}', toLabel(connection.name, 60));
  const problems: string[] = [];
  const uploaded = await withProgress(title, lifetime, async (signal, report) => {
    const done: ServiceFile[] = [];
    let before = 0;
    for (const file of chosen) {
      try {
        const reportSent = (sent: number) => {
          const message = vscode.l10n.t('{0} ({1})', toLabel(file.name, 60), toByteSize(file.byteLength));
          report(message, total === 0 ? undefined : (before + sent) / total);
        };
        reportSent(0);
        const content = countingBody(await file.open(), reportSent);
        const mediaType = mediaTypeOf(file.name);
        const options = { ...(mediaType && { mediaType }), ...(expiresInSeconds !== undefined && { expiresInSeconds }) };
        const { data: value, ignored } = await client.files.upload({ name: file.name, content, ...options }, { signal });
        done.push(value);
        flow.store.put({ connection: name, kind: filesKind.kind }, value);
        if (ignored !== undefined) {
          problems.push(describeIgnored(toLabel(file.name, 60), ignored, vscode.l10n.t));
        }
        await known.put({ service, sha256: hashes.get(file.key) ?? '', id: value.id, name: file.name });
      } catch (error) {
        if (signal.aborted) {
          break;
        }
        problems.push(`${toLabel(file.name, 60)}: ${describeError(error)}`);
      }
      before += file.byteLength;
    }
    return done;
  });
  void showUploaded(uploaded, chosen.length, problems);
}

async function toLocalFiles(uris: readonly vscode.Uri[]): Promise<readonly LocalFile[]> {
  const local: LocalFile[] = [];
  const problems: string[] = [];
  for (const uri of uris.slice(0, maxFiles)) {
    try {
      local.push(await toLocalFile(uri));
    } catch (error) {
      problems.push(`${toLabel(fileNameOf(uri), 80)}: ${describeError(error)}`);
    }
  }
  if (uris.length > maxFiles) {
    problems.push(vscode.l10n.t('Select at most {0}.', maxFiles));
  }
  if (problems.length > 0) {
    void showWarning(vscode.l10n.t("Some files can't be used. {0}", problems.slice(0, 5).join(' ')));
  }
  if (local.length === 0) {
    throw new CancelledError();
  }
  return local;
}

async function hashAll(local: readonly LocalFile[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const file of local) {
    hashes.set(file.key, await hashOf(await file.open(), signal));
  }
  return hashes;
}

/** Returns the files to upload, after asking about files that the service already has. */
async function withoutKnown(
  client: ServiceClient,
  known: StoredList<KnownUpload>,
  service: string,
  local: readonly LocalFile[],
  hashes: ReadonlyMap<string, string>,
): Promise<readonly LocalFile[]> {
  const there: (readonly [file: LocalFile, upload: KnownUpload])[] = [];
  for (const file of local) {
    const upload = known.find(one => one.service === service && one.sha256 === hashes.get(file.key));
    if (upload !== undefined && (await isStillThere(client, known, upload))) {
      there.push([file, upload]);
    }
  }
  if (there.length === 0) {
    return local;
  }
  const again = vscode.l10n.t('Upload Again');
  const copy = vscode.l10n.t('Copy IDs');
  const rest = local.filter(file => !there.some(([one]) => one === file));
  const onlyNew = vscode.l10n.t('Upload Others');
  const lines = there.slice(0, 5).map(([file, { id }]) => vscode.l10n.t('{0} is {1}', toLabel(file.name, 60), toLabel(id, 60)));
  const answer = await askModal(
    vscode.l10n.t('Already uploaded: {0}. Upload again?', there.length),
    { detail: lines.join('\n') },
    ...(rest.length > 0 ? [onlyNew] : []),
    again,
    copy,
  );
  switch (answer) {
    case again:
      return local;
    case onlyNew:
      return rest;
    case copy:
      await copyIds(there.map(([, { id }]) => id));
      throw new CancelledError();
    default:
      throw new CancelledError();
  }
}

async function isStillThere(client: ServiceClient, known: StoredList<KnownUpload>, { id }: KnownUpload): Promise<boolean> {
  try {
    await client.files.retrieve(id);
    return true;
  } catch (error) {
    // Any other error does not prove that the file is gone.
    if (isGone(error)) {
      await known.remove(one => one.id === id);
      return false;
    }
    return true;
  }
}

/** Returns whether the service supports expiring files, by its dialect or because one of its files expires. */
function hasExpiry({ store }: ResourceFlow, connection: string, dialect: string): boolean {
  const listed = store.listOf(connection, filesKind).list.items;
  return dialect === 'anthropic-2026' || listed.some(file => Object.hasOwn(file, 'expires_at'));
}

/** Asks after how many seconds the files expire. Returns `undefined` if they never expire. */
async function askExpiry(): Promise<number | undefined> {
  const { t } = vscode.l10n;
  const seconds = await askChoice<number>({
    title: t('Upload'),
    placeholder: t('Expiration'),
    choices: [
      { label: t('Keep until deleted'), value: 0 },
      { label: t('1 hour'), value: 3_600 },
      { label: t('1 day'), value: day },
      { label: t('7 days'), value: 7 * day },
      { label: t('30 days'), value: 30 * day },
      { label: t('90 days'), value: 90 * day },
    ],
  });
  return seconds === 0 ? undefined : seconds;
}

async function showUploaded(uploaded: readonly ServiceFile[], asked: number, problems: readonly string[]): Promise<void> {
  const count = uploaded.length;
  const [only] = uploaded;
  const done =
    only !== undefined && asked === 1
      ? vscode.l10n.t('Uploaded {0}', toLabel(only.filename ?? only.id, 60))
      : vscode.l10n.t('Uploaded {0} of {1} files.', count, asked);
  const message = [done, ...problems.slice(0, 3)].join(' ');
  const copy = () => copyIds(uploaded.map(({ id }) => id));
  await offer(problems.length === 0 ? showInformation : showWarning, message, count > 0 && [vscode.l10n.t('Copy IDs'), copy]);
}

interface KnownUpload {
  readonly service: string;
  readonly sha256: string;
  readonly id: string;
  readonly name: string;
}

/** Creates the list of uploads from this machine, to avoid uploading the same content twice. */
function createKnownUploads(state: vscode.Memento): StoredList<KnownUpload> {
  return new StoredList(state, {
    key: 'managedAgents.uploads',
    max: 500,
    identity: ({ id }) => id,
    isEntry: ({ service, sha256, id, name }) => areTexts(service, sha256, id, name),
  });
}

/** Returns the SHA-256 of a body in hexadecimal digits. */
export async function hashOf(body: StreamedBody, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of body.open(signal)) {
    hash.update(piece);
  }
  return hash.digest('hex');
}
