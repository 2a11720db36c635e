import type { ServiceErrorKind } from '../../client/transport/errors';

/** Where the cause of a failed call most likely lies: in the API key, in the connection (address, names, network), or elsewhere. */
export function faultPlaceOf(kind: ServiceErrorKind): 'key' | 'connection' | 'elsewhere' {
  switch (kind) {
    case 'authentication':
    case 'permission':
    case 'no_credential':
      return 'key';
    case 'dns':
    case 'connection_refused':
    case 'connect_timeout':
    case 'tls':
    case 'proxy':
    case 'redirect':
    case 'not_json':
    case 'insecure_http':
    case 'foreign_origin':
      return 'connection';
    default:
      return 'elsewhere';
  }
}
