/** Name of the file that makes a folder a skill. Case-sensitive (API facts, section 13). */
export const manifestName = 'SKILL.md';

/** Limits of a skill: characters of its name, description and title, and the total bytes of its files. */
export const skillLimits = { name: 64, description: 1024, title: 255, packageBytes: 8 * 1024 * 1024 } as const;
