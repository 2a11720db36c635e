import { hasCutParts } from '../../../shared/session/rows/rowParts';
import type { Row } from '../../../shared/session/rows/rows';
import { toCopyText } from '../../../shared/session/rows/rowText';
import type { FromWebview } from '../../../shared/session/sessionProtocol';

/** Returns the message that copies the text of a row. If the text is cut, the host copies it, because it has all of it. */
export function toCopyMessage(row: Row, thread: string): Extract<FromWebview, { readonly type: 'copyText' | 'copyRow' }> {
  return hasCutParts(row) ? { type: 'copyRow', thread, key: row.key } : { type: 'copyText', text: toCopyText(row) };
}
