import type { FromWebview, PanelState, ToWebview } from '../../shared/session/sessionProtocol';
import type { FromStart, ToStart } from '../../shared/session/startProtocol';
import { startPanel } from '../controls/startPanel';
import { PanelStore } from './panelStore';
import { Session } from './sessionApp';
import { NewSession } from './start/newSession';

/** Minimum delay between renders while rows arrive faster than anybody can read, in milliseconds. */
const stormPause = 100;

startPanel<FromWebview | FromStart, ToWebview | ToStart, PanelState>((saved, post) => {
  const store = new PanelStore((task, isStorm) =>
    isStorm ? setTimeout(() => requestAnimationFrame(task), stormPause) : requestAnimationFrame(task),
  );
  const draw = () =>
    store.start !== undefined ? (
      <NewSession {...{ store, saved }} start={store.start} />
    ) : (
      store.session && <Session {...{ store, saved, post }} session={store.session} />
    );
  return { store, post, draw };
});
