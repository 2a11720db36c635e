/**
 * Tokenizer that estimates are measured against. Uses byte-pair encoding (Sennrich, Haddow and Birch, 2016), trained on the given texts.
 * Splits a text into words as GPT-2 does.
 */
export class BytePairs {
  private readonly ranks = new Map<string, number>();
  private readonly counts = new Map<string, number>();

  constructor(texts: readonly string[], merges: number) {
    const words = new Map<string, number>();
    for (const text of texts) {
      for (const word of wordsOf(text)) {
        words.set(word, (words.get(word) ?? 0) + 1);
      }
    }
    const parts = [...words].map(([word, count]) => ({ pieces: piecesOf(word), count }));
    for (let rank = 0; rank < merges; rank++) {
      const pairs = new Map<string, number>();
      for (const { pieces, count } of parts) {
        for (let at = 1; at < pieces.length; at++) {
          const pair = `${pieces[at - 1]} ${pieces[at]}`;
          pairs.set(pair, (pairs.get(pair) ?? 0) + count);
        }
      }
      const [best] = [...pairs].reduce((most, pair) => (pair[1] > most[1] ? pair : most), ['', 1]);
      if (best === '') {
        break;
      }
      this.ranks.set(best, rank);
      for (const part of parts) {
        part.pieces = merged(part.pieces, best);
      }
    }
  }

  /** Returns the number of tokens of a text. */
  count(text: string): number {
    return wordsOf(text).reduce((sum, word) => sum + this.countWord(word), 0);
  }

  private countWord(word: string): number {
    let count = this.counts.get(word);
    if (count === undefined) {
      let pieces = piecesOf(word);
      for (;;) {
        let best: string | undefined;
        for (let at = 1; at < pieces.length; at++) {
          const pair = `${pieces[at - 1]} ${pieces[at]}`;
          const rank = this.ranks.get(pair);
          if (rank !== undefined && (best === undefined || rank < (this.ranks.get(best) ?? 0))) {
            best = pair;
          }
        }
        if (best === undefined) {
          break;
        }
        pieces = merged(pieces, best);
      }
      count = pieces.length;
      this.counts.set(word, count);
    }
    return count;
  }
}

const wordPattern = /'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

function wordsOf(text: string): readonly string[] {
  return text.match(wordPattern) ?? [];
}

function piecesOf(word: string): readonly string[] {
  return Array.from(Buffer.from(word), byte => byte.toString(16).padStart(2, '0'));
}

function merged(pieces: readonly string[], pair: string): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < pieces.length; at++) {
    if (at + 1 < pieces.length && `${pieces[at]} ${pieces[at + 1]}` === pair) {
      found.push(`${pieces[at]}${pieces[++at]}`);
    } else {
      found.push(pieces[at] as string);
    }
  }
  return found;
}
