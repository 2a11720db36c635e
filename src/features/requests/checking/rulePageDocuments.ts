import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import type { RuleSettings } from '../ruleSettings';

const scheme = 'managed-agents-rule';

/** Returns the URI of a rule's page. */
export function toRuleUri(rule: string): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${rule}.md` });
}

/** Provides the pages of rules as read-only Markdown, with their current severity. */
export function registerRulePages({ rules }: { readonly rules: RuleSettings }): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  return combine(
    changed,
    rules.onDidChange(() => {
      for (const { uri } of vscode.workspace.textDocuments) {
        if (uri.scheme === scheme) {
          changed.fire(uri);
        }
      }
    }),
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: async uri => {
        const { toRulePage } = await import('./rulePagePresentation');
        return toRulePage(uri.path.slice(1, -'.md'.length), rules.options(vscode.window.activeTextEditor?.document.uri), vscode.l10n.t);
      },
    }),
  );
}
