import * as vscode from 'vscode';
import type { ResourceFlow } from '../resourceFlow';
import type { SkillDiagnostics } from './skillDiagnostics';
import type { SkillLinks } from './skillLinks';

/** What the commands on folders with a `SKILL.md` share. */
export interface SkillParts {
  readonly flow: ResourceFlow;
  readonly links: SkillLinks;
  readonly diagnostics: Pick<SkillDiagnostics, 'check'>;
  readonly uploads: OneUpload;
}

/** One upload after the other. */
export class OneUpload {
  private isRunning = false;

  /** Throws a sentence while another upload is under way. */
  demandNone(): void {
    if (this.isRunning) {
      throw new Error(vscode.l10n.t('Another skill is being uploaded. Wait for its end, or cancel it.'));
    }
  }

  async run<T>(upload: () => Promise<T>): Promise<T> {
    this.demandNone();
    this.isRunning = true;
    try {
      return await upload();
    } finally {
      this.isRunning = false;
    }
  }
}
