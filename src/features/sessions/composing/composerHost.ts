import * as vscode from 'vscode';
import { withProgress } from '../../../common/asking/progress';
import { UntrustedError } from '../../../common/asking/untrusted';
import { isCancellation } from '../../../common/cancellation';
import { toLocalFile } from '../../../common/files/localFile';
import { describeError } from '../../../common/text/describeError';
import { describeTrust } from '../../../common/text/describeTrust';
import type { SessionReference } from '../../../contributions';
import type { ToComposer } from '../../../shared/session/composing';
import type { FromComposer } from '../../../shared/session/fromSessionSchema';
import { type Connections, mayUse, reach } from '../../connection';
import type { Conversation, SendResult } from '../live/conversation';
import { listPrompts, readPrompt } from '../prompts/ownPrompts';
import { confirmUpload } from '../attaching/sessionFiles';
import { DraftFiles } from './draftFiles';
import { MessageFiles, type SentFile } from './messageFiles';
import { WorkspaceFiles } from './workspaceFiles';

/** Panel that receives the responses to its composer. */
interface ComposerPanel {
  tell(message: ToComposer): Promise<void>;
}

type Handlers = {
  readonly [T in FromComposer['type']]: (message: Extract<FromComposer, { readonly type: T }>, panel: ComposerPanel) => Promise<void>;
};

export interface ComposerHost {
  readonly handlers: Handlers;
  /** Sends a message with its files, and then detaches them. */
  readonly send: (clientId: string, text: string, files: readonly SentFile[], panel: ComposerPanel) => Promise<SendResult>;
  readonly dispose: () => void;
}

/** Creates the handlers of a session panel's composer: workspace files and prompts. Reads no file if nothing may be sent. */
export function createComposerHost(
  connections: Pick<Connections, 'find' | 'client' | 'whenKnown'>,
  { connection: name, sessionId }: SessionReference,
  actions: Pick<Conversation, 'sendMessage'>,
  memento: Pick<vscode.Memento, 'get' | 'update'>,
  lifetime: AbortSignal,
): ComposerHost {
  const found = new WorkspaceFiles();
  const kept = new DraftFiles(memento, { connection: name, sessionId });
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
  const keep = () => kept.write(files.list.map(({ id, as }) => ({ uri: found.uriOf(id)?.toString() ?? '', as })));
  let restoring: Promise<void> | undefined;
  /** Attaches the files of the previous window again after a reload. Omits files that no longer exist. */
  const restore = async () => {
    for (const { uri, as } of kept.read()) {
      const id = found.adopt(vscode.Uri.parse(uri));
      if (id !== undefined) {
        await files.attach(id, as).catch(() => undefined);
      }
    }
  };
  const attach = async (panel: ComposerPanel, act: () => Promise<void>) => {
    const problem = await problemOf(async () => {
      restoring ??= restore();
      await restoring;
      await act();
      await keep();
    });
    await panel.tell({ type: 'attached', files: files.list, ...(problem !== undefined && { problem }) });
  };
  return {
    handlers: {
      composing: (_, panel) => attach(panel, async () => undefined),
      ...createSuggestions(found),
      attachFile: ({ id, as }, panel) => attach(panel, () => files.attach(id, as)),
      detachFile: ({ id }, panel) => attach(panel, async () => files.detach(id)),
    },
    send: async (clientId, text, sent, panel) => {
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
          await keep();
          await panel.tell({ type: 'attached', files: files.list });
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
      let offered: Awaited<ReturnType<WorkspaceFiles['find']>> = [];
      const problem = await problemOf(async () => {
        offered = await found.find(query);
      });
      await panel.tell({ type: 'filesFound', query, files: offered, ...(problem !== undefined && { problem }) });
    },
    listPrompts: async (_, panel) => {
      let prompts: Awaited<ReturnType<typeof listPrompts>> = [];
      const problem = await problemOf(async () => {
        prompts = await listPrompts();
      });
      const items = prompts.map(({ name: prompt, detail }) => ({ name: prompt, detail }));
      await panel.tell({ type: 'prompts', prompts: items, ...(problem !== undefined && { problem }) });
    },
    readPrompt: async ({ name: prompt }, panel) => {
      let text = '';
      const problem = await problemOf(async () => {
        text = await readPrompt(prompt);
      });
      await panel.tell({ type: 'prompt', name: prompt, text, ...(problem !== undefined && { problem }) });
    },
  };
}

/** Runs an act if requests are allowed, and returns its error message. `undefined` if it succeeded. */
async function problemOf(act: () => Promise<void>): Promise<string | undefined> {
  try {
    if (!mayUse('change')) {
      throw new UntrustedError(describeTrust(vscode.l10n.t));
    }
    await act();
    return undefined;
  } catch (error) {
    return isCancellation(error) ? undefined : describeError(error);
  }
}
