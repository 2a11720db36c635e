import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { Icon } from './icon';
import { Panel } from './panelContext';
import { visible } from './text/visibleText';
import type { Sending } from './useSending';

/** The reason why the last send failed. Hidden if the send succeeded, or if the user cancelled it. */
export function NotSent({ sending: { problem } }: { readonly sending: Pick<Sending, 'problem'> }): VNode | null {
  const { t } = useContext(Panel);
  return problem === undefined ? null : (
    <p class="problem" role="alert">
      <Icon name="error" /> {t('Not sent:')} {visible(problem)}
    </p>
  );
}
