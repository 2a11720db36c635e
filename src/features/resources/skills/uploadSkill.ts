import * as vscode from 'vscode';
import { confirmChange } from '../../../common/asking/confirmChange';
import { offer, showInformation } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { warnOfIgnored } from '../../../common/asking/warnOfIgnored';
import { isCancellation } from '../../../common/cancellation';
import { copyIds } from '../../../common/copyIds';
import { toLocalFile } from '../../../common/files/localFile';
import { mediaTypeOf } from '../../../common/files/mediaTypes';
import { areTexts, StoredList } from '../../../common/storedList';
import type { Reference } from '../../../contributions';
import { toByteSize, toLabel } from '../../../shared/text';
import { type Reached, readyConnection, refuseUntrusted } from '../../connection';
import { skills as skillsKind, skillVersions } from '../kinds/skills';
import { isGone } from '../lists/resourceErrors';
import type { ResourceList } from '../lists/resourceList';
import { connectionToCreateOn, pickReference, type ResourceFlow, retrieve, toGone } from '../resourceFlow';
import type { SkillDiagnostics } from './skillDiagnostics';
import { chooseSkillFolder } from './skillFolder';

type Package = Awaited<ReturnType<typeof readPackage>>;

/** Uploads a folder as a new skill, after asking, and remembers the link between both. */
export async function uploadNewSkill(parts: SkillParts, file: vscode.Uri | undefined): Promise<void> {
  const { flow, links } = parts;
  demandUpload(parts);
  const connection = (await connectionToCreateOn(flow, skillsKind)).name;
  const uri = await chooseSkillFolder(file);
  const reached = await flow.service.reach(connection, 'change');
  const wanted = await readPackage(parts, uri);
  const name = wanted.folder.name;
  const title = vscode.l10n.t('Upload {0} as a new skill?', toLabel(name, 64));
  await confirm(reached, wanted, title, vscode.l10n.t('Anyone with this connection can see it.'));
  const list = flow.store.listOf(connection, skillsKind);
  const response = await send(parts, connection, [list], wanted, options =>
    reached.client.skills.create({ files: wanted.files, title: name }, options),
  );
  const { data } = response;
  await links.put({ connection, folder: uri.toString(), skillId: data.id });
  flow.store.put({ connection, kind: skillsKind.kind }, data);
  showUploaded(vscode.l10n.t('Uploaded {0}', toLabel(name, 64)), data.id);
  warnOfIgnored(toLabel(name, 64), response);
}

/** Uploads a folder as a new version of its skill, or of a skill that the user chooses, after asking. */
export async function uploadNewVersion(parts: SkillParts, target: vscode.Uri | Reference | undefined): Promise<void> {
  const { flow, links } = parts;
  demandUpload(parts);
  const uri = await chooseSkillFolder(target instanceof vscode.Uri ? target : undefined);
  const skill = await skillOf(parts, uri, target instanceof vscode.Uri ? undefined : target);
  const reached = await flow.service.reach(skill.connection, 'change');
  const name = skillsKind.name({ type: 'skill', ...(await demandSkill(parts, reached, skill)) });
  const wanted = await readPackage(parts, uri);
  const title = vscode.l10n.t('Upload {0} as a new version of the skill {1}?', toLabel(wanted.folder.name, 64), name);
  await confirm(reached, wanted, title, vscode.l10n.t('Agents on the latest version get it in new sessions.'));
  const { connection } = skill;
  const lists = [flow.store.listOf(connection, skillsKind), flow.store.listOf(connection, skillVersions, skill)];
  const { create } = reached.client.skills.versions(skill.id);
  await send(parts, connection, lists, wanted, options => create(wanted.files, options)).catch(async error => {
    throw await forgetGone(parts, skill, error);
  });
  await links.put({ connection, folder: uri.toString(), skillId: skill.id });
  showUploaded(vscode.l10n.t('Uploaded {0}', name), skill.id);
}

/** Returns the skill of a folder on the connection of this window: the given or linked skill, or one that the user chooses. */
export async function skillOf({ flow, links }: SkillParts, folder: vscode.Uri, given?: Reference): Promise<Reference> {
  if (given !== undefined) {
    return { connection: given.connection, kind: given.kind, id: given.id };
  }
  const { name: connection } = await readyConnection(flow.service.connections);
  const id = linkedSkill(links, connection, folder.toString());
  return id === undefined ? await pickReference(flow, connection, [skillsKind], 'versionable') : { connection, kind: skillsKind.kind, id };
}

/** Reads the current state of a skill. Removes the links to the skill if the skill is gone. */
export async function demandSkill(parts: SkillParts, reached: Reached, skill: Reference) {
  try {
    return await retrieve(parts.flow, reached, skill);
  } catch (error) {
    throw await forgetGone(parts, skill, error);
  }
}

