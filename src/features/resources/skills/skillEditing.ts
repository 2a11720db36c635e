import * as vscode from 'vscode';
import type { AreaHandlers } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import { onDidChangeSettings } from '../../../common/settings';
import type { Reference } from '../../../contributions';
import type { ResourceFlow } from '../resourceFlow';
import { compareWithLatest } from './compareSkill';
import { SkillDiagnostics } from './skillDiagnostics';
import { lensesOf } from './skillLenses';
import { SkillLinks } from './skillLinks';
import { OneUpload, type SkillParts } from './skillParts';
import { uploadNewSkill, uploadNewVersion } from './uploadSkill';

/** Editor features for folders with a `SKILL.md`. */
export class SkillEditing implements SkillParts, vscode.Disposable {
  readonly diagnostics = new SkillDiagnostics();
  readonly uploads = new OneUpload();
  readonly links: SkillLinks;
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable;
  readonly onDidChangeLenses = this.lensesChanged.event;

  constructor(
    readonly flow: ResourceFlow,
    state: vscode.Memento,
  ) {
    this.links = new SkillLinks(state);
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

  lenses(document: vscode.TextDocument): vscode.CodeLens[] {
    return lensesOf(document, this.links, this.flow.service.connections);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}
