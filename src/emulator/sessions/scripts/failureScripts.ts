import { type Line, TurnEnd } from '../line';
import { numberIn, type Scripts } from './script';

type Retry = 'retrying' | 'exhausted' | 'terminal';

function emitError(line: Line, type: string, message: string, retry: Retry, more: object = {}): void {
  line.emit('session.error', { error: { type, message, retry_status: { type: retry }, ...more } });
}

export const failureScripts: Scripts = {
  retry: {
    what: 'the model is overloaded, the session is rescheduled and then answers',
    run: async line => {
      await line.failedRequest();
      emitError(line, 'model_overloaded_error', 'The model is overloaded. The request is tried again.', 'retrying');
      await line.reschedule();
      await line.reply('It worked the second time.');
    },
  },
  fail: {
    what: 'the model fails for good: the session is idle with retries_exhausted',
    run: async line => {
      await line.failedRequest(() => line.previewPiece(line.startMessage(), 'This message will never be fin'));
      emitError(line, 'model_request_failed_error', 'The model request failed after 3 attempts.', 'exhausted');
      throw new TurnEnd('retries_exhausted');
    },
  },
  limited: {
    what: 'the model refuses because of its rate limit, then an MCP server cannot be reached',
    run: async line => {
      await line.failedRequest();
      emitError(line, 'model_rate_limited_error', 'Too many requests to the model. Waiting for 2 seconds.', 'retrying');
      await line.reschedule();
      const server = line.agent.mcp_servers[0]?.name ?? 'issues';
      emitError(line, 'mcp_connection_failed_error', `The MCP server ${server} did not answer.`, 'retrying', { mcp_server_name: server });
      await line.reply('I go on without the MCP server.');
    },
  },
  locked: {
    what: 'an MCP server of the agent refuses the credential it was given, or wants one',
    run: async line => {
      const server = line.agent.mcp_servers[0]?.name ?? 'issues';
      emitError(line, 'mcp_authentication_failed_error', `The MCP server ${server} did not accept the credential.`, 'exhausted', {
        mcp_server_name: server,
      });
      await line.reply('I go on without the MCP server.');
    },
  },
  refuse: {
    what: 'the model refuses: newer services say so where the turn stops, older ones end it without an answer',
    run: async line => {
      await line.request(async () => {});
      if (line.session.parts.dialect === 'anthropic-2026') {
        throw new TurnEnd('refusal');
      }
    },
  },
  terminate: {
    what: 'the session ends in an error that nothing can follow',
    run: async line => {
      await line.reply('Something is very wrong.');
      emitError(line, 'billing_error', 'The workspace has no credit left.', 'terminal');
      throw new TurnEnd('terminated');
    },
  },
  spend: {
    takes: 'CENTS',
    what: 'costs 40 cents, or what you say: for a session with a budget',
    run: async (line, rest) => {
      const cents = numberIn(rest, 0, 40, 1_000_000);
      await line.reply(`This answer costs ${cents} cents.`, cents);
      await line.reply('There was still something left of the budget.');
    },
  },
};
