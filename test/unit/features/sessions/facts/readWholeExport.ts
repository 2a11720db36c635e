import { type ReadExport, readExportInSteps } from '../../../../../src/features/sessions/facts/readExport';

/** Reads an exported session in one piece. */
export function readExport(bytes: Uint8Array): ReadExport {
  const steps = readExportInSteps(bytes);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) {
      return value;
    }
  }
}
