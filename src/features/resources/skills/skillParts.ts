import * as vscode from 'vscode';
import type { ResourceFlow } from '../resourceFlow';
import type { SkillDiagnostics } from './skillDiagnostics';
import type { SkillLinks } from './skillLinks';

/** Dependencies of the commands on folders with a `SKILL.md`. */
export interface SkillParts {
  readonly flow: ResourceFlow;
  readonly links: SkillLinks;
  readonly diagnostics: Pick<SkillDiagnostics, 'check'>;
  readonly uploads: OneUpload;
}

/** Allows only one upload at a time. */
export class OneUpload {
  private isRunning = false;

  /** Throws an error with a message for the user while an upload is running. */
  demandNone(): void {
    if (this.isRunning) {
      throw new Error(vscode.l10n.t('Another skill is being uploaded.'));
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
