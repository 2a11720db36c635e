import type { Disposable } from 'vscode';
import { combine } from '../../../common/disposables';
import type { SessionReference } from '../../../contributions';
import type { SeenSession } from '../facts/listedSession';
import type { LiveSession } from './live/liveSession';
import type { SessionPanel } from './sessionPanel';

export interface FollowedPanel {
  readonly reference: SessionReference;
  readonly panel: Pick<SessionPanel, 'showView' | 'onDidChangeVisibility'>;
  readonly session: Pick<LiveSession, 'view' | 'transcript' | 'isUpToDate' | 'onDidChange' | 'setVisible'>;
}

/** Milliseconds from a change to the tab and to who else wants to know of it: several changes are one. */
const settle = 100;

/** Keeps the tab of a panel up to date, tells who wants to know what it shows, and watches its session while it is shown. */
export function followPanel({ reference, panel, session }: FollowedPanel, onSee: (seen: SeenSession) => void): Disposable {
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
            panel.showView(session.view);
          }
          tell();
        }, settle);
      }
    }),
    panel.onDidChangeVisibility(isVisible => session.setVisible(isVisible)),
    {
      dispose: () => {
        clearTimeout(timer);
        // Nobody looks at the session from here on: what is not told now would be told a minute later.
        tell();
      },
    },
  );
}
