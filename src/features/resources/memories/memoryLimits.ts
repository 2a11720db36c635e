import type { Translate } from '../../../common/text/translate';
import { type MemoryPathProblem, maxMemoryBytes } from '../../../contract/memoryPath';
import { numberFormat } from '../../../shared/formats';

/** Returns a sentence that says why a memory path is invalid. */
export function describePathProblem(problem: MemoryPathProblem, translate: Translate): string {
  switch (problem) {
    case 'start':
      return translate('Enter a path that starts with "/".');
    case 'empty':
      return translate('Enter a path that starts with "/".');
    case 'long':
      return translate('Use at most 1,024 bytes.');
    case 'segments':
      return translate('A path can\'t have parts that are empty, "." or "..".');
    case 'characters':
      return translate('Remove spaces and invisible characters.');
    case 'form':
      return translate('Remove spaces and invisible characters.');
  }
}

/** Returns a sentence that says why a text is too large for a memory. `undefined` if it is not. */
export function describeTooLarge(bytes: number, translate: Translate, locale: string): string | undefined {
  const format = (count: number) => numberFormat(locale).format(count);
  return bytes <= maxMemoryBytes
    ? undefined
    : translate('A memory can have {0} bytes. This text has {1}.', format(maxMemoryBytes), format(bytes));
}
