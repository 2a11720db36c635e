import * as z from 'zod';
import { ServiceError } from '../../../client/transport/errors';
import { orAborted } from '../../../shared/orAborted';
import { defineTool, type ToolResult, ToolRefusal } from '../assistantTool';
import { connectionField, sessionField } from '../toolFields';

const input = z.strictObject({
  session: sessionField,
  connection: connectionField,
  text: z
    .string()
    .trim()
    .min(1)
    .max(4_000)
    // A system dialog can't show more lines, so the user would approve the rest unseen.
    .refine(text => text.split('\n').length <= 40, 'at most 40 lines')
    .describe('The message, as the person is to see it and the agent to read it.'),
});

export const sendMessageTool = defineTool({
  name: 'send_message',
  needs: 'full',
  icon: '$(send)',
  description:
    'Sends one message of the user to a managed-agent session, which makes the agent work and costs money. A dialog of the extension always asks the person first, with the whole text, whatever was approved elsewhere. Use it only when the user asks to say something to a session. It does not approve or deny tools: people do that (show brings them there).',
  input,
  acts: true,
  question: ({ session, text }, translate) => ({
    title: translate('Send Message to Session'),
    message: translate('Send to the session {0}: {1}', session, text),
  }),
  async run({ session: id, connection, text }, services, signal): Promise<ToolResult> {
    const reached = await services.reach(connection);
    const { name } = reached.connection;
    const { data: session } = await reached.client.sessions.retrieve(id, { signal });
    if (session.archived_at || session.status === 'terminated') {
      throw new ToolRefusal(
        `The session ${id} is ${session.archived_at ? 'archived' : 'terminated'} and takes no messages. Nothing was sent.`,
      );
    }
    const question = {
      ...{ connection: name, sessionId: id, title: session.title ?? '', agent: session.agent?.name ?? session.agent?.id ?? '' },
      ...{ usage: session.usage ?? {}, text },
    };
    // Nothing is sent if the call was cancelled, or the tool turned off, while the dialog was open.
    if (!(await orAborted(services.askMessage(question, signal), signal))) {
      throw new ToolRefusal('The person did not agree, so nothing was sent. Do not ask again unless they say so.');
    }
    if (services.level() !== 'full') {
      throw new ToolRefusal('The person switched send_message off meanwhile, so nothing was sent. Go on without it.');
    }
    try {
      await services.sendMessage({ connection: name, sessionId: id }, text, signal);
    } catch (error) {
      if (error instanceof ServiceError && error.outcome === 'unknown') {
        throw new ToolRefusal(
          `It is not known whether the message arrived. Do not send it again; look with read_session first. ${error.message}`,
        );
      }
      throw error;
    }
    return { facts: { sent: true, session: id, advice: 'The agent works now. read_session with newestFirst tells what it says.' } };
  },
});
