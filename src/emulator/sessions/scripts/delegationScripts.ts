import { newEventId } from '../eventLog';
import { Interrupted, interruptedWords, type Line } from '../line';
import type { AgentSnapshot } from '../sessionRecord';
import { numberIn, type Scripts } from './script';
import { builtin, useTools } from './toolScripts';

export const delegationScripts: Scripts = {
  delegate: {
    takes: 'both|ask TASK',
    what: 'hands work to a sub-agent; with both to two at once, with ask they need your permission',
    run: async (line, rest) => {
      const [, modes = '', task = ''] = /^((?:(?:both|ask)\b\s*)*)([\s\S]*)$/i.exec(rest) ?? [];
      const [first, second = first] = rosterOf(line);
      const chosen = [first, ...(/both/i.test(modes) ? [second] : [])].flatMap(agent => (agent === undefined ? [] : [agent]));
      await line.reply(`I hand this to ${chosen.map(({ name }) => name).join(' and ')}.`);
      const results = await delegate(line, chosen, task || 'Look into the repository and report.', /ask/i.test(modes));
      await line.reply(`${results.map(result => `- ${result}`).join('\n')}\n\nThat is all.`);
    },
  },
  workflow: {
    takes: 'fail|ask AGENTS',
    what: 'runs two phases of 2 agents each, or as many as you say; with fail it fails, with ask it needs you',
    run: (line, rest) => runWorkflow(line, { fails: /\bfail/i.test(rest), asks: /\bask\b/i.test(rest), agents: numberIn(rest, 0, 2, 500) }),
  },
};

interface Workflow {
  readonly fails: boolean;
  readonly asks: boolean;
  /** Number of agents in each phase. */
  readonly agents: number;
}

async function runWorkflow(line: Line, workflow: Workflow): Promise<void> {
  const run = { workflow_run_id: newEventId().replace('sevt', 'wrun') };
  const phases = ['Build', 'Test'].map((name, at) => ({ id: `${run.workflow_run_id}_${at}`, name, description: null }));
  const emit = (type: string, fields: object) => line.session.emit(line.thread, type, { ...run, ...fields }).id;
  emit('workflow_run.created', { name: 'nightly', description: 'Builds and tests.', phases });
  emit('workflow_run.status_running', {});
  try {
    for (const { id, name } of phases) {
      const started = emit('workflow_run.phase_started', { workflow_run_phase_id: id });
      await line.pause();
      await runPhase(line, run.workflow_run_id, workflow);
      const fails = workflow.fails && name === 'Test';
      if (fails) {
        emit('workflow_run.error', { error: timeOut });
      }
      emit('workflow_run.phase_ended', { workflow_run_phase_id: id, phase_started_id: started });
      if (name === 'Build') {
        emit('workflow_run.status_idle', {});
        emit('workflow_run.status_running', {});
      }
    }
  } catch (error) {
    if (error instanceof Interrupted) {
      emit('workflow_run.status_ended', { result: { type: 'stopped' } });
    }
    throw error;
  }
  emit('workflow_run.status_ended', { result: workflow.fails ? { type: 'error', error: timeOut } : { type: 'completed' } });
  await line.reply(workflow.fails ? 'The workflow failed.' : 'The workflow is complete.');
}

const timeOut = { type: 'timeout_error', message: 'The phase took too long.' };

async function runPhase(line: Line, runId: string, { agents, asks }: Workflow): Promise<void> {
  const roster = rosterOf(line);
  await Promise.all(
    Array.from({ length: agents }, async (_, at) => {
      const child = startThread(line, roster[at % roster.length] ?? line.agent, runId);
      await work(child, asks && at === 0);
      line.turn.rest(child, { type: 'end_turn' });
    }),
  );
}

function startThread(parent: Line, agent: AgentSnapshot, runId?: string): Line {
  const { id } = parent.session.addThread(agent, runId);
  const run = runId === undefined ? {} : { workflow_run_id: runId };
  parent.emit('session.thread_created', { agent_name: agent.name, session_thread_id: id, ...run });
  const child = parent.turn.line(id);
  parent.turn.wake(child);
  return child;
}

/** Returns the agents of the roster, or two invented agents for an agent without a roster. */
function rosterOf(line: Line): readonly AgentSnapshot[] {
  const { roster, agent } = line.session.record;
  return roster.length > 0 ? roster : ['reviewer', 'tester'].map(name => ({ ...agent, id: agent.id, name, description: null }));
}

/** Starts a thread for each agent and idles until all have ended. Resolves with the report of each agent. */
async function delegate(parent: Line, agents: readonly AgentSnapshot[], task: string, asks: boolean): Promise<string[]> {
  const { turn } = parent;
  const children = agents.map(agent => {
    const child = startThread(parent, agent);
    emitThreadMessage(parent, 'sent', child, task);
    emitThreadMessage(child, 'received', parent, task);
    return child;
  });
  turn.rest(parent, { type: 'end_turn' });
  let runningCount = children.length;
  return Promise.all(
    children.map(async child => {
      const { name } = child.agent;
      let report = `${name}: done, nothing amiss.`;
      try {
        await work(child, asks);
        emitThreadMessage(child, 'sent', parent, report);
      } catch (error) {
        parent.throwIfStopped();
        if (!(error instanceof Interrupted)) {
          throw error;
        }
        report = `${name}: interrupted.`;
        turn.close(child, interruptedWords);
      }
      runningCount--;
      if (runningCount === 0) {
        turn.wake(parent);
      }
      emitThreadMessage(parent, 'received', child, report);
      turn.rest(child, { type: 'end_turn' });
      return report;
    }),
  );
}

function emitThreadMessage(line: Line, what: 'sent' | 'received', other: Line, text: string): void {
  const end = what === 'sent' ? 'to' : 'from';
  const named = { [`${end}_agent_name`]: other.agent.name, [`${end}_session_thread_id`]: other.thread.id };
  line.emit(`agent.thread_message_${what}`, { ...named, content: [{ type: 'text', text }] });
}

async function work(child: Line, asks: boolean): Promise<void> {
  await child.request(() => child.think());
  const call = builtin('grep', { pattern: 'TODO', path: 'src' }, 'src/a.ts:12: // TODO\n', { alwaysAsks: asks });
  await useTools(child, 'I look for what is left to do.', [call]);
}
