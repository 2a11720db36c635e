import type { VNode } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { OfferedRule } from '../../shared/inbox/inboxProtocol';
import { Button } from '../controls/button';
import { Panel } from '../controls/panelContext';
import { Inbox } from './cardFrame';

interface OfferedRulesProps {
  readonly rules: readonly OfferedRule[];
  readonly onCancel?: () => void;
  /** True if the rules appear without the user's request. The rules then don't take the focus. */
  readonly isQuiet?: boolean;
}

/** The rule to confirm, with its whole scope in one line and its trial on past answers. Other rules can be chosen below it. */
export function OfferedRules({ rules, onCancel, isQuiet = false }: OfferedRulesProps): VNode | null {
  const { t } = useContext(Panel);
  const { card, post } = useContext(Inbox);
  const [chosenId, choose] = useState<string>();
  const [closed, close] = useState<readonly OfferedRule[]>();
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (!isQuiet) {
      line.current?.focus();
    }
  }, [rules]);
  const chosen = rules.find(({ id }) => id === chosenId) ?? rules[0];
  if (chosen === undefined || closed === rules) {
    return null;
  }
  const end = (): void => {
    close(rules);
    card.current?.focus();
  };
  const cancel = (): void => {
    onCancel?.();
    end();
  };
  const keep = (): void => {
    post({ type: 'keepRule', id: chosen.id });
    end();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes it
    <div class="inbox-rule" onKeyDown={event => event.key === 'Escape' && cancel()}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and is read before Confirm */}
      <p class="inbox-scope" ref={line} tabIndex={0}>
        {chosen.scope}
      </p>
      {chosen.trial === '' ? null : <p class="hint">{chosen.trial}</p>}
      <div class="ask-buttons flexWrap">
        <Button kind="primary" onClick={keep}>
          {t('Confirm')}
        </Button>
        <Button onClick={cancel}>{t('Cancel')}</Button>
      </div>
      {rules
        .filter(rule => rule !== chosen)
        .map(rule => (
          <Button key={rule.id} kind="link" onClick={() => choose(rule.id)}>
            {rule.scope}
          </Button>
        ))}
    </div>
  );
}
