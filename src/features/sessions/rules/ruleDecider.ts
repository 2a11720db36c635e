import type { SessionEvent } from '../../../client/schemas/sessionEvents';
import type { Sessions } from '../../../client/serviceClient';
import type { Clock } from '../../../common/clock';
import { describeError } from '../../../common/text/describeError';
import type { Translate } from '../../../common/text/translate';
import type { SessionReference } from '../../../contributions';
import { askFingerprint } from '../../../shared/session/askFingerprint';
import { idOf, objectOf, textOf } from '../../../shared/session/eventFields';
import { toPrettyJson } from '../../../shared/session/rows/parts';
import { askingThread } from '../asks/askingThread';
import type { WaitingSession } from '../facts/needs';
import { openAsks } from '../facts/openAsks';
import { readAsks } from '../facts/readAsks';
import type { OwnEvent } from '../panel/live/ownEvent';
import { type SenderOptions, type SendOutcome, sendAnswer } from '../panel/live/sessionSender';
import type { ApprovalRule } from './approvalRule';
import { type AuditedDecision, type AuditFile, askKey, type RuleDecision, toAuditedInput } from './auditFile';
import { decideByRules, type RuledAsk } from './decideByRules';
import { staysInFolder } from './folderPaths';
import type { RuleFiles } from './ruleFiles';

export interface RuleDeciderOptions {
  readonly rules: Pick<RuleFiles, 'read'>;
  readonly audit: Pick<AuditFile, 'claim' | 'decided' | 'ended'>;
  /** Returns the sessions with open asks. */
  readonly waiting: () => readonly Pick<WaitingSession, 'connection' | 'sessionId' | 'asks'>[];
  /** Whether the workspace is trusted; from any other nothing is decided. */
  readonly isTrusted: () => boolean;
  /** Where a connection leads; undefined when it is gone, or its service cannot be asked now. */
  readonly serviceOf: (connection: string) => string | undefined;
  /** The sessions of a connection, to change something there. */
  readonly sessions: (connection: string) => Promise<Sessions>;
  readonly clock: Clock;
  readonly t: Translate;
  /** Aborts when the extension ends. */
  readonly lifetime: AbortSignal;
  /** A decision was written down, or what became of it. */
  readonly onDecided: (decision: AuditedDecision) => void;
  /** Another window has this ask. */
  readonly onDecidedElsewhere: () => void;
  /** Something keeps rules from deciding: a disk that fails, files that are damaged. */
  readonly onTrouble: (problem: string) => void;
  readonly warn: (message: string) => void;
  readonly pause?: SenderOptions['pause'];
}

/** Milliseconds for which what was read of a session counts: whoever stood still for longer decides nothing. */
const freshFor = 10_000;
/** Milliseconds after which an ask is looked at again that could not be. */
const retryAfter = 15_000;

/** An ask as the log of the service has it now, and what is needed to answer it. */
export interface FoundAsk {
  readonly event: string;
  readonly ask: RuledAsk;
  /** Name of the agent that asks, or its id. */
  readonly agentName: string;
  readonly fingerprint: string;
  readonly thread: Parameters<typeof sendAnswer>[1];
  readonly isOld: (eventId: string) => boolean;
}

/**
 * Answers asks by the rules of this machine. It believes nobody what an ask is: it reads the log of the service, takes the ask for this process
 * alone, writes the decision down, looks once more whether the rule still says so, and only then sends, once. Whatever fails on the way, the ask
 * waits for the user.
 */
export class RuleDecider {
  private last: Promise<void> = Promise.resolve();
  /** Asks that were looked at, and when they may be again where that failed. */
  private readonly looked = new Map<string, number>();

  constructor(private readonly options: RuleDeciderOptions) {}

