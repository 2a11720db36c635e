import type { Agent } from '../../client/schemas/agents';
import { escapeMarkdown } from '../../common/text/escapeMarkdown';
import { describeTime, type PresentationContext } from '../../common/text/presentation';
import { agentName, modelOf } from './agentPresentation';

/** What stands in the hover of an agent: Markdown without links or HTML. */
export function toAgentHover(agent: Agent, connection: string, context: PresentationContext): string {
  const { translate } = context;
  const line = (name: string, value: string) => (value === '' ? [] : [`${escapeMarkdown(name)}: ${escapeMarkdown(value)}`]);
  const lines = [
    ...line(translate('Id'), agent.id),
    ...line(translate('Version'), agent.version === undefined || agent.version === null ? '' : String(agent.version)),
    ...line(translate('Model'), modelOf(agent)),
    ...line(translate('Tools'), toolsOf(agent)),
    ...line(translate('Updated'), describeTime(agent.updated_at, context)),
    ...line(translate('Archived'), agent.archived_at ? describeTime(agent.archived_at, context) : ''),
    ...line(translate('Connection'), connection),
  ];
  const description = agent.description ? [escapeMarkdown(agent.description.slice(0, 500))] : [];
  return [`**${escapeMarkdown(agentName(agent))}**`, ...description, lines.join('  \n')].join('\n\n');
}

function toolsOf({ tools }: Agent): string {
  return (tools ?? []).map(({ type, name, mcp_server_name }) => name ?? mcp_server_name ?? type).join(', ');
}
