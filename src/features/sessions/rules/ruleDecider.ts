import type { SessionEvent } from '../../../client/events/eventLog';
import type { Sessions } from '../../../client/resources/sessions';
import type { Clock } from '../../../common/clock';
import { describeError } from '../../../common/text/describeError';
import type { Translate } from '../../../common/text/translate';
import type { SessionReference } from '../../../contributions';
import { defined } from '../../../shared/defined';
import { idOf, objectOf, textOf } from '../../../shared/session/eventFields';
import { toPrettyJson } from '../../../shared/session/rows/parts';
import { askFingerprint } from '../facts/askFingerprint';
import type { WaitingSession } from '../facts/needs';
import { openAsks } from '../facts/openAsks';
import { readAsks } from '../facts/readAsks';
import { askingThread, type SenderOptions, sendAnswer } from '../live/sessionSender';
import { type AuditedDecision, type AuditFile, askKey, type DecisionOutcome, type RuleDecision, toAuditedInput } from './auditFile';
import { decideByRules, type RuledAsk } from './decideByRules';
import { staysInFolder } from './folderPaths';
import type { ApprovalRule, RuleFiles } from './ruleFiles';

interface RuleDeciderOptions {
  readonly rules: Pick<RuleFiles, 'read'>;
  readonly audit: Pick<AuditFile, 'claim' | 'decided' | 'ended'>;
  readonly waiting: () => readonly Pick<WaitingSession, 'connection' | 'sessionId' | 'asks'>[];
  readonly isTrusted: () => boolean;
  /** Returns the address of a connection. `undefined` if the connection is gone or can't be reached now. */
  readonly serviceOf: (connection: string) => string | undefined;
  readonly sessions: (connection: string) => Promise<Sessions>;
  readonly clock: Clock;
  readonly t: Translate;
  readonly lifetime: AbortSignal;
  readonly onDecided: (decision: AuditedDecision) => void;
  readonly onDecidedElsewhere: () => void;
  /** Called if rules can't decide because the disk fails or a file is damaged. */
  readonly onTrouble: (problem: string) => void;
  readonly warn: (message: string) => void;
  readonly pause?: SenderOptions['pause'];
}

/** Validity of data read from a session, in milliseconds. If the process was suspended for longer, nothing is decided. */
const freshFor = 10_000;
/** Delay before an ask that could not be checked is checked again, in milliseconds. */
const retryAfter = 15_000;

/** Current state of an ask in the service's log, with the data to answer it. */
interface FoundAsk {
  readonly ask: RuledAsk;
  /** Name of the agent that asks, or its ID. */
  readonly agentName: string;
  readonly fingerprint: string;
  readonly thread: Parameters<typeof sendAnswer>[1];
  readonly isOld: (eventId: string) => boolean;
}

/**
 * Approves or denies asks by the rules of this machine. It trusts no copy of an ask. It reads the service's log, claims the ask for this
 * process and records the decision. Then it checks the rule once more, and only then sends the answer, once. If any step fails, the ask
 * waits for the user.
 */
export class RuleDecider {
  private last: Promise<void> = Promise.resolve();
  /** Time of the next check of each ask, in monotonic milliseconds. Infinity if no check is needed. */
  private readonly checked = new Map<string, number>();

  constructor(private readonly options: RuleDeciderOptions) {}

  /** Checks the open asks of a session, once each. Settles when all decisions are made. Never rejects. */
  consider(reference: SessionReference, events: readonly string[]): Promise<void> {
    const now = this.options.clock.monotonic();
    const fresh = events.filter(event => (this.checked.get(askKey(reference, event)) ?? Number.NEGATIVE_INFINITY) <= now);
    if (fresh.length === 0 || !this.options.isTrusted()) {
      return this.last;
    }
    for (const event of fresh) {
      this.checked.set(askKey(reference, event), Number.POSITIVE_INFINITY);
    }
    // Sequential, so that a burst of asks does not become a burst of requests.
    this.last = this.last.then(async () => {
      for (const event of fresh) {
        await this.decide(reference, event).catch(error => {
          this.checked.set(askKey(reference, event), this.options.clock.monotonic() + retryAfter);
          this.options.warn(`No rule was asked about ${event} in session ${reference.sessionId}: ${describeError(error)}`);
        });
      }
    });
    return this.last;
  }

