import * as vscode from 'vscode';
import { type AreaHandlers, commandLink } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { lensTitle } from '../../../common/text/lensTitle';
import type { Reference } from '../../../contributions';
import type { ResourceFlow } from '../resourceFlow';
import { compareWithLatest } from './compareSkill';
import { SkillDiagnostics } from './skillDiagnostics';
import { createSkillLinks, linkedSkill, type SkillLinks } from './skillLinks';
import { type SkillParts, uploadNewSkill, uploadNewVersion } from './uploadSkill';

/** Editor features for folders with a `SKILL.md`. */
export class SkillEditing implements SkillParts, vscode.Disposable {
  readonly diagnostics = new SkillDiagnostics();
  readonly uploads = { isRunning: false };
  readonly links: SkillLinks;
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable;
  readonly onDidChangeLenses = this.lensesChanged.event;

  constructor(
    readonly flow: ResourceFlow,
    state: vscode.Memento,
  ) {
    this.links = createSkillLinks(state);
    const refresh = () => this.lensesChanged.fire();
    this.subscriptions = combine(
      this.diagnostics,
      this.lensesChanged,
      this.links.onDidChange(refresh),
      flow.service.connections.onDidChange(refresh),
      onDidChangeSettings(['managedAgents.editor.codeLens'], refresh),
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
  lenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    if (!readSetting('managedAgents.editor.codeLens', uri)) {
      return [];
    }
    const { t } = vscode.l10n;
    const { current } = this.flow.service.connections;
    const isLinked =
      current !== undefined && linkedSkill(this.links, current.name, vscode.Uri.joinPath(uri, '..').toString()) !== undefined;
    const commands = isLinked
      ? [
          commandLink('managedAgents.skill.createVersion', lensTitle('cloud-upload', t('Upload as New Version')), uri),
          commandLink('managedAgents.compare', lensTitle('diff-multiple', t('Compare with Latest')), uri),
        ]
      : [
          commandLink('managedAgents.skill.create', lensTitle('cloud-upload', t('Upload as New Skill')), uri),
          commandLink('managedAgents.skill.createVersion', lensTitle('versions', t('Upload as New Version of...')), uri),
        ];
    return commands.map(command => new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command));
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}
