import { describeAge, join, type PresentationContext, type RowPresentation } from '../../../common/text/presentation';
import { toLabel, toVisibleText } from '../../../shared/text';
import type { Verification } from './verifyDelivery';
import type { TakenDelivery } from './webhookReceiver';

/** Returns the row of a delivery. `verification` is `undefined` if no secret is known to verify it with. */
export function presentDelivery(
  delivery: TakenDelivery,
  verification: Verification | undefined,
  context: PresentationContext,
): RowPresentation {
  const { translate } = context;
  const label = toLabel(delivery.type, 80) || translate('Unknown kind');
  const verified =
    verification === undefined
      ? translate('no secret to verify it with')
      : verification.isValid
        ? translate('verified')
        : translate('not verified');
  const duplicate = delivery.isDuplicate ? translate('duplicate') : '';
  const age = describeAge(new Date(delivery.takenAt).toISOString(), context);
  const isAmiss = verification?.isValid === false;
  return {
    label,
    description: join(' · ', verified, duplicate, age),
    icon: isAmiss ? 'warning' : verification === undefined ? 'question' : delivery.isDuplicate ? 'copy' : 'verified',
    color: isAmiss ? 'list.warningForeground' : undefined,
    abilities: ['delivery', ...(delivery.sessionId === undefined ? [] : ['hasSession'])].join(' '),
    spoken: join(', ', label, verified, duplicate, age),
  };
}

/** Formats a delivery as a document that can be verified again: headers, an empty line, and the original body. */
export function toDeliveryText({ headers, body }: Pick<TakenDelivery, 'headers' | 'body'>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${toVisibleText(value).replace(/\n/g, ' ')}`);
  return `${lines.join('\n')}\n\n${Buffer.from(body).toString()}`;
}
