import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { Emitter } from '../../../common/emitter';
import { Lazy } from '../../../common/lazy';
import type { PanelSession } from '../facts/listedSession';
import type { ApprovalRules } from '../rules/approvalRules';
import type { SessionPanels } from '../sessionPanels';
import type { SessionsDependencies } from '../sessionsDependencies';
import { viewTypes } from '../viewTypes';

export interface SessionPanelsDependencies extends Omit<SessionsDependencies, 'commands'> {
  readonly rules: Lazy<ApprovalRules>;
}

/** Registers the panels of sessions and the editor for exported ones. Their code is loaded when the first one opens. */
export function registerSessionPanels(deps: SessionPanelsDependencies): SessionPanels {
  const changed = new Emitter<PanelSession>();
  const documents = new ReadonlyDocuments('managed-agents-session');
  const panels = new Lazy(async () => {
    const { OpenSessionPanels } = await import('./openSessionPanels');
    return new OpenSessionPanels({ ...deps, documents, onChange: session => changed.fire(session) });
  });
  const subscriptions = combine(
    panels,
    documents,
    changed,
    vscode.window.registerWebviewPanelSerializer(viewTypes.session, {
      deserializeWebviewPanel: async (panel, state) => (await panels.get()).restore(panel, state),
    }),
    vscode.window.registerCustomEditorProvider(
      viewTypes.exportedSession,
      {
        openCustomDocument: uri => ({ uri, dispose: () => undefined }),
        resolveCustomEditor: async ({ uri }, panel) => (await panels.get()).showFile(uri, panel),
      },
      { supportsMultipleEditorsPerDocument: true, webviewOptions: { retainContextWhenHidden: false, enableFindWidget: false } },
    ),
  );
  return {
    open: async (reference, options = {}) => (await panels.get()).show(reference, options),
    openFile: async file => {
      await vscode.commands.executeCommand('vscode.openWith', file, viewTypes.exportedSession);
    },
    exportSession: async reference => (await import('../exporting/exportFile')).exportSession(deps, reference),
    refresh: reference => panels.current?.refresh(reference),
    setProblem: (reference, problem) => panels.current?.setProblem(reference, problem),
    answering: reference => panels.current?.answering(reference),
    get active() {
      return panels.current?.active;
    },
    get opened() {
      return panels.current?.opened ?? [];
    },
    get upToDate() {
      return panels.current?.upToDate ?? [];
    },
    onDidChange: changed.event,
    dispose: () => subscriptions.dispose(),
  };
}
