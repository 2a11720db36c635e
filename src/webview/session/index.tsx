import type { FromWebview, PanelState, ToWebview } from '../../shared/session/sessionProtocol';
import type { FromStart, ToStart } from '../../shared/session/startProtocol';
import { startPanel } from '../controls/startPanel';
import { PanelStore } from './panelStore';
import { App } from './sessionApp';

/** Minimum delay between renders while rows arrive faster than anybody can read, in milliseconds. */
const stormPause = 100;

startPanel<FromWebview | FromStart, ToWebview | ToStart, PanelState>((saved, post) => {
  const store = new PanelStore((task, isStorm) =>
    isStorm ? setTimeout(() => requestAnimationFrame(task), stormPause) : requestAnimationFrame(task),
  );
  return { receive: message => store.receive(message), app: <App {...{ store, saved, post }} /> };
});
