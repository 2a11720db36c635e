import type { VNode } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { toNumber } from '../../../shared/formats';
import { Button } from '../../controls/button';
import { onFormKey } from '../../controls/focus';
import { Panel, useRemembered } from '../../controls/panelContext';
import { NotSent } from '../../controls/problem';
import { useSending } from '../../controls/useSending';

/** Maximum length of a rubric in characters, and maximum number of iterations (API facts, section 8.1). */
const longestRubric = 262_144;
const mostIterations = 20;

/** Form for a goal and its rubric. Input is saved until the service has received it. */
export function OutcomeForm({ canSend, takesFocus, onClose }: { canSend: boolean; takesFocus: boolean; onClose: () => void }): VNode {
  const { t, locale, post, announce } = useContext(Panel);
  const [description, setDescription] = useRemembered('outcomeDescription');
  const [rubric, setRubric] = useRemembered('outcomeRubric');
  const [iterations, setIterations] = useRemembered('outcomeIterations');
  const sending = useSending();
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) {
      first.current?.focus();
    }
  }, [takesFocus]);
  useEffect(() => {
    if (sending.state === 'sent') {
      setDescription('');
      setRubric('');
      setIterations('');
      announce(t('The outcome was defined.'));
      onClose();
    }
  });

  const count = iterations === '' ? undefined : Number(iterations);
  const problem =
    count !== undefined && !(Number.isInteger(count) && count >= 1 && count <= mostIterations)
      ? t('Enter a whole number from 1 to {0} for the iterations.', mostIterations)
      : rubric.length > longestRubric
        ? t('A rubric can have at most {0} characters.', toNumber(longestRubric, locale))
        : '';
  const canDefine = canSend && sending.state !== 'sending' && problem === '' && description.trim() !== '' && rubric.trim() !== '';
  const define = (): void => {
    if (canDefine) {
      const clientId = sending.start();
      post({ type: 'defineOutcome', clientId, description, rubric, ...(count === undefined ? {} : { maxIterations: count }) });
    }
  };
  return (
    <form
      class="composer-outcome flexColumn"
      aria-label={t('Define Outcome')}
      onSubmit={event => event.preventDefault()}
      onKeyDown={event => onFormKey(event, define, onClose)}
    >
      <label>
        {t('Goal')}
        <input class="field" ref={first} value={description} onInput={event => setDescription(event.currentTarget.value)} />
      </label>
      <label>
        {t('Rubric')}
        <textarea class="field composer-rubric" rows={3} value={rubric} onInput={event => setRubric(event.currentTarget.value)} />
      </label>
      <label class="composer-iterations">
        {t('Maximum iterations')}
        <input
          class="field"
          type="number"
          min={1}
          max={mostIterations}
          step={1}
          placeholder="3"
          value={iterations}
          onInput={event => setIterations(event.currentTarget.value)}
        />
      </label>
      {problem === '' ? null : <p class="problem">{problem}</p>}
      <NotSent sending={sending} />
      <div class="composer-buttons">
        <Button kind="primary" icon="outcome" disabled={!canDefine} onClick={define}>
          {sending.state === 'sending' ? t('Defining…') : t('Define')}
        </Button>
        <Button onClick={onClose}>{t('Cancel')}</Button>
      </div>
    </form>
  );
}
