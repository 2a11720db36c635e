import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { readSetting } from '../../../common/settings';
import { lensTitle } from '../../../common/text/lensTitle';
import { needsConversion } from '../../../jsonl/scanning/looksLikeBatch';
import { firstLines, requestFileSelector } from '../documents/requestFile';

/** Offers at the top of a file with requests in another form, such as another service's batch file, to convert it. */
export class ConversionLensProvider implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly registration = vscode.languages.registerCodeLensProvider(requestFileSelector, this);

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!readSetting('managedAgents.editor.codeLens', document) || !needsConversion(firstLines(document))) {
      return [];
    }
    const title = lensTitle('arrow-swap', vscode.l10n.t('Convert to Batch Requests...'));
    const tooltip = vscode.l10n.t('These requests have another form than batches take. A new file is made of them; this one stays.');
    const top = new vscode.Range(0, 0, 0, 0);
    return [new vscode.CodeLens(top, { ...commandLink('managedAgents.file.convert', title, document.uri), tooltip })];
  }

  dispose(): void {
    this.registration.dispose();
  }
}
