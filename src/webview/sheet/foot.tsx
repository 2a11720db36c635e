import type { VNode } from 'preact';
import type { SheetAct, SheetView } from '../../shared/sheet/sheetProtocol';
import { Button } from '../controls/button';
import { Links, ToneIcon } from './links';

interface FootProps {
  readonly view: SheetView;
  readonly share: number | undefined;
  readonly act: (act: SheetAct) => void;
  readonly create: () => void;
}

/** Status and buttons at the bottom, always at the same position. */
export function Foot({ view, share, act, create }: FootProps): VNode {
  const { status, table, close, create: send, leadOn, fix } = view.foot;
  return (
    <footer class="foot">
      <div class="column footRow">
        <div class={`status tone-${status.tone}`} id="status">
          <div class="statusText">
            <ToneIcon tone={status.tone} />
            <span>{status.text}</span>
            <Links links={status.links} act={act} />
          </div>
          {table === undefined ? null : <Links links={[table]} act={act} />}
          {share === undefined ? null : <progress class="thinProgress" aria-label={status.text} max={1} value={share} />}
        </div>
        <div class="buttons">
          <Button onClick={() => act({ type: 'close' })}>{close}</Button>
          {fix === undefined ? null : (
            <Button
              look={(send === undefined || send.isDoubtful) && leadOn === undefined ? 'primary' : 'secondary'}
              onClick={() => act(fix.act)}
            >
              {fix.label}
            </Button>
          )}
          {leadOn === undefined ? null : <Button onClick={() => act(leadOn.act)}>{leadOn.label}</Button>}
          {send === undefined ? null : (
            // Not `disabled`, which would remove the focus.
            <button
              type="button"
              class={`button button-${send.isDoubtful ? 'secondary' : 'primary'}`}
              aria-disabled={send.isDisabled}
              aria-describedby="status"
              onKeyDown={event => {
                // A key that is held down counts once.
                if (event.repeat && (event.key === 'Enter' || event.key === ' ')) {
                  event.preventDefault();
                }
              }}
              onClick={({ detail }) => {
                // The second click of a double click is no second decision.
                if (!send.isDisabled && detail < 2) {
                  create();
                }
              }}
            >
              {send.label}
            </button>
          )}
        </div>
      </div>
    </footer>
  );
}
