import * as vscode from 'vscode';
import { afterStart, registerAfterStart } from '../../common/afterStart';
import { combine } from '../../common/disposables';
import { ReadonlyDocuments } from '../../common/documents/readonlyDocuments';
import { Emitter } from '../../common/emitter';
import { Lazy } from '../../common/lazy';
import { registerOptional } from '../../common/optionalApi';
import { createNodeTreeView } from '../../common/tree/createNodeTreeView';
import { type SessionReference, views } from '../../contributions';
import { mayUse } from '../connection';
import type { ListedSession, PanelSession } from './facts/listedSession';
import { FollowedSessions } from './list/followedSessions';
import type { SessionsRow } from './list/sessionsTreeDataProvider';
import type { ApprovalRules } from './rules/approvalRules';
import type { AuditedDecision } from './rules/auditFile';
import { deleteAskRecord } from './rules/deleteAskRecord';
import type { SessionPanels } from './sessionPanels';
import type { SessionsDependencies } from './sessionsDependencies';
import type { SessionsView } from './sessionsView';
import { viewTypes } from './viewTypes';

/** Opens a link that a model wrote, after the user has confirmed its address. */
export const openLink = async (href: string): Promise<void> => (await import('./panel/parts/openLink')).openLink(href);

interface RegisteredSessions extends vscode.Disposable {
  readonly known: () => readonly Pick<ListedSession, 'connection' | 'session'>[];
}

/**
 * Registers the Sessions view, the panels of sessions and all session commands. The view's code loads when the view is first shown, when a
 * session from an earlier window is still followed, or when a connection is ready. The badge counts open asks even while the view is
 * hidden.
 */
export function registerSessions(deps: SessionsDependencies): RegisteredSessions {
  const onError = (error: unknown) => deps.log.error('Could not update the sessions', error);
  const rules: Lazy<ApprovalRules> = new Lazy(async () => {
    const facts = {
      waiting: () => sessions.current?.waiting.all() ?? [],
      decided: (decision: AuditedDecision) => sessions.current?.decided(decision),
    };
    return new (await import('./rules/approvalRules')).ApprovalRules(deps, panels, facts);
  });
  const panels = registerSessionPanels({ ...deps, rules });
  const followed = new FollowedSessions(deps.context.workspaceState);
  const sessions: Lazy<SessionsView> = new Lazy(async () => {
    const { createSessionsView } = await import('./sessionsView');
    const created = createSessionsView({ ...deps, rules }, shown.view, panels, followed);
    shown.follow(created.tree);
    return created;
  });
  const actions = async () => (await sessions.get()).actions();
  const shown = createNodeTreeView<SessionsRow>(views.sessions, async () => (await sessions.get()).tree, {
    canSelectMany: true,
    showCollapseAll: true,
  });
  deps.commands.kinds.register({
    verbs: ['showJson', 'copyId', 'copyLink', 'rename', 'edit', 'compare', 'archive', 'delete', 'refresh'],
    owns: isSessionTarget,
    isInFront: () => panels.active !== undefined,
    isVisible: () => shown.view.visible,
    kinds: async () => [{ label: `$(comment-discussion) ${vscode.l10n.t('Sessions')}`, value: 'session' }],
    handlers: async () => (await actions()).kindHandlers(),
  });
  const loadIfNeeded = () => {
    if (followed.active().length > 0 || (deps.connections.state === 'ready' && mayUse('change'))) {
      sessions.get().catch(onError);
    }
  };
  const subscriptions = combine(
    shown,
    panels,
    afterStart(() => void deleteAskRecord(deps.context.globalStorageUri.fsPath).catch(onError)),
    afterStart(loadIfNeeded),
    deps.connections.onDidChange(loadIfNeeded),
    panels.onDidChange(session => {
      sessions
        .get()
        .then(created => created.panelChanged(session))
        .catch(onError);
    }),
    vscode.window.registerWebviewPanelSerializer(viewTypes.newSession, {
      deserializeWebviewPanel: async (panel, state) => (await actions()).restoreStart(panel, state),
    }),
    vscode.window.registerWebviewPanelSerializer(viewTypes.comparison, {
      deserializeWebviewPanel: async (panel, state) => (await actions()).restoreComparison(panel, state),
    }),
    vscode.window.registerWebviewPanelSerializer(viewTypes.inbox, {
      deserializeWebviewPanel: async panel => (await (await sessions.get()).inbox()).restore(panel),
    }),
    deps.commands.registerAreas(['session', 'sessions', 'inbox'], async () => (await actions()).commands()),
    deps.commands.registerAreas(['approvalRules'], async () =>
      (await import('./rules/manageRules')).createApprovalRuleCommands(await rules.get()),
    ),
    registerOptional('tests.createTestController', deps.log, () => registerTests(deps, onError)),
    sessions,
    rules,
  );
  return { known: () => sessions.current?.known() ?? [], dispose: () => subscriptions.dispose() };
}

/** Returns whether a command's argument is a session or the kind `session`. Files and other resources of a session have a `kind`. */
function isSessionTarget(target: unknown): target is SessionReference {
  const { sessionId } = (target ?? {}) as Partial<SessionReference>;
  return target === 'session' || (typeof sessionId === 'string' && !('kind' in (target as object)));
}

/** Registers the session tests in the Testing view. Their code is loaded only if the workspace has a test file. */
function registerTests(deps: SessionsDependencies, onError: (error: unknown) => void): vscode.Disposable {
  const tests = new Lazy(async () => new (await import('./testing/sessionTests')).SessionTests(deps));
  const show = () => void tests.get().catch(onError);
  const pattern = '**/*.session-test.json';
  const find = async () => (await vscode.workspace.findFiles(pattern, '**/node_modules/**', 1)).length > 0 && show();
  return combine(
    registerAfterStart(() => {
      const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, true, true);
      void find();
      return combine(watcher, watcher.onDidCreate(show), vscode.workspace.onDidChangeWorkspaceFolders(find));
    }),
    tests,
  );
}

/** Registers the panels of sessions and the editor for exported sessions. Their code is loaded when the first panel opens. */
function registerSessionPanels(deps: Omit<SessionsDependencies, 'commands'> & { readonly rules: Lazy<ApprovalRules> }): SessionPanels {
  const changed = new Emitter<PanelSession>();
  const documents = new ReadonlyDocuments('managed-agents-session');
  const panels = new Lazy(async () => {
    const { OpenSessionPanels } = await import('./panel/openSessionPanels');
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
    exportSession: async reference => (await import('./exporting/exportFile')).exportSession(deps, reference),
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
