import { isRecord, ownValue } from '../shared/isRecord';

/** A sent field that the response lacks or has with another value. */
export interface IgnoredField {
  /** Field names joined by dots: `schedule.timezone`. */
  readonly path: string;
  /** Value in the response. `undefined` if the response does not have the field. */
  readonly stored: unknown;
  /** True if the field limits spending. */
  readonly isMoney: boolean;
}

export interface SentFields {
  /** Fields of the body that a response may leave out, including everything in them. */
  readonly unanswered?: readonly string[];
  /** Secrets in the body. Responses never contain them. */
  readonly secrets?: readonly string[];
  /** True for an update: `null` clears a field, and a list replaces the whole list. In a create, `null` leaves the value to the service. */
  readonly isUpdate?: boolean;
}

/** Groups of names for the same type. */
const sameTypes = [
  ['git_repository', 'github_repository'],
  ['agent_with_overrides', 'agent'],
  ['self', 'agent'],
  ['vendor', 'anthropic'],
];

/**
 * Compares the body of a create or an update with the resource in the response. Returns the fields that the service did not save, fields
 * that limit spending first. Fields that the service adds (defaults, ids, resolved versions) are not compared. A response without any of
 * the fields says nothing about them: some services return only an id. A missing spending limit is reported even then, because without it
 * nothing stops the spending.
 */
export function ignoredFields(
  params: object | string,
  answer: unknown,
  { unanswered = [], secrets = [], isUpdate = false }: SentFields = {},
): readonly IgnoredField[] {
  const body: unknown = typeof params === 'string' ? JSON.parse(params) : JSON.parse(JSON.stringify(params));
  if (!isRecord(body) || !isRecord(answer)) {
    return [];
  }
  // The `version` in an update is the version to replace, so the response has another version.
  const sent = Object.fromEntries(Object.entries(body).filter(([name]) => !(isUpdate && name === 'version')));
  const found: IgnoredField[] = [];
  const comparison = new Comparison(new Set(secrets), isUpdate, found);
  const isSilent = !Object.keys(sent).some(name => ownValue(answer, name) !== undefined);
  comparison.compareFields(sent, answer, [], isUpdate);
  const isReported = ({ path, stored, isMoney }: IgnoredField) =>
    isMoney || !(isSilent || ((stored ?? null) === null && unanswered.some(name => `${path}.`.startsWith(`${name}.`))));
  return found.filter(isReported).toSorted((a, b) => Number(b.isMoney) - Number(a.isMoney));
}

class Comparison {
  constructor(
    private readonly secrets: ReadonlySet<string>,
    private readonly isUpdate: boolean,
    private readonly found: IgnoredField[],
  ) {}

  /** Compares the fields of an object. If `clears` is true, `null` clears a field. */
  compareFields(sent: Fields, stored: Fields, path: readonly string[], clears: boolean): void {
    for (const [name, value] of Object.entries(sent)) {
      const answered = ownValue(stored, name);
      // Services omit a type that follows from the other fields, and choose the mount path of a file.
      const isServiceChoice = name === 'type' ? answered === undefined : name === 'mount_path' && sent.type === 'file';
      if (!isServiceChoice) {
        this.compare(value, answered, [...path, name], clears);
      }
    }
  }

  private compare(sent: unknown, stored: unknown, path: readonly string[], clears: boolean): void {
    if (isRecord(sent) && isRecord(stored)) {
      const isPatch = (this.isUpdate && path.length === 1 && path[0] === 'metadata') || sent.type === 'agent_with_overrides';
      this.compareFields(sent, stored, path, isPatch);
    } else if (!this.isStored(sent, stored, clears, path.length === 1)) {
      this.found.push({ path: path.join('.'), stored, isMoney: /budget|cost|spend/.test(path.join('.')) });
    }
  }

  private isStored(sent: unknown, stored: unknown, clears: boolean, isWhole: boolean): boolean {
    if (sent === null) {
      return !clears || isEmpty(stored);
    }
    if ((typeof sent === 'string' && this.secrets.has(sent)) || sent === 'latest') {
      return true;
    }
    if (stored === undefined || stored === null) {
      return isEmpty(sent) || (isRecord(sent) && Object.values(sent).every(value => this.isStored(value, undefined, false, false)));
    }
    if (Array.isArray(sent) && Array.isArray(stored)) {
      return this.isStoredList(sent, stored, isWhole);
    }
    if (isRecord(sent) && isRecord(stored)) {
      const lost: IgnoredField[] = [];
      new Comparison(this.secrets, this.isUpdate, lost).compareFields(sent, stored, [''], false);
      return lost.length === 0;
    }
    return isSameValue(sent, stored);
  }

  /** Returns whether each sent element is in the saved list. The service may add elements, unless an update replaces the list. */
  private isStoredList(sent: readonly unknown[], stored: readonly unknown[], isWhole: boolean): boolean {
    if (this.isUpdate && isWhole && sent.length !== stored.length) {
      return false;
    }
    const unmatched = [...stored];
    return sent.every(element => {
      const at = unmatched.findIndex(other => this.isStored(element, other, false, false));
      return at >= 0 && unmatched.splice(at, 1).length === 1;
    });
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns whether two scalars are equal. A scalar also equals an object or a list that the service made from it. */
function isSameValue(sent: unknown, stored: unknown): boolean {
  if (typeof sent === 'string' && isRecord(stored)) {
    return [stored.id, stored.type].some(value => isSameValue(sent, value));
  }
  if (typeof sent === 'string' && Array.isArray(stored)) {
    const [only] = stored;
    return stored.length === 1 && isRecord(only) && isSameValue(sent, only.text);
  }
  if (isRecord(sent) && typeof stored === 'string') {
    return isSameValue(sent.id ?? sent.type, stored);
  }
  if (sent === stored) {
    return true;
  }
  const [a, b] = [textOf(sent), textOf(stored)];
  return a !== undefined && b !== undefined && (a === b || isSameText(a, b));
}

function isSameText(sent: string, stored: string): boolean {
  return (
    // The service may have resolved a model alias to a dated id.
    (stored.startsWith(`${sent}-`) && /^\d{8}$/.test(stored.slice(sent.length + 1))) ||
    sameTypes.some(same => same.includes(sent) && same.includes(stored)) ||
    scalars.some(([form, read]) => form.test(sent) && form.test(stored) && read(sent) === read(stored)) ||
    isSameUrl(sent, stored)
  );
}

/** Numbers and times, which can be written in several ways. */
const scalars: readonly (readonly [form: RegExp, read: (text: string) => number])[] = [
  [/^-?\d{1,15}(\.\d{1,6})?$/, Number],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d/, Date.parse],
];

function isSameUrl(sent: string, stored: string): boolean {
  const plain = (text: string) => (URL.canParse(text) ? new URL(text).href.replace(/(\.git)?\/?$/, '') : undefined);
  return plain(sent) !== undefined && plain(sent) === plain(stored);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value.normalize().replaceAll('\r\n', '\n').trim();
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}
