import { derivedId } from '../files/derivedIds';

/** Text around requests in `{"requests":[...]}`, and around bare params. */
export const bodyFrame = {
  open: '{"requests":[',
  between: ',',
  close: ']}',
  beforeMadeId: '{"custom_id":"',
  afterMadeId: '","params":',
  afterParams: '}',
};

/** Returns the size of the frame around `requests` requests, in bytes. */
export function frameBytes(requests: number): number {
  return bodyFrame.open.length + Math.max(0, requests - 1) * bodyFrame.between.length + bodyFrame.close.length;
}

/** Returns the number of bytes added around bare params on a 0-based line. */
export function wrapBytes(line: number): number {
  return bodyFrame.beforeMadeId.length + derivedId(line).length + bodyFrame.afterMadeId.length + bodyFrame.afterParams.length;
}
