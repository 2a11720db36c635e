import { createHash, timingSafeEqual } from 'node:crypto';
import type { Dialect, ResourceGroup } from '../../client/dialect';
import { ApiError, invalidRequest } from './apiError';
import type { Exchange } from './serverExchange';

/**
 * Refuses requests of web pages: a request must have this address in `Host` and have no `Origin`. A page that resolves its own name to
 * 127.0.0.1 has another `Host`. Throws a 403.
 */
export function checkHost(exchange: Exchange, port: number): void {
  const host = exchange.header('host')?.toLowerCase();
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) {
    throw new ApiError('permission_error', 'The emulator only accepts requests to 127.0.0.1 and localhost');
  }
  if (exchange.header('origin') !== undefined) {
    throw new ApiError('permission_error', 'The emulator does not accept requests from web pages');
  }
}

/** Checks the key in either of the two headers. If both are sent, `X-Api-Key` decides, as on the recorded service. Throws a 401. */
export function checkKey(exchange: Exchange, key: string): void {
  const given = exchange.header('x-api-key') ?? /^Bearer +(\S.*)$/i.exec(exchange.header('authorization') ?? '')?.[1];
  if (given === undefined) {
    throw new ApiError('authentication_error', 'x-api-key or Authorization: Bearer header is required');
  }
  if (!timingSafeEqual(hash(given), hash(key))) {
    throw new ApiError('authentication_error', 'invalid API key');
  }
}

/** Value of the version header that services of both eras accept. Newer services also accept a newer value. */
const olderVersion = '2023-06-01';

/** Checks the version header. The contract requires no version header. The vendor's services require a known version. Throws a 400. */
export function checkVersion(exchange: Exchange, dialect: Dialect): void {
  if (dialect.name === 'contract') {
    return;
  }
  const name = `${dialect.headerPrefix}-version`;
  const version = exchange.header(name);
  if (version === undefined) {
    throw invalidRequest(`${name}: header is required`);
  }
  if (version !== olderVersion && version !== dialect.version) {
    throw invalidRequest(`${name}: "${version}" is not a valid version`);
  }
}

/** Groups that older services also serve without a beta, at the same paths without `?beta=true` (API facts, section 5). */
const stableGroups: readonly ResourceGroup[] = ['batches', 'files', 'skills'];

/**
 * Checks `?beta=true` and the beta header of a resource group if the dialect has them (API facts, section 2: for files the query is
 * optional). The contract requires the header only for batches. Throws a 400.
 */
export function checkBeta(exchange: Exchange, dialect: Dialect, group: ResourceGroup): void {
  const beta = exchange.query.get('beta');
  if (beta !== null && beta !== 'true' && beta !== 'false') {
    throw invalidRequest('beta: Input should be a valid boolean');
  }
  const isContract = dialect.name === 'contract';
  if (!isContract && beta !== 'true' && stableGroups.includes(group)) {
    return;
  }
  if (dialect.betaQuery && beta !== 'true' && group !== 'files') {
    throw invalidRequest('beta: query parameter beta=true is required');
  }
  const wanted = dialect.betas[group];
  if (wanted !== undefined && !(isContract && group !== 'batches') && !hasBeta(exchange, dialect, wanted)) {
    throw invalidRequest(`${dialect.headerPrefix}-beta: ${wanted} is required`);
  }
}

/** Returns the user profile to attribute a batch to. Throws a 400 if the profile's header is sent without the required beta. */
export function userProfileOf(exchange: Exchange, dialect: Dialect): string | undefined {
  const name = `${dialect.headerPrefix}-user-profile-id`;
  const profile = exchange.header(name);
  if (profile !== undefined && !betasOf(exchange, dialect).some(beta => beta.startsWith('user-profiles'))) {
    throw invalidRequest(`${name}: needs the user-profiles beta`);
  }
  return profile;
}

/** Beta of the object form of `fallback_credit_token` (contract, Fallback credit 4). */
export const creditObjectBeta = 'fallback-credit-2026-07-01';

export function hasBeta(exchange: Exchange, dialect: Dialect, beta: string): boolean {
  return betasOf(exchange, dialect).includes(beta);
}

function betasOf(exchange: Exchange, dialect: Dialect): string[] {
  return (exchange.header(`${dialect.headerPrefix}-beta`) ?? '').split(',').map(value => value.trim());
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
