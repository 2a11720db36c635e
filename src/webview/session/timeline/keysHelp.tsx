import type { VNode } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { Button } from '../../controls/button';
import { Panel } from '../../controls/panelContext';

/** Overlay that lists the keyboard shortcuts of the timeline. */
export function KeysHelp({ onClose }: { onClose: () => void }): VNode {
  const { t } = useContext(Panel);
  const dialog = useRef<HTMLDialogElement>(null);
  const help = [
    [t('Go to the row above or below'), '↑', '↓', 'j', 'k'],
    [t('Go up or down a page'), 'Page Up', 'Page Down'],
    [t('Go to the first or last row'), 'Home', 'End'],
    [t('Fold or unfold the row'), 'Enter', 'Space', '←', '→'],
    [t('Next message'), 'm'],
    [t('Next Error'), 'e'],
    [t('Next Approval'), 'w'],
    [t('Next Service Denial'), 'd'],
    [t('Search'), '/', 'Ctrl+F'],
    [t('Copy the row'), 'c'],
    [t('Open the event as JSON'), 'o'],
    [t('Open the change of a file'), 'v'],
    [t('Open the file in the workspace'), 'f'],
    [t('Show keyboard shortcuts'), '?'],
  ] as const;
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="keysHelp" ref={dialog} aria-label={t('Keyboard Shortcuts')} onClose={onClose}>
      <table>
        <tbody>
          {help.map(([does, ...keys]) => (
            <tr key={does}>
              <td>
                {keys.map(key => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </td>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Button kind="primary" onClick={() => dialog.current?.close()}>
        {t('Close')}
      </Button>
    </dialog>
  );
}
