import type { VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { StartState } from '../../../shared/session/startProtocol';
import { Button } from '../../controls/button';
import { Icon } from '../../controls/icon';
import { Panel } from '../../controls/panelContext';
import type { SavedState } from '../../controls/savedState';
import { visible } from '../../controls/text/visibleText';
import { Composer, useDraft } from '../composer/composer';
import type { PanelStore } from '../panelStore';

/** A session that does not exist yet: the composer of its first message, with chips for everything else. */
export function NewSession({ start, store, saved }: { start: StartState; store: PanelStore; saved: SavedState }): VNode {
  const { t, post } = useContext(Panel);
  const { heading, source, notes, chips, failure, button, isBusy } = start;
  const [draft, setDraft] = useDraft(saved);
  const [focus, setFocus] = useState(1);
  useEffect(() => {
    if (store.takeNews().length > 0) {
      setFocus(count => count + 1);
    }
  });
  return (
    <main class="panel start" aria-busy={isBusy}>
      <h1 class="start-heading">
        {visible(heading)} <span class="faint">{visible(source)}</span>
      </h1>
      {notes.map(note => (
        <p key={note} class="composer-note hint">
          {visible(note)}
        </p>
      ))}
      <fieldset class="start-chips flexWrap" aria-label={t('Options')}>
        {chips.map(({ part, label, value }) => (
          <Button key={part} onClick={() => post({ type: 'choose', part })}>
            {value === '' ? `${label}…` : visible(`${label}: ${value}`)}
          </Button>
        ))}
      </fieldset>
      {failure === undefined ? null : (
        <div class="composer-notice errorBox flexWrap start-failure" role="alert">
          <Icon name="error" />
          <span>{visible(failure.text)}</span>
          {failure.appeared.map(({ id, title }) => (
            <Button key={id} onClick={() => post({ type: 'openStarted', id, text: draft })}>
              {visible(t('Open {0}', title))}
            </Button>
          ))}
          {failure.isUnknown ? (
            <Button kind="link" onClick={() => post({ type: 'choose', part: 'another' })}>
              {t('Mark as Not Started')}
            </Button>
          ) : null}
        </div>
      )}
      <Composer
        thread=""
        canSend={!isBusy}
        whyNot={t('Loading…')}
        draft={draft}
        onDraft={setDraft}
        composing={store.composing}
        start={{ button, onStart: text => post({ type: 'start', text }) }}
        focusToken={focus}
      />
    </main>
  );
}
