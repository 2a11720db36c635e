import { diskCalls } from '../../src/jsonl/files/wholeFile';

/** Runs `act` while some of the calls that write to a disk are replaced. */
export async function withDiskCalls<T>(calls: Partial<typeof diskCalls>, act: () => Promise<T>): Promise<T> {
  const before = { ...diskCalls };
  Object.assign(diskCalls, calls);
  try {
    return await act();
  } finally {
    Object.assign(diskCalls, before);
  }
}
