import * as vscode from 'vscode';
import { ServiceError } from '../../../client/transport/errors';
import { type Choice, separator } from '../../../common/asking/askSteps';
import { pickListed, toChoice } from '../../../common/asking/pickListed';
import { withProgress } from '../../../common/asking/progress';
import { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { describeError } from '../../../common/text/describeError';
import type { SessionReference } from '../../../contributions';
import { sessionComparisonStateSchema } from '../../../shared/comparison/fromComparisonSchema';
import { numberFormat } from '../../../shared/formats';
import type { ComparedPoint } from '../../../shared/session/comparing/compareSessions';
import { toLabel } from '../../../shared/text';
import { reach } from '../../connection';
import { chooseSession } from '../chooseSession';
import { loadMoreSessions } from '../list/sessionListActions';
import { presentSession } from '../list/sessionPresentation';
import { describeSession, type SessionActionContext } from '../sessionActionContext';
import { type ComparedSessions, compareRead, type ReadSession, readSession } from './comparedSessions';
import { otherSessions } from './otherSessions';
import { nameOfPoint, textsOf } from './pointTexts';
import { SessionComparisonPanel } from './sessionComparisonPanel';

type Both = readonly [SessionReference, SessionReference];

/** Compares sessions, each pair in its own panel. */
export class SessionComparer implements vscode.Disposable {
  private readonly documents = new ReadonlyDocuments('managed-agents-session-comparison', () =>
    vscode.l10n.t('This document has expired. Run the command again.'),
  );

  constructor(private readonly deps: SessionActionContext) {}

  /** Compares the two selected sessions, or the only selected one with another that the user chooses. */
  async compareChosen(chosen: readonly SessionReference[]): Promise<void> {
    const { t } = vscode.l10n;
    if (chosen.length > 2) {
      throw new Error(t('Select two sessions.'));
    }
    const one = await chooseSession(this.deps, chosen[0]);
    await this.compare([one, chosen[1] ?? (await chooseOtherSession(this.deps, one))]);
  }

  /** Reads the current logs of two sessions and shows their differences. */
  async compare(both: Both): Promise<void> {
    const [one, other] = both;
    if (one.connection === other.connection && one.sessionId === other.sessionId) {
      throw new Error(vscode.l10n.t('Select two sessions.'));
    }
    this.show(both, await readAndCompare(this.deps, both, 'read'));
  }

  /** Restores a panel after the window was reloaded, with newly read logs. Closes the panel if that fails. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { deps } = this;
    try {
      const { sessions } = sessionComparisonStateSchema.parse(state);
      if (sessions === undefined) {
        panel.dispose();
        return;
      }
      await deps.connections.whenKnown;
      this.show(sessions, await readAndCompare(deps, sessions, 'look'), panel);
    } catch (error) {
      // The user did not ask for it just now, so the error is only logged.
      deps.log.warn(`A comparison of sessions could not be shown again: ${describeError(error)}`);
      panel.dispose();
    }
  }

  dispose(): void {
    this.documents.dispose();
  }

  private show(both: Both, found: ComparedSessions, brought?: vscode.WebviewPanel): void {
    const { deps } = this;
    let compared = found;
    const panel = new SessionComparisonPanel({
      extension: deps.extension,
      panel: brought,
      both,
      compared,
      acts: {
        all: async act => {
          if (act === 'refresh') {
            compared = await readAndCompare(deps, both, 'read');
            panel.show(compared);
          } else {
            await showDifference(this.documents, compared, undefined);
          }
        },
        pair: (point, act) =>
          act === 'difference' ? showDifference(this.documents, compared, point) : openAt(deps, compared, point, act === 'before' ? 0 : 1),
        openLink: async href => (await import('../panel/parts/openLink')).openLink(href),
      },
      ...{ log: deps.log, lifetime: deps.lifetime },
    });
  }
}

async function readAndCompare(deps: SessionActionContext, both: Both, use: 'read' | 'look'): Promise<ComparedSessions> {
  const { t } = vscode.l10n;
  return await withProgress(t('Comparing sessions'), deps.lifetime, async (signal, report) => {
    const counts = [0, 0];
    const read = async (reference: SessionReference, place: number): Promise<ReadSession> => {
      const { client } = await reach(deps.connections, reference.connection, use);
      try {
        return await readSession(client.sessions, reference, signal, count => {
          counts[place] = count;
          const sum = counts.reduce((all, some) => all + some, 0);
          report(t('Events read: {0}', numberFormat(vscode.env.language).format(sum)));
        });
      } catch (error) {
        if (error instanceof ServiceError && error.status === 404) {
          const [name, connection] = [describeSession(deps, reference), toLabel(reference.connection, 60)];
          throw new Error(t('Session not found on {0}: {1}', connection, name), {
            cause: error,
          });
        }
        throw error;
      }
    };
    const [one, other] = [await read(both[0], 0), await read(both[1], 1)];
    report(t('Comparing'));
    return await compareRead(one, other, signal);
  });
}

/** Shows one point of both sessions in the diff editor, or all points if none is given. */
async function showDifference(
  documents: ReadonlyDocuments,
  { sides, lists }: ComparedSessions,
  point: ComparedPoint | undefined,
): Promise<void> {
  const { t } = vscode.l10n;
  const points = point === undefined ? lists.all.filter(({ kind }) => kind === 'turn') : [point];
  const texts = textsOf(points, sides, t);
  const title = point === undefined ? t('Both sessions') : titleOf(point);
  const [left, right] = sides.map(({ view }, place) => {
    const name = toLabel(view.title || view.firstWords || view.id, 60);
    return documents.create(`${name}.md`, texts[place] ?? '');
  });
  const options: vscode.TextDocumentShowOptions = { preview: true };
  await vscode.commands.executeCommand('vscode.diff', left, right, title, options);
}

function titleOf(point: ComparedPoint): string {
  const { t } = vscode.l10n;
  const turn = (point.turns[0] ?? point.turns[1] ?? 0) + 1;
  return point.kind === 'turn' ? t('Turn {0}', turn) : t('Turn {0}: {1}', turn, nameOfPoint(point, t));
}

async function openAt(deps: SessionActionContext, { sides }: ComparedSessions, point: ComparedPoint, place: 0 | 1): Promise<void> {
  const { connection, view, log, turns } = sides[place];
  const shown = place === 0 ? point.one : point.other;
  const begin = log.events[turns[point.turns[place] ?? -1]?.from ?? 0]?.id;
  const eventId = shown !== undefined && 'key' in shown ? log.eventOf(shown.key)?.id : begin;
  const reference = { connection, sessionId: view.id };
  await deps.panels.open(reference, typeof eventId === 'string' ? { eventId } : {});
}

/**
 * Asks for the session to compare another one with. Sessions with the same first message come first, followed by those of the same agent.
 * Throws a `CancelledError` if the user cancels.
 */
export async function chooseOtherSession(deps: SessionActionContext, one: SessionReference): Promise<SessionReference> {
  const { t } = vscode.l10n;
  const { store } = deps;
  const choices = (): readonly Choice<SessionReference>[] => {
    const context = deps.presentation();
    const { alike, sameAgent, others } = otherSessions(store.sessions(), one);
    const groups = [
      [t('The same agent and first message'), alike],
      [t('The same agent'), sameAgent],
      [t('Other sessions'), others],
    ] as const;
    return groups.flatMap(([label, sessions]) =>
      sessions.length === 0
        ? []
        : [
            separator(label),
            ...sessions.map(each =>
              toChoice(presentSession(each, context), each.session.id, { connection: each.connection, sessionId: each.session.id }),
            ),
          ],
    );
  };
  return await pickListed<SessionReference>({
    title: t('Compare Sessions'),
    placeholder: t('Select a session'),
    none: () => t('No other sessions'),
    list: store.list,
    choices,
    read: () => (store.list.isListed ? loadMoreSessions(deps) : deps.refresh()),
    byId: sessionId => ({ connection: one.connection, sessionId }),
  });
}
