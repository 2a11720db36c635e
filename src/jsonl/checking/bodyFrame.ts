import { derivedId } from '../files/derivedIds';

/** Text around requests in `{"requests":[...]}`, and around bare params. */
export const bodyFrame = {
  open: '{"requests":[',
  between: ',',
  close: ']}',
  beforeDerivedId: '{"custom_id":"',
  afterDerivedId: '","params":',
  afterParams: '}',
};

/** Returns the size of the text around `requests` requests in a body, in bytes. */
export function frameBytes(requests: number): number {
  return bodyFrame.open.length + Math.max(0, requests - 1) * bodyFrame.between.length + bodyFrame.close.length;
}

/** Returns the number of bytes added around bare params on a 0-based line. */
export function wrapBytes(line: number): number {
  return bodyFrame.beforeDerivedId.length + derivedId(line).length + bodyFrame.afterDerivedId.length + bodyFrame.afterParams.length;
}
