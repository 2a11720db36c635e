import type { VNode } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { Button } from '../controls/button';
import { Panel } from '../panelContext';
import { keyHelp } from './timelineKeys';

/** The keys of the timeline, over everything else until it is closed. */
export function KeysHelp({ onClose }: { onClose: () => void }): VNode {
  const { t } = useContext(Panel);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="keysHelp" ref={dialog} aria-label={t('Keys')} onClose={onClose}>
      <table>
        <tbody>
          {keyHelp.map(({ keys, does }) => (
            <tr key={does}>
              <td>
                {keys.map(key => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </td>
              <td>{t(does)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Button look="primary" onClick={() => dialog.current?.close()}>
        {t('Close')}
      </Button>
    </dialog>
  );
}
