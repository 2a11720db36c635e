import { numberText } from '../../shared/exactJson';
import { isRecord } from '../../shared/isRecord';
import { readAnswerJson } from '../answers/answerJson';
import type { CountedMeasure } from './verdict/measure';

/** Maximum number of fields to track, and maximum length of answers to search, in characters. */
const maxFields = 8;
const longest = 100_000;
/** Minimum number of pairs with a number, in total and per 10 pairs. Numbers in fewer pairs are considered accidental. */
const fewestPairs = 2;
const fewestOf10 = 5;

interface Found {
  readonly differences: number[];
  before: number;
  after: number;
}

/** Collects numeric grades from pairs of answers. A grade is a number that is the whole answer or a field of its JSON, in both answers. */
export class AnswerNumbers {
  private readonly found = new Map<string, Found>();
  private pairs = 0;

  add(before: string, after: string): void {
    this.pairs++;
    const others = new Map(numbersOf(after));
    for (const [field, value] of numbersOf(before)) {
      const other = others.get(field);
      if (other !== undefined && (this.found.has(field) || this.found.size < maxFields)) {
        const found = this.found.get(field) ?? { differences: [], before: 0, after: 0 };
        this.found.set(field, found);
        found.differences.push(other - value);
        found.before += value;
        found.after += other;
      }
    }
  }

  /** Returns the numbers that were found often enough. `all` is the number of pairs. */
  counted(all: number): readonly CountedMeasure[] {
    return [...this.found]
      .filter(([, { differences }]) => differences.length >= fewestPairs && differences.length * 10 >= this.pairs * fewestOf10)
      .map(([field, { differences, before, after }]) => ({
        ...{ about: 'number' as const, field, compared: differences.length, differences: Float64Array.from(differences) },
        left: all > differences.length ? [{ why: 'noNumber' as const, side: 'both' as const, count: all - differences.length }] : [],
        values: [before / differences.length, after / differences.length] as const,
      }));
  }
}

function numbersOf(text: string): readonly (readonly [field: string, value: number])[] {
  if (text.length > longest) {
    return [];
  }
  const value = readAnswerJson(text)?.value;
  const isWritten = numberText(value) !== undefined;
  const members: readonly (readonly [string, unknown])[] = isWritten ? [['', value]] : isRecord(value) ? Object.entries(value) : [];
  return members.flatMap(([field, member]) => {
    const number = numberText(member) === undefined ? Number.NaN : Number(member);
    return Number.isFinite(number) ? [[field, number] as const] : [];
  });
}
