import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { CostPoint } from '../../../../shared/session/facts/requestCosts';
import { toLabel } from '../../../../shared/text';
import { toCount, toMoment, toMoney } from '../../../controls/numbers';
import { Panel } from '../../../controls/panelContext';
import { NumbersTable } from './numbersTable';

/** Cost of each request by the user's prices, and the session's cost up to then. */
export function CostTable({ points, currency }: { points: readonly CostPoint[]; currency: string }): VNode {
  const { t, locale } = useContext(Panel);
  const today = Date.now();
  const money = (amount: number | undefined): string =>
    amount === undefined ? t('unknown') : toMoney({ cents: amount * 100, currency }, locale, 6);
  return (
    <NumbersTable
      label={t('Cost')}
      caption={t('Cost by request')}
      columns={[t('Event'), t('Time'), t('Model'), t('Request, by your prices'), t('Session, by your prices'), t('Reported total')]}
    >
      {points.map(({ key, seq, at, request, ownSum, reported }) => (
        <tr key={key}>
          <th scope="row">{toCount(seq + 1, locale)}</th>
          <td>{at === undefined ? '–' : toMoment(at, locale, today)}</td>
          <td>{request === undefined ? '–' : toModelWords(request.models, t('unknown'))}</td>
          <td>{request === undefined ? '–' : money(request.cost)}</td>
          <td>{money(ownSum)}</td>
          <td>{reported === undefined ? '–' : toMoney(reported, locale)}</td>
        </tr>
      ))}
    </NumbersTable>
  );
}

function toModelWords(models: readonly string[], unknown: string): string {
  return models.length === 0 ? unknown : models.map(model => toLabel(model, 80)).join(', ');
}
