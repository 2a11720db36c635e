import * as vscode from 'vscode';
import { ServiceError } from '../../../client/transport/errors';
import { pickListed, toChoice } from '../../../common/asking/pickListed';
import { withProgress } from '../../../common/asking/progress';
import { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { PanelHost } from '../../../common/panels/panelHost';
import { describeError } from '../../../common/text/describeError';
import type { SessionReference } from '../../../contributions';
import type { FromSessionComparison, ToComparison } from '../../../shared/comparison/comparisonProtocol';
import {
  type ComparedSessionsState,
  fromSessionComparisonSchema,
  sessionComparisonStateSchema,
} from '../../../shared/comparison/fromComparisonSchema';
import { defined } from '../../../shared/defined';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { reach } from '../../connection';
import { chooseSession } from '../chooseSession';
import { referenceOf } from '../facts/listedSession';
import { loadMoreSessions } from '../list/loadMoreSessions';
import { presentSession } from '../list/sessionPresentation';
import { describeSession, type SessionActionContext } from '../sessionActionContext';
import { viewTypes } from '../viewTypes';
import { type ComparedSessions, compareRead, type ReadSession, readSession } from './comparedSessions';
import type { ComparedPoint } from './compareSessions';
import { textOf } from './pointTexts';
import { titleOf, toComparisonHead, toComparisonRow, toPairView } from './sessionComparisonPresentation';

type Both = readonly [SessionReference, SessionReference];

/** Compares sessions, each pair in its own panel. */
export class SessionComparer implements vscode.Disposable {
  private readonly documents = new ReadonlyDocuments('managed-agents-session-comparison');

  constructor(private readonly deps: SessionActionContext) {}

  async compareChosen(chosen: readonly SessionReference[]): Promise<void> {
    const { t } = vscode.l10n;
    if (chosen.length > 2) {
      throw new Error(t('Select two sessions.'));
    }
    const one = await chooseSession(this.deps, chosen[0]);
    await this.compare([one, chosen[1] ?? (await chooseOtherSession(this.deps, one))]);
  }

  async compare(both: Both): Promise<void> {
    const [one, other] = both;
    if (one.connection === other.connection && one.sessionId === other.sessionId) {
      throw new Error(vscode.l10n.t('Select two sessions.'));
    }
    new SessionComparisonPanel(this.deps, this.documents, both, await readAndCompare(this.deps, both, 'read'));
  }

  /** Restores a panel after the window was reloaded, with newly read logs. Closes the panel if the logs can't be read. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { deps } = this;
    try {
      const { sessions } = sessionComparisonStateSchema.parse(state);
      if (sessions === undefined) {
        panel.dispose();
        return;
      }
      await deps.connections.whenKnown;
      new SessionComparisonPanel(deps, this.documents, sessions, await readAndCompare(deps, sessions, 'look'), panel);
    } catch (error) {
      // The user did not just ask for a restored panel, so the error is only logged.
      deps.log.warn(`A comparison of sessions could not be shown again: ${describeError(error)}`);
      panel.dispose();
    }
  }

  dispose(): void {
    this.documents.dispose();
  }
}

/** Panel that compares two sessions. The webview requests the rows and pairs that it shows. */
class SessionComparisonPanel {
  private readonly host: PanelHost<FromSessionComparison, ToComparison>;

  constructor(
    private readonly deps: SessionActionContext,
    private readonly documents: ReadonlyDocuments,
    private readonly both: Both,
    private compared: ComparedSessions,
    restored?: vscode.WebviewPanel,
  ) {
    const { extension, log, lifetime } = deps;
    this.host = new PanelHost<FromSessionComparison, ToComparison>({
      ...{ extension, log, lifetime, panel: restored, viewType: viewTypes.comparison, bundle: 'comparison' },
      state: { sessions: both } satisfies ComparedSessionsState,
      title: toComparisonHead(compared, deps.presentation()).title,
      schema: fromSessionComparisonSchema,
      onReady: () => this.postSnapshot(),
      onMessage: message => this.handle(message),
    });
  }

  private async handle(message: Exclude<FromSessionComparison, { readonly type: 'ready' }>): Promise<void> {
    const { deps, documents, compared } = this;
    switch (message.type) {
      case 'window': {
        const { filter, from, count } = message;
        const points = compared.lists[filter].slice(from, from + count);
        void this.host.post({ type: 'rows', filter, from, rows: points.map(point => toComparisonRow(point, deps.presentation())) });
        return;
      }
      case 'open': {
        const { filter, place } = message;
        const point = compared.lists[filter][place];
        if (point !== undefined) {
          void this.host.post({ type: 'pair', filter, place, pair: toPairView(point, deps.presentation()) });
        }
        return;
      }
      case 'pair': {
        const point = compared.lists[message.filter][message.place];
        if (point === undefined) {
          return;
        }
        return message.act === 'difference'
          ? await showDifference(documents, compared, point)
          : await openAt(deps, compared, point, message.act === 'before' ? 0 : 1);
      }
      case 'act':
        if (message.act === 'refresh') {
          this.compared = await readAndCompare(deps, this.both, 'read');
          return this.postSnapshot();
        }
        return await showDifference(documents, compared, undefined);
      case 'openLink':
        return await (await import('../panel/parts/openLink')).openLink(message.href);
      case 'copyText':
        return await vscode.env.clipboard.writeText(message.text);
    }
  }

  private postSnapshot(): void {
    void this.host.post({ type: 'snapshot', head: toComparisonHead(this.compared, this.deps.presentation()) });
  }
}

async function readAndCompare(deps: SessionActionContext, both: Both, use: 'read' | 'look'): Promise<ComparedSessions> {
  const { t } = vscode.l10n;
  return await withProgress(t('Comparing sessions'), deps.lifetime, async (signal, report) => {
    const counts = [0, 0];
    const read = async (reference: SessionReference, index: number): Promise<ReadSession> => {
      const { client } = await reach(deps.connections, reference.connection, use);
      try {
        return await readSession(client.sessions, reference, signal, count => {
          counts[index] = count;
          const sum = counts.reduce((all, some) => all + some, 0);
          report(t('Events read: {0}', numberFormat(vscode.env.language).format(sum)));
        });
      } catch (error) {
        if (error instanceof ServiceError && error.status === 404) {
          const [name, connection] = [describeSession(deps, reference), toLabel(reference.connection, 60)];
          throw new Error(t('Session not found on {0}: {1}', connection, name), { cause: error });
        }
        throw error;
      }
    };
    const [one, other] = [await read(both[0], 0), await read(both[1], 1)];
    report(t('Comparing'));
    return await compareRead(one, other, signal);
  });
}

/** Shows one point of both sessions in the diff editor, or all points if no point is given. */
async function showDifference(
  documents: ReadonlyDocuments,
  { sides, lists }: ComparedSessions,
  point: ComparedPoint | undefined,
): Promise<void> {
  const { t } = vscode.l10n;
  const points = point === undefined ? lists.all.filter(({ kind }) => kind === 'turn') : [point];
  const title = point === undefined ? t('Both sessions') : titleOf(point, t);
  const [left, right] = ([0, 1] as const).map(index => {
    const { view } = sides[index];
    return documents.create(`${toLabel(view.title || view.firstWords || view.id, 60)}.md`, textOf(points, index, t));
  });
  const options: vscode.TextDocumentShowOptions = { preview: true };
  await vscode.commands.executeCommand('vscode.diff', left, right, title, options);
}

async function openAt(deps: SessionActionContext, { sides }: ComparedSessions, point: ComparedPoint, index: 0 | 1): Promise<void> {
  const { connection, view } = sides[index];
  const eventId = (index === 0 ? point.one : point.other)?.key;
  await deps.panels.open({ connection, sessionId: view.id }, defined({ eventId }));
}

/** Asks for the session to compare with the given session. Throws a `CancelledError` on Escape. */
async function chooseOtherSession(deps: SessionActionContext, { connection, sessionId }: SessionReference): Promise<SessionReference> {
  const { t } = vscode.l10n;
  const { store } = deps;
  return await pickListed<SessionReference>({
    title: t('Compare Sessions'),
    placeholder: t('Select a session'),
    none: () => t('No other sessions'),
    list: store.list,
    choices: () => {
      const others = store.sessions().filter(listed => listed.connection !== connection || listed.session.id !== sessionId);
      return others.map(listed => toChoice(presentSession(listed, deps.presentation()), listed.session.id, referenceOf(listed)));
    },
    read: () => (store.list.isListed ? loadMoreSessions(deps) : deps.refresh()),
    byId: id => ({ connection, sessionId: id }),
  });
}
