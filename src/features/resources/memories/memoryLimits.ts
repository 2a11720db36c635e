import type { Translate } from '../../../common/text/translate';
import { type MemoryPathProblem, mostMemoryBytes } from '../../../contract/memoryPath';
import { numberFormat } from '../../../shared/formats';

/** Returns a sentence that says why a memory path is invalid. */
export function describePathProblem(problem: MemoryPathProblem, translate: Translate): string {
  switch (problem) {
    case 'start':
      return translate('A path begins with "/".');
    case 'empty':
      return translate('Name the memory behind the "/".');
    case 'long':
      return translate('A path has at most 1,024 bytes.');
    case 'segments':
      return translate('No part of a path is empty, "." or "..".');
    case 'characters':
      return translate('A path has no control characters and no line breaks.');
    case 'form':
      return translate('A path must be in the Unicode form NFC: type it again instead of pasting it.');
  }
}

/** Returns a sentence that says why a text is too large for a memory. `undefined` if it is not. */
export function describeTooLarge(bytes: number, translate: Translate, locale: string): string | undefined {
  const told = (count: number) => numberFormat(locale).format(count);
  return bytes <= mostMemoryBytes
    ? undefined
    : translate(
        'A memory holds at most {0} bytes: this text has {1}, {2} too many. Shorten it or part it into several.',
        told(mostMemoryBytes),
        told(bytes),
        told(bytes - mostMemoryBytes),
      );
}
