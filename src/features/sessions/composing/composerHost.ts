import * as vscode from 'vscode';
import { withProgress } from '../../../common/asking/progress';
import { UntrustedError } from '../../../common/asking/untrusted';
import { isCancellation } from '../../../common/cancellation';
import { toLocalFile } from '../../../common/files/localFile';
import { areTexts, type StoredEntries, StoredList } from '../../../common/storedList';
import { describeError } from '../../../common/text/describeError';
import { describeTrust } from '../../../common/text/describeTrust';
import type { SessionReference } from '../../../contributions';
import type { AttachedAs, ToComposer } from '../../../shared/session/composing';
import type { FromComposer } from '../../../shared/session/fromSessionSchema';
import { type Connections, mayUse, reach } from '../../connection';
import { confirmUpload } from '../attaching/sessionFiles';
import { sessionKey } from '../facts/listedSession';
import type { Conversation, SendResult } from '../live/conversation';
import { listPrompts, readPrompt } from '../prompts/ownPrompts';
import { MessageFiles, type SentFile } from './messageFiles';
import { WorkspaceFiles } from './workspaceFiles';

interface ComposerPanel {
  send(message: ToComposer): Promise<void>;
}

type Handlers = {
  readonly [T in FromComposer['type']]: (message: Extract<FromComposer, { readonly type: T }>, panel: ComposerPanel) => Promise<void>;
};

export type ComposerHost = ReturnType<typeof createComposerHost>;

/** Creates the handlers of a session panel's composer: workspace files and prompts. Reads no file if nothing may be sent. */
export function createComposerHost(
  connections: Pick<Connections, 'find' | 'client' | 'whenKnown'>,
  { connection: name, sessionId }: SessionReference,
  actions: Pick<Conversation, 'sendMessage'>,
  memento: Pick<vscode.Memento, 'get' | 'update'>,
  lifetime: AbortSignal,
) {
  const found = new WorkspaceFiles();
  const drafts = new StoredList(memento, draftEntries);
  const key = sessionKey({ connection: name, sessionId });
  const files = new MessageFiles({
    sessionId,
    open: async id => {
      const uri = found.uriOf(id);
      return uri && (await toLocalFile(uri));
    },
    service: async () => (await reach(connections, name, 'change')).client,
    confirmUpload: async (locals, uploaded) => confirmUpload((await reach(connections, name, 'change')).connection, locals, uploaded),
    t: vscode.l10n.t,
    locale: vscode.env.language,
  });
  const saveDraft = async () => {
    const attached = files.list.map(({ id, as }) => ({ uri: found.uriOf(id)?.toString() ?? '', as }));
    await (attached.length === 0 ? drafts.remove(({ session }) => session === key) : drafts.put({ session: key, files: attached }));
  };
  let restoring: Promise<void> | undefined;
  /** Restores the attached files after a reload of the window. Omits files that no longer exist. */
  const restore = async () => {
    for (const { uri, as } of drafts.find(({ session }) => session === key)?.files ?? []) {
      const id = found.adopt(vscode.Uri.parse(uri));
      if (id !== undefined) {
        await files.attach(id, as).catch(() => undefined);
      }
    }
  };
  const attach = async (panel: ComposerPanel, act: () => Promise<void>) => {
    const { value: _, ...problem } = await attempt(async () => {
      restoring ??= restore();
      await restoring;
      await act();
      await saveDraft();
    });
    await panel.send({ type: 'attached', files: files.list, ...problem });
  };
  return {
    handlers: {
      composing: (_, panel) => attach(panel, async () => undefined),
      ...createSuggestions(found),
      attachFile: ({ id, as }, panel) => attach(panel, () => files.attach(id, as)),
      detachFile: ({ id }, panel) => attach(panel, async () => files.detach(id)),
    } satisfies Handlers,
    send: async (clientId: string, text: string, sent: readonly SentFile[], panel: ComposerPanel): Promise<SendResult> => {
      if (sent.length === 0) {
        return await actions.sendMessage(clientId, text);
      }
      try {
        const result = await actions.sendMessage(clientId, text, () =>
          sent.some(({ as }) => as === 'upload')
            ? withProgress(vscode.l10n.t('Adding files to the session'), lifetime, signal => files.contentOf(sent, signal))
            : files.contentOf(sent, lifetime),
        );
        if (result.ok) {
          for (const { id } of sent) {
            files.detach(id);
          }
          await saveDraft();
          await panel.send({ type: 'attached', files: files.list });
        }
        return result;
      } catch (error) {
        return isCancellation(error) ? { ok: false } : { ok: false, problem: describeError(error) };
      }
    },
    dispose: () => found.dispose(),
  };
}

/** Creates the handlers that offer workspace files and prompts. */
export function createSuggestions(found: WorkspaceFiles): Pick<Handlers, 'findFiles' | 'listPrompts' | 'readPrompt'> {
  return {
    findFiles: async ({ query }, panel) => {
      const { value: files = [], ...problem } = await attempt(() => found.find(query));
      await panel.send({ type: 'filesFound', query, files, ...problem });
    },
    listPrompts: async (_, panel) => {
      const { value: prompts = [], ...problem } = await attempt(listPrompts);
      await panel.send({ type: 'prompts', prompts: prompts.map(({ name, detail }) => ({ name, detail })), ...problem });
    },
    readPrompt: async ({ name }, panel) => {
      const { value: text = '', ...problem } = await attempt(() => readPrompt(name));
      await panel.send({ type: 'prompt', name, text, ...problem });
    },
  };
}

/** Runs `act` in a trusted workspace. Returns its result, an error message, or neither if the user cancelled. */
async function attempt<T>(act: () => Promise<T>): Promise<{ readonly value?: T; readonly problem?: string }> {
  try {
    if (!mayUse('change')) {
      throw new UntrustedError(describeTrust(vscode.l10n.t));
    }
    return { value: await act() };
  } catch (error) {
    return isCancellation(error) ? {} : { problem: describeError(error) };
  }
}

/** Files attached in the composer of a session. */
interface Draft {
  /** Key of the session. */
  readonly session: string;
  readonly files: readonly { readonly uri: string; readonly as: AttachedAs }[];
}

/** Attached files in the composers of sessions, saved across window reloads. */
const draftEntries: StoredEntries<Draft> = {
  key: 'managedAgents.attachedFiles',
  max: 50,
  identity: ({ session }) => session,
  isEntry: ({ session, files }) =>
    typeof session === 'string' && Array.isArray(files) && files.every(file => areTexts(file?.uri) && /^(?:text|upload)$/.test(file.as)),
};
