import * as vscode from 'vscode';

// Packaging writes it in small letters.
const names = ['README.md', 'readme.md'];

/** Links from rules to their rows in the README that comes with the extension. */
export class RuleLinks {
  private readonly links = new Map<string, vscode.Uri>();

  constructor(private readonly extension: vscode.Uri) {}

  /** Reads the README. Rejects when there is none. */
  async load(): Promise<void> {
    const { uri, text } = await Promise.any(
      names.map(async name => {
        const uri = vscode.Uri.joinPath(this.extension, name);
        return { uri, text: new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)) };
      }),
    );
    for (const [line, content] of text.split('\n').entries()) {
      const rule = /^\| `([a-z0-9-]+)` \| (?:error|warning|information|hint) \|/.exec(content)?.[1];
      if (rule !== undefined) {
        this.links.set(rule, uri.with({ fragment: `L${line + 1}` }));
      }
    }
  }

  /** The row of a rule, once the README was read. */
  of(rule: string): vscode.Uri | undefined {
    return this.links.get(rule);
  }
}
