import { numberIn, type Scripts } from './script';

const markdown = `## What I found

The emulator answers in **Markdown**, as agents do:

1. a list with \`inline code\`,
2. a [link to the contract](https://example.com/contract), and
3. ~~nothing~~ *something* struck out.

\`\`\`ts
export function greet(name: string): string {
  return \`Hello, \${name}!\`;
}
\`\`\`

| file | lines | state |
|:-----|------:|:-----:|
| a.ts |    12 |   ok  |
| b.ts | 1,024 | check |

> A quotation, and a nested one:
>
> > "It works on my machine."

- [x] read
- [ ] write

Fermat: $a^n + b^n \\ne c^n$ for n > 2. 世界 — Ünïcödé — 🎉`;

export const answerScripts: Scripts = {
  think: {
    what: 'thinks, then answers',
    run: async line => {
      await line.request(async () => {
        await line.think();
        await line.think();
        await line.say('I thought about it twice. The answer is **42**.');
      });
    },
  },
  markdown: {
    what: 'answers with every kind of Markdown',
    run: line => line.reply(markdown),
  },
  question: {
    what: 'asks you something and waits for your next message',
    run: line => line.reply('Before I go on: should I change **only the tests**, or the sources as well?'),
  },
  long: {
    takes: 'CHARACTERS',
    what: 'a long answer, 5000 characters unless you say otherwise',
    run: (line, rest) => {
      const length = numberIn(rest, 0, 5000, 2_000_000);
      const paragraph = 'The emulator goes on and on, because it was asked to be long, and says nothing new while it does so.\n\n';
      return line.reply(paragraph.repeat(Math.ceil(length / paragraph.length)).slice(0, length));
    },
  },
  slow: {
    takes: 'SECONDS',
    what: 'works for a minute, or as long as you say: to be interrupted',
    run: async (line, rest) => {
      const seconds = numberIn(rest, 0, 60, 86_400);
      await line.request(async () => {
        const id = line.startMessage();
        for (let second = 0; second < seconds; second++) {
          await line.previewPiece(id, `${second === 0 ? 'Still working' : ' .'}`);
          await line.sleep(1000);
        }
        line.emitMessage([{ type: 'text', text: `I was busy for ${seconds} seconds.` }], id);
      });
    },
  },
};
