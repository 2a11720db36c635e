import * as vscode from 'vscode';
import { askChoice } from '../../../common/asking/askSteps';
import { runCommand } from '../../../common/commands';
import { copyText } from '../../../common/copyIds';
import { imageTypeOf } from '../../../common/files/mediaTypes';
import type { CredentialNeed, Reference, SessionReference } from '../../../contributions';
import { defined } from '../../../shared/defined';
import { toNumber } from '../../../shared/formats';
import type { TranscriptEvent } from '../../../shared/session/event';
import { objectOf, textOf } from '../../../shared/session/eventFields';
import { type FileCall, fileCallOf } from '../../../shared/session/fileChange';
import { kindOf } from '../../../shared/session/rows/rowKinds';
import type { WholePart } from '../../../shared/session/rows/rowParts';
import type { Row } from '../../../shared/session/rows/rows';
import { toCopyText } from '../../../shared/session/rows/rowText';
import type { FromWebview } from '../../../shared/session/sessionProtocol';
import type { RunAgentView } from '../../../shared/session/sessionView';
import { join, toLabel } from '../../../shared/text';
import type { ComposerHost } from '../composing/composerHost';
import type { Conversation, SendResult } from '../live/conversation';
import type { LiveSession } from '../live/liveSession';
import type { PanelSource } from '../live/panelSource';
import { openInWorkspace } from './parts/openInWorkspace';
import { openLink } from './parts/openLink';
import { findArguments, openAskedChange, type PartOpener } from './parts/partOpener';
import { sendResultFile } from './parts/resultFile';
import type { PanelHandlers, SessionPanel } from './sessionPanel';

type Message<T extends FromWebview['type']> = Extract<FromWebview, { readonly type: T }>;

interface HandlersOptions {
  readonly source: PanelSource;
  readonly parts: PartOpener;
  readonly exportShown: (request: Message<'export'>) => Promise<void>;
  readonly retry: () => Promise<void>;
  readonly signal: AbortSignal;
  /** Session and its actions. Missing for an exported file, because nothing can be sent. */
  readonly live?: { readonly session: LiveSession; readonly actions: Conversation; readonly composer: ComposerHost };
}

