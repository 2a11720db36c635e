import * as vscode from 'vscode';
import { latestVersionKey, type Skill } from '../../../client/resources/skills';
import { showInformation } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { type AreaHandlers, commandLink } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import { lensTitle } from '../../../common/text/lensTitle';
import type { Reference } from '../../../contributions';
import { onLine1 } from '../documents/draftLenses';
import { contentName } from '../documents/openContent';
import { besideFile, toResourceUri } from '../documents/resourceUri';
import { readSkillArchive, skillFiles, skills as skillsKind, skillVersions } from '../kinds/skills';
import type { ZipFile } from '../readZip';
import type { ResourceFlow } from '../resourceFlow';
import { dirtyText, SkillDiagnostics } from './skillDiagnostics';
import { chooseSkillFolder, readSkillFolder, type SkillFolder } from './skillFolder';
import {
  createSkillLinks,
  demandSkill,
  linkedSkill,
  type SkillLinks,
  type SkillParts,
  skillOf,
  uploadNewSkill,
  uploadNewVersion,
} from './uploadSkill';

/** Editor features for folders with a `SKILL.md`. */
export class SkillEditing implements SkillParts, vscode.Disposable {
  readonly diagnostics = new SkillDiagnostics();
  readonly uploads = { isRunning: false };
  readonly links: SkillLinks;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    readonly flow: ResourceFlow,
    state: vscode.Memento,
    refreshLenses: () => void,
  ) {
    this.links = createSkillLinks(state);
    this.subscriptions = combine(
      this.diagnostics,
      this.links.onDidChange(refreshLenses),
      flow.service.connections.onDidChange(refreshLenses),
    );
  }

  readonly commands: AreaHandlers<'skill'> = {
    'managedAgents.skill.create': file => uploadNewSkill(this, file),
    'managedAgents.skill.createVersion': target => uploadNewVersion(this, target),
  };

  compare(target: vscode.Uri | Reference | undefined): Promise<void> {
    return compareWithLatest(this, target);
  }

  /** Returns the code lenses above the front matter of a `SKILL.md`. They depend on whether the folder is linked to a skill. */
  lenses({ uri }: vscode.TextDocument): readonly vscode.CodeLens[] {
    const { t } = vscode.l10n;
    const { current } = this.flow.service.connections;
    const isLinked =
      current !== undefined && linkedSkill(this.links, current.name, vscode.Uri.joinPath(uri, '..').toString()) !== undefined;
    return isLinked
      ? onLine1(
          commandLink('managedAgents.skill.createVersion', lensTitle('cloud-upload', t('Upload as New Version')), uri),
          commandLink('managedAgents.compare', lensTitle('diff-multiple', t('Compare with Latest')), uri),
        )
      : onLine1(
          commandLink('managedAgents.skill.create', lensTitle('cloud-upload', t('Upload as New Skill')), uri),
          commandLink('managedAgents.skill.createVersion', lensTitle('versions', t('Upload as New Version of...')), uri),
        );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}

type Change = readonly [label: vscode.Uri, original: vscode.Uri | undefined, modified: vscode.Uri | undefined];

/** Shows the differences between a folder and the latest version of its skill in VS Code's multi-file diff editor. */
async function compareWithLatest(parts: SkillParts, target: vscode.Uri | Reference | undefined): Promise<void> {
  const { flow, links } = parts;
  const uri = await chooseSkillFolder(target instanceof vscode.Uri ? target : undefined);
  const skill = await skillOf(parts, uri, target instanceof vscode.Uri ? undefined : target);
  const reached = await flow.service.reach(skill.connection, 'read');
  const value: Skill = { type: 'skill', ...(await demandSkill(parts, reached, skill)) };
  const name = skillsKind.name(value);
  const latest = latestVersionKey(value);
  if (latest === undefined) {
    throw new Error(vscode.l10n.t('No versions of {0}.', name));
  }
  const version = { connection: skill.connection, kind: skillVersions.kind, id: latest, parent: skill };
  const archive = await withProgress(vscode.l10n.t('Reading {0}', name), new AbortController().signal, signal =>
    readSkillArchive(reached.client, version, signal),
  );
  await links.put({ connection: skill.connection, folder: uri.toString(), skillId: skill.id });
  const changes = await changesOf(flow, version, archive, await readSkillFolder(uri));
  if (changes.length === 0) {
    void showInformation(vscode.l10n.t('The folder is the same as the latest version.'));
    return;
  }
  await vscode.commands.executeCommand('vscode.changes', vscode.l10n.t('{0}: latest ↔ folder', name), changes);
}

async function changesOf(
  flow: ResourceFlow,
  version: Reference,
  archive: readonly ZipFile[],
  { uri: folder, files }: SkillFolder,
): Promise<readonly Change[]> {
  const here = new Map(files.map(file => [file.path, file.uri]));
  const there = new Map(archive.map(file => [file.path, file.bytes]));
  const changes: Change[] = [];
  for (const path of new Set([...here.keys(), ...there.keys()])) {
    const modified = here.get(path);
    const bytes = there.get(path);
    if (modified !== undefined && bytes !== undefined && Buffer.compare(bytes, await bytesOf(modified)) === 0) {
      continue;
    }
    let original: vscode.Uri | undefined;
    if (bytes !== undefined) {
      const reference = { connection: version.connection, kind: skillFiles.kind, id: path, parent: version };
      original = besideFile(
        toResourceUri({ view: 'content', reference }, contentName(path)),
        modified ?? vscode.Uri.joinPath(folder, path),
      );
      flow.files.keepContent(original, bytes);
    }
    const label = modified ?? original;
    if (label !== undefined) {
      changes.push([label, original, modified]);
    }
  }
  return changes;
}

/** Returns the content of a file, with unsaved edits. */
async function bytesOf(uri: vscode.Uri): Promise<Uint8Array> {
  const unsaved = dirtyText(uri);
  return unsaved === undefined ? await vscode.workspace.fs.readFile(uri) : Buffer.from(unsaved);
}