  /** Looks at what waits in a session, once each. Settles when all that was to be decided is; never rejects. */
  consider(reference: SessionReference, events: readonly string[]): Promise<void> {
    const now = this.options.clock.monotonic();
    const fresh = events.filter(event => (this.looked.get(askKey(reference, event)) ?? Number.NEGATIVE_INFINITY) <= now);
    if (fresh.length === 0 || !this.options.isTrusted()) {
      return this.last;
    }
    for (const event of fresh) {
      this.looked.set(askKey(reference, event), Number.POSITIVE_INFINITY);
    }
    // One after the other: a burst of asks is no burst of requests.
    this.last = this.last.then(async () => {
      for (const event of fresh) {
        await this.decide(reference, event).catch(error => {
          this.looked.set(askKey(reference, event), this.options.clock.monotonic() + retryAfter);
          this.options.warn(`No rule was asked about ${event} in session ${reference.sessionId}: ${describeError(error)}`);
        });
      }
    });
    return this.last;
  }

  /** Checks each open ask once. Settles as `consider` does. */
  considerAll(): Promise<void> {
    for (const { connection, sessionId, asks } of this.options.waiting()) {
      const events = asks.filter(({ kind }) => kind === 'confirmation').map(({ eventId }) => eventId);
      void this.consider({ connection, sessionId }, events);
    }
    return this.last;
  }

  /** Checks all open asks again, by the changed rules. Settles as `consider` does. */
  rulesChanged(): Promise<void> {
    this.looked.clear();
    return this.considerAll();
  }

  private async decide(reference: SessionReference, event: string): Promise<void> {
    const { isTrusted, serviceOf, lifetime, clock, audit, onDecided, onDecidedElsewhere, onTrouble, t } = this.options;
    const service = serviceOf(reference.connection);
    const rules = await this.rulesFor(reference, service);
    if (service === undefined || rules.length === 0 || !isTrusted() || lifetime.aborted) {
      return;
    }
    const isFresh = this.stopwatch();
    const sessions = await this.options.sessions(reference.connection);
    const found = await findAsk(sessions, { ...reference, service, event }, lifetime);
    const rule = found && (await ruleFor(rules, found.ask));
    if (found === undefined || rule === undefined) {
      return;
    }
    const decision: RuleDecision = {
      ...reference,
      at: new Date(clock.now()).toISOString(),
      event,
      tool: found.ask.tool,
      ...(found.ask.server !== undefined && { server: found.ask.server }),
      input: toAuditedInput(found.ask.input),
      fingerprint: found.fingerprint,
      rule: rule.id,
      ruleName: rule.name,
      result: rule.result,
    };
    try {
      if (!(await audit.claim(reference, event))) {
        onDecidedElsewhere();
        return;
      }
      await audit.decided(decision);
    } catch (error) {
      onTrouble(t('Rules are off: {0}', describeError(error)));
      return;
    }
    onDecided(decision);
    const again = await ruleFor(await this.rulesFor(reference, serviceOf(reference.connection)), found.ask).catch(() => undefined);
    if (again?.id !== rule.id || !isFresh() || !isTrusted() || lifetime.aborted) {
      await this.end(decision, {
        name: 'notSent',
        problem: t('It was not sent: the session has changed.'),
      });
      return;
    }
    await this.end(decision, await this.send(sessions, reference, found, rule));
  }

  /** The rules that are on for a connection; none while a file of a rule cannot be read: it may be one that denies. */
  private async rulesFor({ connection }: SessionReference, service: string | undefined): Promise<readonly ApprovalRule[]> {
    const { rules, damaged } = await this.options.rules.read();
    const own = rules.filter(rule => rule.isOn && rule.connection === connection && rule.service === service);
    if (own.length > 0 && damaged.length > 0) {
      this.options.onTrouble(this.options.t('Rules are off: delete or fix {0}.', damaged.join(', ')));
      return [];
    }
    return own;
  }

  private async send(sessions: Sessions, { sessionId }: SessionReference, found: FoundAsk, rule: ApprovalRule): Promise<Ended> {
    const { lifetime, t, pause } = this.options;
    const event = toAnswer(found, rule);
    const outcome: SendOutcome | Ended = await sendAnswer(
      event,
      found.thread,
      { sessionId, sessions: async () => sessions, isOld: found.isOld, t, ...(pause && { pause }) },
      lifetime,
    ).catch((error: unknown): Ended => ({ name: 'unknown', problem: describeError(error) }));
    return outcome.name === 'stored' ? { name: 'stored' } : { name: outcome.name, problem: outcome.problem };
  }

