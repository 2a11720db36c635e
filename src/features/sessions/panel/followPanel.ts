import type { Disposable } from 'vscode';
import { combine } from '../../../common/disposables';
import type { SessionReference } from '../../../contributions';
import type { PanelSession } from '../facts/listedSession';
import type { LiveSession } from '../live/liveSession';
import type { SessionPanel } from './sessionPanel';

export interface FollowedPanel {
  readonly reference: SessionReference;
  readonly page: Pick<SessionPanel, 'showView'>;
  readonly session: Pick<LiveSession, 'view' | 'transcript' | 'isUpToDate' | 'onDidChange'>;
}

/** Delay from a change to the update of the tab and of listeners, in milliseconds. Combines several changes. */
const settle = 100;

/** Keeps the tab of a panel up to date, and reports its state to `onSee`. */
export function followPanel({ reference, page, session }: FollowedPanel, onSee: (seen: PanelSession) => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  let told = session.view;
  let wasUpToDate = false;
  const tell = () => {
    timer = undefined;
    const { view, isUpToDate } = session;
    if (view !== told || isUpToDate !== wasUpToDate) {
      told = view;
      wasUpToDate = isUpToDate;
      onSee({ ...reference, view, transcript: session.transcript('') });
    }
  };
  return combine(
    session.onDidChange(({ type }) => {
      if (type === 'view' || type === 'connection') {
        timer ??= setTimeout(() => {
          if (session.view !== told) {
            page.showView(session.view);
          }
          tell();
        }, settle);
      }
    }),
    {
      dispose: () => {
        clearTimeout(timer);
        // The session is no longer watched, so a pending report would otherwise come a minute later.
        tell();
      },
    },
  );
}
