import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { Emitter } from '../../../common/emitter';
import type { Lazy } from '../../../common/lazy';
import type { Log } from '../../../common/log';
import type { Connections } from '../../connection';
import type { EmulatorHost } from '../../emulator';
import type { PanelSession } from '../facts/listedSession';
import type { ApprovalRules } from '../rules/approvalRules';
import type { SessionPanels } from '../sessionPanels';
import type { OpenSessionPanels } from './openSessionPanels';
import { viewTypes } from '../viewTypes';

export interface SessionPanelsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly connections: Connections;
  readonly emulator: EmulatorHost;
  readonly log: Log;
  readonly rules: Lazy<ApprovalRules>;
}

/** Registers the panels of sessions and the editor for exported ones. Their code is loaded with the first one. */
export function registerSessionPanels(deps: SessionPanelsDependencies): SessionPanels {
  const seen = new Emitter<PanelSession>();
  const documents = new ReadonlyDocuments('managed-agents-session', () =>
    vscode.l10n.t('This document has expired. Run the command again.'),
  );
  let host: OpenSessionPanels | undefined;
  let loading: Promise<OpenSessionPanels> | undefined;
  let isDisposed = false;
  const load = async (): Promise<OpenSessionPanels> => {
    loading ??= import('./openSessionPanels').then(({ OpenSessionPanels: Host }) => {
      host = new Host({ ...deps, documents, onSee: session => seen.fire(session) });
      if (isDisposed) {
        host.dispose();
      }
      return host;
    });
    loading.catch(() => {
      loading = undefined;
    });
    return await loading;
  };
  const subscriptions = combine(
    documents,
    vscode.window.registerWebviewPanelSerializer(viewTypes.session, {
      deserializeWebviewPanel: async (panel, state) => (await load()).restore(panel, state),
    }),
    vscode.window.registerCustomEditorProvider(
      viewTypes.exportedSession,
      {
        openCustomDocument: uri => ({ uri, dispose: () => undefined }),
        resolveCustomEditor: async ({ uri }, panel) => (await load()).showFile(uri, panel),
      },
      { supportsMultipleEditorsPerDocument: true, webviewOptions: { retainContextWhenHidden: false, enableFindWidget: false } },
    ),
  );
  return {
    open: async (reference, options = {}) => (await load()).show(reference, options),
    openFile: async file => {
      await vscode.commands.executeCommand('vscode.openWith', file, viewTypes.exportedSession);
    },
    exportSession: async reference => (await import('../exporting/exportFile')).exportSession(deps, reference),
    refresh: reference => host?.refresh(reference),
    setProblem: (reference, problem) => host?.setProblem(reference, problem),
    answering: reference => host?.answering(reference),
    get active() {
      return host?.active;
    },
    get opened() {
      return host?.opened ?? [];
    },
    get seen() {
      return host?.seen ?? [];
    },
    onDidSee: seen.event,
    dispose: () => {
      isDisposed = true;
      host?.dispose();
      subscriptions.dispose();
      seen.dispose();
    },
  };
}
