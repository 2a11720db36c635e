import type { ResourceGroup } from '../../../client/dialect';
import type { GroupState, ProbeResult } from '../../../client/probe';
import type { ServiceError, ServiceErrorKind } from '../../../client/transport/errors';
import type { Translate } from '../../../common/text/translate';
import type { WireFormat } from '../wireFormat';

/** Most likely remedy for a service that can't be used. */
export type Remedy = 'address' | 'key' | 'again';

/** Problem with a service, its address or its key. */
export interface ConnectionProblem {
  /** Short description for one line. */
  readonly headline: string;
  /** Complete description with host, status and request id. */
  readonly details: string;
  readonly remedy: Remedy;
}

/** Result of probing a service: the format to use, or the reason why it is unknown. */
export interface Finding {
  readonly format: WireFormat | undefined;
  /** True if a response contained the names of the dialect. Otherwise `format` is a guess. */
  readonly isDialectCertain: boolean;
  readonly groups: ReadonlyMap<ResourceGroup, GroupState>;
  readonly problem: ConnectionProblem | undefined;
}

export function toFinding(result: ProbeResult, t: Translate): Finding {
  const { auth, dialect, isDialectCertain, groups, failure } = result;
  if (auth !== undefined && dialect !== undefined) {
    return { format: { auth, dialect }, isDialectCertain, groups, problem: undefined };
  }
  const nothing = t('No supported service found at this address.');
  const problem = failure === undefined ? { headline: nothing, details: nothing, remedy: 'address' as const } : toProblem(failure, t);
  return { format: undefined, isDialectCertain, groups, problem };
}

/** Converts an error to a problem, described for a user who is setting up a connection. */
export function toProblem(error: ServiceError, t: Translate): ConnectionProblem {
  return { headline: toHeadline(error, t), details: toDetails(error, t), remedy: toRemedy(error.kind) };
}

/** Returns the details of an error. The service's own message is first, because the end of a long line may be cut off. */
function toDetails({ kind, status, serviceMessage, requestId, message }: ServiceError, t: Translate): string {
  if (kind === 'not_json') {
    return t('No supported service found at this address.');
  }
  if (status === undefined || serviceMessage === undefined) {
    return toSentence(message);
  }
  const answer = t('Response {0}: {1}', status, serviceMessage);
  return requestId === undefined ? answer : `${answer} (request-id ${requestId})`;
}

function toHeadline(error: ServiceError, t: Translate): string {
  switch (error.kind) {
    case 'authentication':
    case 'permission':
      return t('The service rejected the API key.');
    case 'not_found':
    case 'not_json':
    case 'mismatch':
      return t('No supported service found at this address.');
    case 'redirect':
      return t('This address redirects to another one.');
    case 'dns':
      return t('This host name has no IP address.');
    case 'connection_refused':
      return t('No response from this host and port.');
    case 'connect_timeout':
    case 'first_byte_timeout':
    case 'silence_timeout':
    case 'call_timeout':
      return t("The service didn't respond in time.");
    case 'tls':
      return t("This machine doesn't trust the service's certificate.");
    case 'proxy':
      return t('The proxy blocked the connection.');
    case 'insecure_http':
      return t("Plain http isn't allowed for this host.");
    case 'rate_limit':
    case 'overloaded':
      return t('The service is busy.');
    default:
      return t('The service failed.');
  }
}

function toRemedy(kind: ServiceErrorKind): Remedy {
  switch (kind) {
    case 'authentication':
    case 'permission':
    case 'no_credential':
      return 'key';
    case 'dns':
    case 'connection_refused':
    case 'not_found':
    case 'not_json':
    case 'mismatch':
    case 'redirect':
    case 'tls':
    case 'insecure_http':
    case 'foreign_origin':
      return 'address';
    default:
      return 'again';
  }
}

function toSentence(words: string): string {
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?)]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Describes the groups that a service has, refuses or lacks. One sentence for each of these states. */
export function describeGroups(groups: Finding['groups'], t: Translate): readonly string[] {
  const wordsOf = (wanted: GroupState) =>
    [...groups].flatMap(([group, state]) => (state === wanted ? [toGroupWords(group, t)] : [])).join(', ');
  const [served, refused, missing] = [wordsOf('served'), wordsOf('refused'), wordsOf('missing')];
  return [
    served === '' ? t('No supported features found.') : t('Supports {0}.', served),
    ...(refused === '' ? [] : [t('No access to {0}.', refused)]),
    ...(missing === '' ? [] : [t("Doesn't support {0}.", missing)]),
  ];
}

function toGroupWords(group: ResourceGroup, t: Translate): string {
  const words: Readonly<Record<ResourceGroup, string>> = {
    models: t('Models'),
    messages: t('Messages'),
    batches: t('Batches'),
    agents: t('Agents'),
    sessions: t('Sessions'),
    environments: t('Environments'),
    files: t('Files'),
    skills: t('Skills'),
    deployments: t('Deployments'),
    memoryStores: t('Memory Stores'),
    vaults: t('Vaults'),
    webhooks: t('Webhooks'),
  };
  return words[group];
}
