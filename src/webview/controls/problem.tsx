import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { Icon } from './icon';
import { Panel } from './panelContext';
import { visible } from './text/visibleText';
import type { Sending } from './useSending';

/** The reason why the last send failed. Hidden if the send succeeded, or if the user cancelled it. */
export function NotSent({ sending: { problem } }: { readonly sending: Pick<Sending, 'problem'> }): VNode | null {
  const { t } = useContext(Panel);
  return <Problem text={problem === undefined ? undefined : `${t('Not sent:')} ${problem}`} />;
}

/** An error of an action, spoken at once. Hidden if the text is `undefined`. */
export function Problem({ text }: { readonly text: string | undefined }): VNode | null {
  return text === undefined ? null : (
    <p class="problem" role="alert">
      <Icon name="error" /> {visible(text)}
    </p>
  );
}
