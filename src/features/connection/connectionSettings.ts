import type { QuickPickItem } from 'vscode';
import type { AuthForm } from '../../client/clientOptions';
import { type DialectName, dialects } from '../../client/dialect';
import { type BaseUrlProblem, parseBaseUrl } from '../../client/transport/baseUrl';
import type { Translate } from '../../common/text/translate';
import type { ConnectionSetting } from '../../contributions';
import { isRecord } from '../../shared/isRecord';
import type { Connection } from './connection';

/** Name of the built-in connection. Connections in the settings can't have it. */
export const emulatorName = 'Emulator';

/** Limits of a batch by the contract. The maximum size is that of the known deployments. */
export const defaultLimits = { maxRequests: 100_000, maxBytes: 268_435_456 } as const;

const authForms: readonly AuthForm[] = ['x-api-key', 'bearer'];
const dialectNames: readonly DialectName[] = ['contract', 'anthropic-2023', 'anthropic-2026'];

/** Invalid entry of `managedAgents.connections`, or an ignored field of an entry. */
export interface SettingProblem {
  /** Name of the entry. `undefined` if the setting as a whole is invalid. */
  readonly name: string | undefined;
  /** True if the connection is ignored because of the problem. */
  readonly isFatal: boolean;
  /** One sentence with the problem and the expected value. */
  readonly message: string;
}

/**
 * Parses the value of `managedAgents.connections`, which can have any type. Returns the valid connections in the order of the setting, and
 * the problems. An invalid entry never hides a valid entry.
 */
export function parseConnections(value: unknown, t: Translate) {
  const connections: Connection[] = [];
  const problems: SettingProblem[] = [];
  if (value === undefined || value === null) {
    return { connections, problems };
  }
  if (!isRecord(value)) {
    const message = t('Fix the setting managedAgents.connections: expected an object of connections by name.');
    problems.push({ name: undefined, isFatal: true, message });
    return { connections, problems };
  }
  for (const [name, entry] of Object.entries(value)) {
    const nameProblem = checkName(name, connections, t);
    if (nameProblem !== undefined) {
      problems.push({ name, isFatal: true, message: nameProblem });
      continue;
    }
    const { connection, messages } = parseConnection(name, entry, t);
    if (connection !== undefined) {
      connections.push(connection);
    }
    problems.push(...messages.map(message => ({ name, isFatal: connection === undefined, message })));
  }
  return { connections, problems };
}

/** Returns the problem with a connection's name, or `undefined`. `others` have names that are already in use. */
export function checkName(name: string, others: readonly { readonly name: string }[], t: Translate): string | undefined {
  if (name.trim() === '') {
    return t('Enter a name');
  }
  if (name !== name.trim() || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name) || name.length > 100) {
    return t('Remove spaces and invisible characters.');
  }
  if (name.toLowerCase() === emulatorName.toLowerCase() || others.some(other => other.name === name)) {
    return t('This name is already in use.');
  }
  return undefined;
}

