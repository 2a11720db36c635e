/** The file that makes a folder a skill. In capitals (API facts, section 13). */
export const manifestName = 'SKILL.md';

/** What a skill may have at most: characters of its name, its description and its title, and bytes of all its files together. */
export const skillLimits = { name: 64, description: 1024, title: 255, packageBytes: 8 * 1024 * 1024 } as const;
