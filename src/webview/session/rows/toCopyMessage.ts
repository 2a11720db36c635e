import { hasCutParts } from '../../../shared/session/rows/rowParts';
import type { Row } from '../../../shared/session/rows/rows';
import { toCopyText } from '../../../shared/session/rows/rowText';
import type { FromWebview } from '../../../shared/session/sessionProtocol';

/** Copies what a row says; where not all of it is here, by who has it. */
export function toCopyMessage(row: Row, thread: string): Extract<FromWebview, { readonly type: 'copyText' | 'copyRow' }> {
  return hasCutParts(row) ? { type: 'copyRow', thread, key: row.key } : { type: 'copyText', text: toCopyText(row) };
}
