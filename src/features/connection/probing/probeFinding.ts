import type { ResourceGroup } from '../../../client/dialect';
import type { GroupState, ProbeResult } from '../../../client/probe';
import type { ServiceError, ServiceErrorKind } from '../../../client/transport/errors';
import type { Translate } from '../../../common/text/translate';
import type { WireFormat } from '../connectionSettings';

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

/** Result of probing a service. Contains the format to use, or the problem that prevented a result. */
export interface Finding extends Pick<ProbeResult, 'isDialectCertain' | 'groups'> {
  readonly format: WireFormat | undefined;
  readonly problem: ConnectionProblem | undefined;
}

/** Returns the finding that a service could not be probed because of a problem. */
export function foundNothing(problem: ConnectionProblem): Finding {
  return { format: undefined, isDialectCertain: false, groups: new Map(), problem };
}

export function toFinding({ auth, dialect, isDialectCertain, groups, failure }: ProbeResult, t: Translate): Finding {
  if (auth !== undefined && dialect !== undefined) {
    return { format: { auth, dialect }, isDialectCertain, groups, problem: undefined };
  }
  const nothing = t('No supported service found at this address.');
  return foundNothing(failure === undefined ? { headline: nothing, details: nothing, remedy: 'address' } : toProblem(failure, t));
}

/** Converts an error to a problem, described for a user who is setting up a connection. */
export function toProblem(error: ServiceError, t: Translate): ConnectionProblem {
  return { ...findCause(error.kind, t), details: toDetails(error, t) };
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

function findCause(kind: ServiceErrorKind, t: Translate): Pick<ConnectionProblem, 'headline' | 'remedy'> {
  const failed = t('The service failed.');
  const keyRefused = [t('The service rejected the API key.'), 'key'] as const;
  const notFound = [t('No supported service found at this address.'), 'address'] as const;
  const slow = [t("The service didn't respond in time."), 'again'] as const;
  const busy = [t('The service is busy.'), 'again'] as const;
  const causes: Partial<Record<ServiceErrorKind, readonly [headline: string, remedy: Remedy]>> = {
    authentication: keyRefused,
    permission: keyRefused,
    no_credential: [failed, 'key'],
    not_found: notFound,
    not_json: notFound,
    mismatch: notFound,
    redirect: [t('This address redirects to another one.'), 'address'],
    dns: [t('This host name has no IP address.'), 'address'],
    connection_refused: [t('No response from this host and port.'), 'address'],
    connect_timeout: slow,
    first_byte_timeout: slow,
    silence_timeout: slow,
    call_timeout: slow,
    tls: [t("This machine doesn't trust the service's certificate."), 'address'],
    proxy: [t('The proxy blocked the connection.'), 'again'],
    insecure_http: [t("Plain http isn't allowed for this host."), 'address'],
    foreign_origin: [failed, 'address'],
    rate_limit: busy,
    overloaded: busy,
  };
  const [headline, remedy] = causes[kind] ?? [failed, 'again'];
  return { headline, remedy };
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