  /** Writes down what became of a decision. The decision itself is on the disk already. */
  private async end(decision: RuleDecision, { name, problem }: Ended): Promise<void> {
    const { audit, clock, onDecided, onTrouble, t } = this.options;
    onDecided({ ...decision, outcome: name, ...(problem !== undefined && { problem }) });
    try {
      await audit.ended(decision, new Date(clock.now()).toISOString(), name, problem);
    } catch (error) {
      onTrouble(t('A decision of the rule "{0}" couldn\'t be recorded. {1}', decision.ruleName, describeError(error)));
    }
  }

  /** Answers whether little time has passed since now, by a clock that can be set and by one that cannot. */
  private stopwatch(): () => boolean {
    const { clock } = this.options;
    const [now, monotonic] = [clock.now(), clock.monotonic()];
    return () => Math.max(clock.now() - now, clock.monotonic() - monotonic) <= freshFor;
  }
}

type Ended =
  | { readonly name: 'stored'; readonly problem?: undefined }
  | { readonly name: 'refused' | 'unknown' | 'notSent'; readonly problem: string };

/** The first rule that decides, whose paths no link of this machine leads out of their folders. */
async function ruleFor(rules: readonly ApprovalRule[], ask: RuledAsk): Promise<ApprovalRule | undefined> {
  const matched = decideByRules(rules, ask);
  for (const { rule, paths } of matched.decides ? matched.rules : []) {
    const stays = await Promise.all(paths.map(({ path, folder }) => staysInFolder(path, folder)));
    if (stays.every(each => each)) {
      return rule;
    }
  }
  return undefined;
}

function toAnswer({ event }: FoundAsk, { result, name }: ApprovalRule): Extract<OwnEvent, { type: 'user.tool_confirmation' }> {
  const reason = `Denied by a rule of the person who looks after this session: ${name}`;
  return { type: 'user.tool_confirmation', tool_use_id: event, result, ...(result === 'deny' && { deny_message: reason }) };
}

/** Reads an ask from the service; undefined when it no longer waits, or is not all there. */
export async function findAsk(
  sessions: Sessions,
  { connection, service, sessionId, event }: SessionReference & { readonly service: string; readonly event: string },
  signal: AbortSignal,
): Promise<FoundAsk | undefined> {
  const { events } = await readAsks(sessions, sessionId, signal);
  const isOpen = openAsks(events).some(({ eventId, kind }) => eventId === event && kind === 'confirmation');
  const calls = events.filter(candidate => idOf(candidate) === event);
  const [call] = calls;
  if (!isOpen || call === undefined || calls.length > 1 || !isCall(call)) {
    return undefined;
  }
  const { data: session } = await sessions.retrieve(sessionId, { signal });
  const thread = await askingThread(sessions, sessionId, call, signal);
  const asking = objectOf(thread.isNamed ? thread.thread?.agent : session.agent);
  const agent = textOf(asking?.id);
  const server = textOf(call.mcp_server_name);
  const tool = textOf(call.name) ?? '';
  const ask = { connection, service, session: sessionId, agent, tool, server, input: call.input };
  const ids = new Set(events.map(({ id }) => id));
  return {
    event,
    ask,
    agentName: textOf(asking?.name) ?? agent ?? '',
    fingerprint: askFingerprint(tool, server, toPrettyJson(call.input)),
    thread,
    isOld: id => ids.has(id),
  };
}

/** Whether an event is a call that says which tool it is about: one of a server names it. */
function isCall(event: SessionEvent): boolean {
  const isOfServer = textOf(event.mcp_server_name) !== undefined;
  return (event.type === 'agent.tool_use' && !isOfServer) || (event.type === 'agent.mcp_tool_use' && isOfServer);
}
