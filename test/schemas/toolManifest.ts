import * as z from 'zod';
import type { AssistantTool } from '../../src/features/assistant/assistantTool';
import { toolLevels } from '../../src/features/assistant/toolLevel';
import { assistantTools } from '../../src/features/assistant/tools';

/** Returns `contributes.languageModelTools` of the manifest, as `npm run schemas` writes it. */
export function toolManifest(): readonly object[] {
  return assistantTools.map(tool => ({
    name: `managed-agents_${tool.name}`,
    toolReferenceName: tool.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    displayName: `%tool.${tool.name}%`,
    userDescription: `%tool.${tool.name}.user%`,
    modelDescription: tool.description,
    canBeReferencedInPrompt: true,
    icon: tool.icon,
    tags: ['managed-agents'],
    when: `isWorkspaceTrusted && config.managedAgents.ai.tools =~ /^(?:${levelsFrom(tool).join('|')})$/ && config.managedAgents.ai.through != mcp`,
    inputSchema: toInputSchema(tool),
  }));
}

function levelsFrom({ needs }: AssistantTool): readonly string[] {
  return toolLevels.slice(toolLevels.indexOf(needs));
}

function toInputSchema({ input }: AssistantTool): object {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', target: 'draft-7' });
  return schema;
}