function parseConnection(
  name: string,
  entry: unknown,
  t: Translate,
): { readonly connection: Connection | undefined; readonly messages: readonly string[] } {
  if (!isRecord(entry) || typeof entry.baseUrl !== 'string') {
    return { connection: undefined, messages: [t('Add "baseUrl", such as "https://agents.example.com".')] };
  }
  const parsed = parseBaseUrl(entry.baseUrl);
  if (typeof parsed === 'string') {
    return { connection: undefined, messages: [t('Invalid "baseUrl". {0}', describeBaseUrlProblem(parsed, t))] };
  }
  const messages: string[] = [];
  /** Returns a field if it is valid. Otherwise reports the problem and returns the default. */
  const take = <T>(field: keyof ConnectionSetting, accept: (value: unknown) => value is T, fallback: T, expected: string): T => {
    const given = entry[field];
    if (given === undefined) {
      return fallback;
    }
    if (accept(given)) {
      return given;
    }
    messages.push(t('Expected {1} for "{0}".', field, expected));
    return fallback;
  };
  const allowInsecureHttp = take('allowInsecureHttp', isBoolean, false, t('true or false'));
  if (parsed.isInsecure && !allowInsecureHttp) {
    messages.push(t('Set "allowInsecureHttp" to use plain http with {0}.', parsed.host));
  }
  const isDialectGuess = take('isDialectGuess', isBoolean, false, t('true or false'));
  const connection: Connection = {
    name,
    baseUrl: parsed.url,
    auth: take('auth', isOneOf(authForms), 'x-api-key', authForms.join(', ')),
    dialect: take('dialect', isOneOf(dialectNames), 'contract', dialectNames.join(', ')),
    ...(isDialectGuess && { isDialectGuess }),
    extraBetas: take('betas', isBetas, [], t('a list of beta values')),
    limits: {
      maxRequests: take('maxRequests', isPositive, defaultLimits.maxRequests, t('a whole number above 0')),
      maxBytes: take('maxBytes', isPositive, defaultLimits.maxBytes, t('a whole number above 0')),
    },
    allowInsecureHttp,
    isEmulator: false,
  };
  return { connection, messages };
}

/** Describes how to correct an address. */
export function describeBaseUrlProblem(problem: BaseUrlProblem, t: Translate): string {
  return problem === 'noAddress'
    ? t('Enter an address such as https://agents.example.com')
    : t('Remove keys, user names and parameters from the address.');
}

/** Returns the setting of a connection, without fields that have their default values. */
export function toSetting(connection: Connection): ConnectionSetting {
  return {
    baseUrl: connection.baseUrl,
    auth: connection.auth,
    dialect: connection.dialect,
    ...(connection.isDialectGuess === true ? { isDialectGuess: true } : {}),
    ...(connection.extraBetas.length > 0 ? { betas: connection.extraBetas } : {}),
    ...(connection.limits.maxRequests === defaultLimits.maxRequests ? {} : { maxRequests: connection.limits.maxRequests }),
    ...(connection.limits.maxBytes === defaultLimits.maxBytes ? {} : { maxBytes: connection.limits.maxBytes }),
    ...(connection.allowInsecureHttp ? { allowInsecureHttp: true } : {}),
  };
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function isBetas(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(beta => typeof beta === 'string' && /^[A-Za-z0-9._-]{1,200}$/.test(beta));
}

function isOneOf<T extends string>(allowed: readonly T[]): (value: unknown) => value is T {
  return (value): value is T => allowed.some(one => one === value);
}

/** Dialect of a service, and the header for the key. */
export interface WireFormat {
  readonly auth: AuthForm;
  readonly dialect: DialectName;
}

/** Lists all formats, starting with the proposed format. */
export function listFormats(proposed: WireFormat, t: Translate): readonly (QuickPickItem & { readonly value: WireFormat })[] {
  const others = dialectNames
    .flatMap(dialect => authForms.map((auth): WireFormat => ({ dialect, auth })))
    .filter(({ auth, dialect }) => auth !== proposed.auth || dialect !== proposed.dialect);
  return [proposed, ...others].map(({ auth, dialect }) => ({
    label: dialects[dialect].label,
    description: t('API key in {0}', toAuthLabel(auth)),
    value: { auth, dialect },
  }));
}

/** Returns the label of a dialect, marked if the dialect is a guess. */
export function toNamesLabel(
  { dialect, isDialectGuess }: { readonly dialect: DialectName; readonly isDialectGuess?: boolean },
  t: Translate,
): string {
  const { label } = dialects[dialect];
  return isDialectGuess === true ? t('{0} (assumed)', label) : label;
}

/** Returns the name of the header for the key. */
export function toAuthLabel(auth: AuthForm): string {
  return auth === 'bearer' ? 'Authorization: Bearer' : 'X-Api-Key';
}
