import * as vscode from 'vscode';
import { type AreaHandlers, commandLink } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import { lensTitle } from '../../../common/text/lensTitle';
import type { Reference } from '../../../contributions';
import { onLine1 } from '../documents/registerLenses';
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
