import path from 'node:path';
import * as vscode from 'vscode';
import { activeUri } from '../../../common/asking/activeUri';
import { askChoice } from '../../../common/asking/askSteps';
import { exists } from '../../../common/asking/newFile';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { manifestName } from '../../../contract/skillRules';
import { toLabel } from '../../../shared/text';

const maxChoices = 500;

/**
 * Returns the folder of a skill: the one that contains the given file or the file in the editor, else one of the workspace that the user
 * chooses.
 */
export async function chooseSkillFolder(given: vscode.Uri | undefined): Promise<vscode.Uri> {
  const near = given ?? activeUri();
  const found = near === undefined ? undefined : await folderAbove(near);
  if (found !== undefined) {
    return found;
  }
  if (given !== undefined) {
    throw new Error(vscode.l10n.t('No folder with a SKILL.md was found.'));
  }
  const manifests = await vscode.workspace.findFiles(`**/${manifestName}`, '**/node_modules/**', maxChoices);
  if (manifests.length === 0) {
    throw new Error(vscode.l10n.t('No folder with a SKILL.md was found.'));
  }
  const choices = manifests
    .map(uri => vscode.Uri.joinPath(uri, '..'))
    .map(value => ({
      label: withoutIcons(toLabel(path.posix.basename(value.path), 80)),
      description: withoutIcons(toLabel(vscode.workspace.asRelativePath(value), 200)),
      value,
    }))
    .sort((a, b) => a.description.localeCompare(b.description));
  return await askChoice({ title: vscode.l10n.t('Skill'), placeholder: vscode.l10n.t('Select a folder'), choices });
}

/** Returns the nearest folder with a `SKILL.md`: the given folder or one above it, up to the workspace folder. */
async function folderAbove(uri: vscode.Uri): Promise<vscode.Uri | undefined> {
  if (uri.scheme !== 'file') {
    return undefined;
  }
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? path.dirname(uri.fsPath);
  for (let place = uri.fsPath; isWithin(root, place); place = path.dirname(place)) {
    if (await exists(path.join(place, manifestName))) {
      return vscode.Uri.file(place);
    }
    if (path.dirname(place) === place) {
      return undefined;
    }
  }
  return undefined;
}

function isWithin(root: string, place: string): boolean {
  const relative = path.relative(root, place);
  return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative));
}