export function createPanelHandlers({ source, parts, exportShown, retry, live, signal }: HandlersOptions): PanelHandlers {
  return {
    ...live?.composer.handlers,
    send: ({ clientId, text, files = [] }, panel) => answer(panel, clientId, live?.composer.send(clientId, text, files, panel)),
    defineOutcome: ({ clientId, type: _, ...outcome }, panel) => answer(panel, clientId, live?.actions.defineOutcome(clientId, outcome)),
    confirm: async ({ clientId, eventId, result, denyMessage, shown }, panel) => {
      if (result === 'allow' && live?.actions.hasChanged(eventId, shown) === true) {
        const problem = vscode.l10n.t('Not allowed: it has changed. Review it again.');
        await panel.send({ type: 'part', thread: '', key: eventId, path: 'ask', text: '', problem });
      }
      await answer(panel, clientId, live?.actions.confirm(clientId, eventId, result, denyMessage, shown));
    },
    makeRule: ({ eventId }) => runCommand('managedAgents.approvalRules.manage', { ...referenceOf(live), eventId }),
    customResult: ({ clientId, eventId, text, isError }, panel) =>
      answer(panel, clientId, live?.actions.customResult(clientId, eventId, text === '' ? [] : [{ type: 'text', text }], isError)),
    customResultFromFile: ({ clientId, eventId }, panel) =>
      answer(panel, clientId, live && sendResultFile(live.actions, clientId, eventId)),
    interrupt: async ({ thread }) => {
      const result = await live?.actions.interrupt(thread);
      if (result?.ok === false && result.problem !== undefined) {
        throw new Error(vscode.l10n.t("Couldn't interrupt the session. {0}", result.problem));
      }
    },
    chooseRunThread: async ({ run, phase }, panel) => {
      const thread = await chooseRunThread(live?.session.runAgents(run, phase) ?? []);
      await panel.send({ type: 'reveal', thread, key: '' });
    },
    loadPart: async ({ thread, key, path }, panel) => {
      const name = { type: 'part', thread, key, path } as const;
      const part = await findPart(source, live?.session, { thread, key, path }, signal);
      if (typeof part === 'string') {
        return await panel.send({ ...name, text: '', problem: part });
      }
      if (path === 'ask') {
        live?.actions.argumentsShown(key, part.text);
      }
      await panel.send({ ...name, ...toShown(part) });
    },
    openPart: async ({ thread, key, path }) => {
      const part = await findPart(source, live?.session, { thread, key, path }, signal);
      if (typeof part === 'string') {
        throw new Error(part);
      }
      const row = rowOf(source, thread, key);
      const isProse = row !== undefined && kindOf(row).isProse === true;
      const name = row?.kind === 'tool' ? `${toLabel(row.name, 40)} ${path.replace('.', ' ')}` : (row?.kind ?? path);
      await parts.open(part, name, isProse ? 'md' : 'txt');
    },
    openRaw: async ({ thread, key }) => {
      const transcript = source.transcript(thread);
      const events = transcript?.eventsOf(key) ?? [];
      const event = transcript?.eventOf(key);
      const shown = events.length > 0 ? events : event === undefined ? [] : [event];
      if (shown.length === 0) {
        throw new Error(vscode.l10n.t('This row has no event.'));
      }
      await parts.openEvent(shown, toLabel(shown[0]?.type ?? 'event', 60));
    },
    openChange: async ({ thread, key }) => {
      const { change, isApplied } = readFileCall(source, thread, key);
      if (change === undefined) {
        throw new Error(vscode.l10n.t("The call's arguments don't name a file."));
      }
      await parts.openChange(change, isApplied);
    },
    openAskedChange: ({ eventId }) => live && openAskedChange(live.session, parts, eventId, signal),
    openInWorkspace: async ({ thread, key }) => {
      const { path, change } = readFileCall(source, thread, key);
      await openInWorkspace(path, change);
    },
    startAgain: ({ key }) =>
      runCommand('managedAgents.session.startAgain', { ...referenceOf(live), eventId: lastOf(eventIdsOf(source, key)) }),
    copyLink: ({ key }) => {
      const ids = eventIdsOf(source, key);
      // The link contains the row's key if the key is an event ID, because rows are found by their keys.
      return runCommand('managedAgents.session.copyLink', referenceOf(live), ids.includes(key) ? key : lastOf(ids));
    },
    search: async ({ thread, query }, panel) => {
      const keys = query === '' ? [] : (source.transcript(thread)?.search(query, { keysOnlyCut: true }) ?? []);
      await panel.send({ type: 'searchHits', thread, query, keys });
    },
    openLink: ({ href }) => openLink(href),
    openAgent: async () => {
      const { agent } = source.view;
      if (agent === undefined || agent.id === '' || live === undefined) {
        throw new Error(vscode.l10n.t('The agent of this session is unknown.'));
      }
      const { connection } = live.session.reference;
      await runCommand('managedAgents.open', { connection, agentId: agent.id, ...(agent.version && { version: agent.version }) });
    },
    manageResources: () => runCommand('managedAgents.session.resources', referenceOf(live)),
    changeBudget: () => runCommand('managedAgents.session.changeBudget', referenceOf(live)),
    openCreatedFile: ({ id }) => runCommand('managedAgents.open', toCreatedFile(live, id)),
    downloadCreatedFile: ({ id }) => runCommand('managedAgents.serviceFile.download', toCreatedFile(live, id)),
    fixCredential: ({ thread, key }) =>
      runCommand('managedAgents.credential.fix', { ...referenceOf(live), ...credentialIn(source.transcript(thread)?.eventOf(key)) }),
    copyText: ({ text }) => copyText(text),
    copyRow: async ({ thread, key }) => {
      const row = rowOf(source, thread, key);
      if (row === undefined) {
        throw new Error(vscode.l10n.t('This row has no event.'));
      }
      await copyText(toCopyText(row, path => source.transcript(thread)?.partOf(key, path)?.text));
    },
    export: request => exportShown(request),
    retryNow: () => retry(),
  };
}

