import { madeId } from './madeIds';

/** What stands around requests in `{"requests":[...]}`, and around bare params. */
export const bodyFrame = {
  open: '{"requests":[',
  between: ',',
  close: ']}',
  beforeMadeId: '{"custom_id":"',
  afterMadeId: '","params":',
  afterParams: '}',
};

/** Bytes of the frame of a body of `requests` requests. */
export function frameBytes(requests: number): number {
  return bodyFrame.open.length + Math.max(0, requests - 1) * bodyFrame.between.length + bodyFrame.close.length;
}

/** Bytes put around the bare params of a line that counts from 0. */
export function wrapBytes(line: number): number {
  return bodyFrame.beforeMadeId.length + madeId(line).length + bodyFrame.afterMadeId.length + bodyFrame.afterParams.length;
}
