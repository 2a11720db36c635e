import * as vscode from 'vscode';
import { askModal } from '../../../common/asking/notifications';
import { numberFormat } from '../../../shared/formats';
import { toByteSize, toLabel } from '../../../shared/text';
import type { SheetFacts } from './presentation/sheetFacts';

/** From this number of batches on, a wrong limit of the connection is more likely than the user's intention. */
const many = 100;

/** Asks for confirmation if sending takes hundreds of batches. */
export async function confirmBatchCount({ outgoing, limits, fileName }: SheetFacts): Promise<boolean> {
  const count = outgoing?.parts?.length ?? 1;
  if (outgoing === undefined || count < many) {
    return true;
  }
  const { t } = vscode.l10n;
  const locale = vscode.env.language;
  const number = numberFormat(locale);
  const create = t('Create {0} Batches', number.format(count));
  const detail = t(
    '{0} has {1} requests of {2}. One batch takes at most {3} requests and {4}.',
    toLabel(fileName, 80),
    number.format(outgoing.requestCount),
    toByteSize(outgoing.bodyBytes, locale),
    number.format(limits.maxRequests),
    toByteSize(limits.maxBytes, locale),
  );
  return (await askModal(t('Create {0} batches from one file?', number.format(count)), { detail }, create)) === create;
}
