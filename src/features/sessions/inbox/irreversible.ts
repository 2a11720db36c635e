import { isRecord } from '../../../shared/isRecord';

/** Commands that delete, publish, push or deploy. Sorts asks and guards nothing: what it misses comes later in the inbox. */
const command =
  /(?:^|[\s;&|(`])(?:rm|rmdir|unlink|shred|dd|mkfs\S*|truncate|find\s.*-delete)\s|\bgit\s+(?:.*\s)?(?:push|clean)\b|\bgit\s+reset\s+--hard|\b(?:npm|yarn|pnpm|cargo|twine|gem)\s+(?:publish|upload|push)\b|\b(?:docker|podman)\s+push\b|\b(?:kubectl|terraform|aws|gcloud|az|helm)\s.*\b(?:delete|destroy|apply|rm|terminate|uninstall)|\bdrop\s+(?:table|database)\b|\bdelete\s+from\b|-X\s*(?:DELETE|POST|PUT|PATCH)\b|\bdeploy/i;
/** Words in the name of a tool that deletes, pays, sends or publishes. */
const tool = /delete|remove|destroy|drop|push|publish|deploy|pay|charge|refund|transfer|purchase|order|send|e?mail|merge/i;
const writing = /write|edit|create|patch|replace|move|rename/i;

/** Returns whether a call can't be undone, as far as its tool and arguments tell: it deletes, pushes, pays, or writes outside the workspace. */
export function isIrreversible(name: string, argumentsText: string): boolean {
  const input = parse(argumentsText);
  if (name !== 'bash' && tool.test(name)) {
    return true;
  }
  const texts = Object.entries(isRecord(input) ? input : {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  if (texts.some(([field, text]) => /^(?:command|cmd|script|sql|query)$/.test(field) && command.test(text))) {
    return true;
  }
  return writing.test(name) && texts.some(([field, text]) => /path|file|folder|target/i.test(field) && isOutside(text));
}

/** Returns whether a path leads out of the workspace of an agent. */
function isOutside(path: string): boolean {
  return (
    path.split(/[\\/]/).includes('..') ||
    path.startsWith('~') ||
    (/^(?:\/|[A-Za-z]:)/.test(path) && !/^\/(?:workspace|tmp|mnt)\//.test(path))
  );
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The arguments were cut, so only their start is known.
    return { command: json };
  }
}
