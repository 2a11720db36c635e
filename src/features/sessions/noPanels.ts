import { Emitter } from '../../common/emitter';
import type { SeenSession, SessionPanels } from './sessionPanels';

/** Stands in until panels are registered. */
export function noPanels(): SessionPanels {
  const seen = new Emitter<SeenSession>();
  const refuse = async () => {
    throw new Error('Session panels are not there yet.');
  };
  return {
    open: refuse,
    openFile: refuse,
    exportSession: refuse,
    active: undefined,
    seen: [],
    onDidSee: seen.event,
    dispose: () => seen.dispose(),
  };
}