function referenceOf(live: HandlersOptions['live']): SessionReference {
  if (live === undefined) {
    throw new Error(vscode.l10n.t('An exported session is read-only.'));
  }
  return live.session.reference;
}

function eventIdsOf(source: PanelSource, key: string): readonly string[] {
  return (source.transcript('')?.eventsOf(key) ?? []).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
}

function lastOf(ids: readonly string[]): string {
  const id = ids.at(-1);
  if (id === undefined) {
    throw new Error(vscode.l10n.t('This row has no event.'));
  }
  return id;
}

/** Returns a reference to a file. Throws unless this session created the file. */
function toCreatedFile(live: HandlersOptions['live'], id: string): Reference {
  const { connection } = referenceOf(live);
  if (live?.session.view.createdFiles?.some(file => file.id === id) !== true) {
    throw new Error(vscode.l10n.t('File not found.'));
  }
  return { connection, kind: 'file', id };
}

function credentialIn(event: TranscriptEvent | undefined): Omit<CredentialNeed, 'connection' | 'sessionId'> {
  const error = objectOf(event?.error);
  return defined({
    serverName: textOf(error?.mcp_server_name),
    vaultId: textOf(error?.vault_id),
    credentialId: textOf(error?.credential_id),
  });
}

async function answer(panel: SessionPanel, clientId: string, sending: Promise<SendResult> | undefined): Promise<void> {
  const result = (await sending) ?? { ok: false, problem: vscode.l10n.t('An exported session is read-only.') };
  await panel.send({ type: 'sendResult', clientId, ...result });
}

/** Finds a complete part. Returns a message if there is no such part. The arguments of an ask may be in the log of another thread. */
async function findPart(
  source: PanelSource,
  session: LiveSession | undefined,
  { thread, key, path }: { readonly thread: string; readonly key: string; readonly path: string },
  signal: AbortSignal,
): Promise<WholePart | string> {
  const part = source.transcript(thread)?.partOf(key, path);
  if (part === undefined && path === 'ask' && session !== undefined) {
    return await findArguments(session, key, signal, vscode.l10n.t);
  }
  return part ?? vscode.l10n.t("This content can't be shown here.");
}

function rowOf(source: PanelSource, thread: string, key: string): Row | undefined {
  return source.transcript(thread)?.rows.find(candidate => candidate.key === key);
}

/** Returns the file operation of a call. Reads its event, because the panel may have cut arguments. */
function readFileCall(source: PanelSource, thread: string, key: string): FileCall & { readonly isApplied: boolean } {
  const row = rowOf(source, thread, key);
  const whole = source.transcript(thread)?.partOf(key, 'input');
  const call = row?.kind === 'tool' && whole?.type === 'json' ? fileCallOf(row.name, whole.text) : undefined;
  if (row?.kind !== 'tool' || call === undefined) {
    throw new Error(vscode.l10n.t("The call's arguments don't name a file."));
  }
  return { ...call, isApplied: row.state === 'done' };
}

function toShown(part: WholePart): { readonly text: string; readonly isImage?: boolean; readonly problem?: string } {
  if (part.data === undefined) {
    return { text: part.text };
  }
  const type = imageTypeOf(Buffer.from(part.data.slice(0, 64), 'base64'));
  return type === undefined
    ? { text: '', problem: vscode.l10n.t("This content can't be shown here.") }
    : { text: `data:${type.mediaType};base64,${part.data}`, isImage: true };
}

/** Asks for one of the agents of a workflow run. Returns the ID of its thread. */
export async function chooseRunThread(agents: readonly RunAgentView[]): Promise<string> {
  return await askChoice({
    title: vscode.l10n.t('Show Thread'),
    placeholder: vscode.l10n.t('Select an agent'),
    choices: agents.map(({ thread, name, status, waiting, tokens }) => ({
      label: name,
      description: join(
        ' · ',
        waiting > 0 ? vscode.l10n.t('needs approval') : status,
        tokens === undefined ? '' : vscode.l10n.t('{0} tokens', toNumber(tokens, vscode.env.language)),
      ),
      value: thread,
    })),
  });
}
