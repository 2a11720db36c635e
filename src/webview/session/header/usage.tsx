import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { numberFormat } from '../../../shared/formats';
import type { SessionView } from '../../../shared/session/sessionView';
import { toLabel } from '../../../shared/text';
import { Button } from '../controls/button';
import { toCount, toMoney } from '../controls/numbers';
import { Panel, type PanelContext } from '../panelContext';
import { Fact } from './fact';

/** Tokens by bucket. A bucket that was not told is named so: that is not 0. */
export function Tokens({ tokens, isPartial, areSummed }: { tokens: SessionView['tokens']; isPartial: boolean; areSummed: boolean }): VNode {
  const { t, locale } = useContext(Panel);
  const buckets = [
    [t('input'), tokens.input],
    [t('output'), tokens.output],
    [t('cache read'), tokens.cacheRead],
    [t('cache write'), tokens.cacheWrite],
  ] as const;
  return (
    <Fact name={isPartial ? t('Tokens, of the part read') : areSummed ? t('Tokens, by its events (the service says 0)') : t('Tokens')}>
      <span class="header-buckets">
        {buckets.map(([name, count]) => (
          <span key={name} class={count === undefined ? 'header-bucket header-untold' : 'header-bucket'}>
            <b>{count === undefined ? t('not told') : toCount(count, locale)}</b> {name}
          </span>
        ))}
      </span>
    </Fact>
  );
}

/** What it has cost, against the cap where there is one, which can be changed. `≥` where tokens are missing from the count. */
export function Cost({ view, isFile }: { view: SessionView; isFile: boolean }): VNode | null {
  const panel = useContext(Panel);
  const { t, locale, post } = panel;
  const { cost, budget } = view;
  if (cost === undefined && budget === undefined) {
    return null;
  }
  const spent = cost === undefined ? t('not told') : `${isPartial(view) ? '≥ ' : ''}${toMoney(cost, locale)}`;
  if (budget === undefined || 'json' in budget) {
    return (
      <Fact name={t('Cost')}>
        {spent}
        {budget === undefined ? null : (
          <>
            {' '}
            {t('budget')} <code class="header-code">{toLabel(budget.json, 1000)}</code>
          </>
        )}
      </Fact>
    );
  }
  const share = shareOf(view);
  const words = t('{0} of {1}', spent, toMoney(budget, locale));
  return (
    <Fact name={t('Cost')}>
      {words} {share === undefined ? null : <Bar share={share} words={words} panel={panel} />}
      {isFile ? null : <Button look="icon" icon="update" label={t('Change Budget…')} onClick={() => post({ type: 'changeBudget' })} />}
    </Fact>
  );
}

function Bar({ share, words, panel: { t, locale } }: { share: number; words: string; panel: PanelContext }): VNode {
  const level = share >= 1 ? 'over' : share >= 0.8 ? 'near' : 'within';
  const percent = numberFormat(locale, { style: 'percent' }).format(share);
  return (
    <span class="header-budget">
      <meter
        class={`header-bar header-bar-${level}`}
        aria-label={t('Cost against the budget')}
        aria-valuetext={`${words}, ${percent}`}
        value={Math.min(1, share)}
      />
      <span>{level === 'over' ? t('{0}, used up', percent) : percent}</span>
    </span>
  );
}

function isPartial({ tokens }: SessionView): boolean {
  return [tokens.input, tokens.output, tokens.cacheRead, tokens.cacheWrite].includes(undefined);
}

/** Share of the budget that is spent; undefined when it cannot be known. */
function shareOf({ cost, budget }: SessionView): number | undefined {
  if (cost === undefined || budget === undefined || 'json' in budget || budget.currency !== cost.currency) {
    return undefined;
  }
  if (budget.cents <= 0) {
    return 1;
  }
  return Math.max(0, cost.cents / budget.cents);
}
