import { newEventId } from '../eventLog';
import { Interrupted, interruptedWords, type Line } from '../line';
import type { AgentSnapshot } from '../sessionRecord';
import { numberIn, type Script } from './script';
import { builtin, useTools } from './toolScripts';

/** Scripts that delegate work to other agents, each on a thread of its own. */
export const delegationScripts: readonly Script[] = [
  {
    word: 'delegate',
    takes: 'both|ask TASK',
    what: 'hands work to a sub-agent; with both to two at once, with ask they need your permission',
    run: async (line, { rest }) => {
      const [, modes = '', task = ''] = /^((?:(?:both|ask)\b\s*)*)([\s\S]*)$/i.exec(rest) ?? [];
      const [first, second = first] = rosterOf(line);
      const chosen = [first, ...(/both/i.test(modes) ? [second] : [])].flatMap(agent => (agent === undefined ? [] : [agent]));
      await line.reply(`I hand this to ${chosen.map(({ name }) => name).join(' and ')}.`);
      const results = await delegate(line, chosen, task || 'Look into the repository and report.', /ask/i.test(modes));
      await line.reply(`${results.map(result => `- ${result}`).join('\n')}\n\nThat is all.`);
    },
  },
  {
    word: 'workflow',
    takes: 'fail|ask AGENTS',
    what: 'runs two phases of 2 agents each, or as many as you say; with fail it fails, with ask it needs you',
    run: (line, { rest }) =>
      runWorkflow(line, { fails: /\bfail/i.test(rest), asks: /\bask\b/i.test(rest), agents: numberIn(rest, 0, 2, 500) }),
  },
];

interface Workflow {
  readonly fails: boolean;
  readonly asks: boolean;
  /** Number of agents in each phase. */
  readonly agents: number;
}

/** Runs two phases, each with agents on threads of their own. */
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

/** Lets the agents of one phase work at the same time, and waits for all. */
async function runPhase(line: Line, runId: string, { agents, asks }: Workflow): Promise<void> {
  const { turn, session } = line;
  const roster = rosterOf(line);
  await Promise.all(
    Array.from({ length: agents }, async (_, at) => {
      const agent = roster[at % roster.length] ?? line.agent;
      const thread = session.addThread(agent, runId);
      session.emit(line.thread, 'session.thread_created', {
        agent_name: agent.name,
        session_thread_id: thread.id,
        workflow_run_id: runId,
      });
      const child = turn.line(thread.id);
      turn.wake(child);
      await work(child, asks && at === 0);
      turn.rest(child, { type: 'end_turn' });
    }),
  );
}

/** Returns the agents of the roster, or two invented ones for an agent without a roster. */
function rosterOf(line: Line): readonly AgentSnapshot[] {
  const { roster, agent } = line.session.record;
  return roster.length > 0 ? roster : ['reviewer', 'tester'].map(name => ({ ...agent, id: agent.id, name, description: null }));
}

/** Starts a thread for each agent and idles meanwhile. Resolves with the report of each. */
async function delegate(parent: Line, agents: readonly AgentSnapshot[], task: string, asks: boolean): Promise<string[]> {
  const { turn, session } = parent;
  const content = [{ type: 'text', text: task }];
  const children = agents.map(agent => {
    const thread = session.addThread(agent);
    parent.emit('session.thread_created', { agent_name: agent.name, session_thread_id: thread.id });
    const child = turn.line(thread.id);
    turn.wake(child);
    parent.emit('agent.thread_message_sent', { to_agent_name: agent.name, to_session_thread_id: thread.id, content });
    child.emit('agent.thread_message_received', {
      from_agent_name: parent.agent.name,
      from_session_thread_id: parent.thread.id,
      content,
    });
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
        child.emit('agent.thread_message_sent', {
          to_agent_name: parent.agent.name,
          to_session_thread_id: parent.thread.id,
          content: [{ type: 'text', text: report }],
        });
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
      parent.emit('agent.thread_message_received', {
        from_agent_name: name,
        from_session_thread_id: child.thread.id,
        content: [{ type: 'text', text: report }],
      });
      turn.rest(child, { type: 'end_turn' });
      return report;
    }),
  );
}

async function work(child: Line, asks: boolean): Promise<void> {
  await child.request(() => child.think());
  const call = builtin('grep', { pattern: 'TODO', path: 'src' }, 'src/a.ts:12: // TODO\n', { alwaysAsks: asks });
  await useTools(child, 'I look for what is left to do.', [call]);
}