  considerAll(): Promise<void> {
    for (const { connection, sessionId, asks } of this.options.waiting()) {
      const events = asks.filter(({ kind }) => kind === 'confirmation').map(({ eventId }) => eventId);
      void this.consider({ connection, sessionId }, events);
    }
    return this.last;
  }

  rulesChanged(): Promise<void> {
    this.checked.clear();
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
    const { tool, server, input } = found.ask;
    const decision: RuleDecision = {
      ...{ ...reference, at: new Date(clock.now()).toISOString(), event, tool, ...defined({ server }), input: toAuditedInput(input) },
      ...{ fingerprint: found.fingerprint, rule: rule.id, ruleName: rule.name, result: rule.result },
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
      return await this.end(decision, { name: 'notSent', problem: t('Not sent: the session has changed.') });
    }
    await this.end(decision, await this.send(sessions, decision, found));
  }

  /** Returns the active rules for a connection. Returns none while the file of any rule is unreadable, because that rule may deny. */
  private async rulesFor({ connection }: SessionReference, service: string | undefined): Promise<readonly ApprovalRule[]> {
    const { rules, damaged } = await this.options.rules.read();
    const own = rules.filter(rule => rule.isOn && rule.connection === connection && rule.service === service);
    if (own.length > 0 && damaged.length > 0) {
      this.options.onTrouble(this.options.t('Rules are off: delete or fix {0}.', damaged.join(', ')));
      return [];
    }
    return own;
  }

  private async send(
    sessions: Sessions,
    { sessionId, event, result, ruleName }: RuleDecision,
    { thread, isOld }: FoundAsk,
  ): Promise<Ended> {
    const { lifetime, t, pause } = this.options;
    const reason = `Denied by a rule of the person who looks after this session: ${ruleName}`;
    const denial = result === 'deny' ? { deny_message: reason } : {};
    return await sendAnswer(
      { type: 'user.tool_confirmation', tool_use_id: event, result, ...denial },
      thread,
      { sessionId, sessions: async () => sessions, isOld, t, ...(pause && { pause }) },
      lifetime,
    ).catch((error: unknown): Ended => ({ name: 'unknown', problem: describeError(error) }));
  }

  private async end(decision: RuleDecision, { name, problem }: Ended): Promise<void> {
    const { audit, clock, onDecided, onTrouble, t } = this.options;
    onDecided({ ...decision, outcome: name, ...(problem !== undefined && { problem }) });
    try {
      await audit.ended(decision, new Date(clock.now()).toISOString(), name, problem);
    } catch (error) {
      onTrouble(t('Couldn\'t record a decision of the rule "{0}". {1}', decision.ruleName, describeError(error)));
    }
  }

  /** Starts a stopwatch. The result returns whether at most `freshFor` has passed, by both the wall clock and the monotonic clock. */
  private stopwatch(): () => boolean {
    const { clock } = this.options;
    const [now, monotonic] = [clock.now(), clock.monotonic()];
    return () => Math.max(clock.now() - now, clock.monotonic() - monotonic) <= freshFor;
  }
}

type Ended = { readonly name: DecisionOutcome; readonly problem?: string };

/** Returns the first rule that decides and whose paths stay in their folders even through links. */
async function ruleFor(rules: readonly ApprovalRule[], ask: RuledAsk): Promise<ApprovalRule | undefined> {
  for (const { rule, paths } of decideByRules(rules, ask) ?? []) {
    const stays = await Promise.all(paths.map(({ path, folder }) => staysInFolder(path, folder)));
    if (stays.every(each => each)) {
      return rule;
    }
  }
  return undefined;
}

/** Reads an ask from the service. Returns `undefined` if the ask no longer waits or is incomplete. */
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
    ask,
    agentName: textOf(asking?.name) ?? agent ?? '',
    fingerprint: askFingerprint(tool, server, toPrettyJson(call.input)),
    thread,
    isOld: id => ids.has(id),
  };
}

/** Returns whether an event is a call with a consistent tool. Only calls of an MCP tool name a server. */
function isCall(event: SessionEvent): boolean {
  const isOfServer = textOf(event.mcp_server_name) !== undefined;
  return (event.type === 'agent.tool_use' && !isOfServer) || (event.type === 'agent.mcp_tool_use' && isOfServer);
}