async function forgetGone({ flow, links }: SkillParts, skill: Reference, error: unknown): Promise<unknown> {
  if (isGone(error) || (error instanceof Error && isGone(error.cause))) {
    await links.remove(({ connection, skillId }) => connection === skill.connection && skillId === skill.id);
  }
  return toGone(flow, skill, error);
}

/** Returns the files of a folder that would be uploaded. Throws an error with a message for the user if no service accepts the folder. */
async function readPackage({ diagnostics }: SkillParts, uri: vscode.Uri) {
  const { folder, findings } = await diagnostics.check(uri);
  const errors = findings.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first !== undefined) {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.joinPath(uri, first.path), { preview: false });
    throw new Error(vscode.l10n.t('{0} was not uploaded. {1}.', toLabel(folder.name, 64), first.message));
  }
  const local = await Promise.all(folder.files.map(async file => ({ file, content: await toLocalFile(file.uri) })));
  const files = await Promise.all(
    local.map(async ({ file: { path }, content }) => {
      return { path: `${folder.name}/${path}`, mediaType: mediaTypeOf(path), content: await content.open() };
    }),
  );
  const warned = findings.map(({ path, message }) => `${toLabel(path, 80)}: ${message}`);
  const more = warned.length > 3 ? [vscode.l10n.t('and {0} more', warned.length - 3)] : [];
  return {
    folder,
    files,
    bytes: files.reduce((sum, { content }) => sum + content.byteLength, 0),
    warnings: [...warned.slice(0, 3), ...more],
  };
}

async function confirm({ connection }: Reached, { folder, files, bytes, warnings }: Package, title: string, detail: string): Promise<void> {
  const { leftOut } = folder;
  const lines = [
    vscode.l10n.t('Folder: {0}', toLabel(vscode.workspace.asRelativePath(folder.uri), 200)),
    vscode.l10n.t('Files: {0}, {1}', files.length, toByteSize(bytes, vscode.env.language)),
    ...(leftOut.length > 0 ? [vscode.l10n.t('Left out: {0}', toLabel(leftOut.slice(0, 5).join(', '), 200))] : []),
  ];
  await confirmChange(connection, {
    title,
    details: [lines.join('\n'), warnings.join('\n'), detail],
    button: vscode.l10n.t('Upload'),
  });
}

/** Throws an error with a message for the user if nothing may be uploaded now. */
function demandUpload({ uploads }: SkillParts): void {
  refuseUntrusted('change');
  if (uploads.isRunning) {
    throw new Error(vscode.l10n.t('Another skill is being uploaded.'));
  }
}

/** Sends a package once, with a cancellable progress, and then refreshes the lists. */
async function send<T>(
  parts: SkillParts,
  connection: string,
  lists: readonly ResourceList[],
  { folder, bytes }: Package,
  upload: (options: { readonly signal: AbortSignal; readonly onProgress: (sentBytes: number) => void }) => Promise<T>,
): Promise<T> {
  demandUpload(parts);
  const title = vscode.l10n.t('Uploading {0} to {1}', toLabel(folder.name, 64), toLabel(connection, 60));
  parts.uploads.isRunning = true;
  try {
    return await withProgress(title, new AbortController().signal, (signal, report) => {
      const reportSent = (sent: number) => report(toByteSize(Math.min(sent, bytes), vscode.env.language), sent / Math.max(bytes, 1));
      return upload({ signal, onProgress: reportSent });
    });
  } catch (error) {
    throw isCancellation(error)
      ? new Error(vscode.l10n.t('The upload was canceled. Check the Resources view: the service may have received it.'), { cause: error })
      : error;
  } finally {
    parts.uploads.isRunning = false;
    for (const list of lists) {
      void list.refresh();
    }
  }
}

function showUploaded(message: string, id: string): void {
  void offer(showInformation, message, [vscode.l10n.t('Copy ID'), () => copyIds([id])]);
}

/** Dependencies of the commands on folders with a `SKILL.md`. */
export interface SkillParts {
  readonly flow: ResourceFlow;
  readonly links: SkillLinks;
  readonly diagnostics: Pick<SkillDiagnostics, 'check'>;
  /** Only one upload runs at a time. */
  readonly uploads: { isRunning: boolean };
}

/** Skill to which a folder of this workspace was last uploaded on one connection. */
interface SkillLink {
  readonly connection: string;
  readonly folder: string;
  readonly skillId: string;
}

export type SkillLinks = StoredList<SkillLink>;

export function createSkillLinks(state: vscode.Memento): SkillLinks {
  return new StoredList(state, {
    key: 'managedAgents.skillLinks',
    max: 500,
    identity: ({ connection, folder }) => JSON.stringify([connection, folder]),
    isEntry: ({ connection, folder, skillId }) => areTexts(connection, folder, skillId),
  });
}

/** Returns the ID of the skill of a folder. */
export function linkedSkill(links: SkillLinks, connection: string, folder: string): string | undefined {
  return links.find(link => link.connection === connection && link.folder === folder)?.skillId;
}
