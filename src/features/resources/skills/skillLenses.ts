import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { readSetting } from '../../../common/settings';
import { lensTitle } from '../../../common/text/lensTitle';
import type { Connections } from '../../connection';
import type { SkillLinks } from './skillLinks';

/** Returns the code lenses above the front matter of a `SKILL.md`. They depend on whether the folder is linked to a skill. */
export function lensesOf({ uri }: vscode.TextDocument, links: SkillLinks, connections: Connections): vscode.CodeLens[] {
  if (!readSetting('managedAgents.editor.codeLens', uri)) {
    return [];
  }
  const { t } = vscode.l10n;
  const top = new vscode.Range(0, 0, 0, 0);
  const { current } = connections;
  const isLinked = current !== undefined && links.find(current.name, vscode.Uri.joinPath(uri, '..').toString()) !== undefined;
  const commands = isLinked
    ? [
        commandLink('managedAgents.skill.createVersion', lensTitle('cloud-upload', t('Upload as New Version')), uri),
        commandLink('managedAgents.compare', lensTitle('diff-multiple', t('Compare with Latest')), uri),
      ]
    : [
        commandLink('managedAgents.skill.create', lensTitle('cloud-upload', t('Upload as New Skill')), uri),
        commandLink('managedAgents.skill.createVersion', lensTitle('versions', t('Upload as New Version of...')), uri),
      ];
  return commands.map(command => new vscode.CodeLens(top, command));
}
