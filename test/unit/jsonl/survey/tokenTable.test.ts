import assert from 'node:assert/strict';
import { requestOf, surveyLine } from './surveyTexts';

const options = { minimumCachedTokens: 1024 };
const base = surveyLine(requestOf('a'), options).input;

/** Returns the tokens of a text. */
function tokens(text: string) {
  const { low, likely, high } = surveyLine(requestOf(text), options).input;
  return { low: low - base.low, likely: likely - base.likely + 1, high: high - base.high + 2 };
}

const prose = `The quick brown fox jumps over the lazy dog. It was a bright cold day in spring, and the clocks were striking one. She
closed the window behind her, looked at the long letter once more, and wondered whether anybody would ever read it to the end.`;
const legal = `Notwithstanding any provision of this Agreement to the contrary, the indemnifying party shall not be responsible for any
consequential, incidental or punitive damages arising under applicable environmental legislation.`;
const code = `for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (item.value !== undefined && item.isReady) { total += item.value * 1.5; }
}`;
const random = Array.from({ length: 60 }, (_, index) => ((index + 1) * 2654435761) % 4294967296);

describe('jsonl/survey/tokenTable', () => {
  it('matches public tokenizers for many kinds of text', () => {
    /** Texts of several kinds, with the observed minimum and maximum of characters per token. */
    const rows: readonly (readonly [string, string, number, number])[] = [
      ['prose', prose, 3.3, 4.8],
      ['legal prose', legal, 3.3, 4.8],
      ['code', code, 2.2, 3.6],
      ['schema', JSON.stringify({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }), 2.1, 4],
      ['Chinese', '人工智能是计算机科学的一个分支它企图了解智能的实质', 0.63, 1.6],
      ['Japanese', '人工知能とは計算という概念と道具を用いて知能を研究する', 0.63, 1.6],
      ['Korean', '인공지능은 인간의 학습능력 추론능력을 구현하려는 분야이다', 0.8, 2.2],
      [
        'German',
        'Die Bundesregierung hat gestern beschlossen, dass die Energieversorgungsunternehmen künftig verpflichtet werden.',
        3,
        4.5,
      ],
      ['Russian', 'Свойство искусственных систем выполнять творческие функции', 1.6, 4.5],
      ['Arabic', 'هو قدرة الآلة على محاكاة العقل البشري وطريقة عمله', 1.2, 4],
      ['Hindi', 'कृत्रिम बुद्धिमत्ता कंप्यूटर विज्ञान की एक शाखा है', 0.7, 3.4],
      ['base64', Buffer.from(Uint32Array.from(random).buffer).toString('base64'), 1.2, 2.3],
      ['hex', Buffer.from(Uint32Array.from(random).buffer).toString('hex'), 1.2, 2.2],
      ['digits', '3141592653 5897932384 6264338327', 1, 2.7],
      ['emoji', '😀😃🎉🚀👍', 0.25, 1],
    ];
    for (const [name, text, most, least] of rows) {
      const { low, likely, high } = tokens(text);
      const characters = Array.from(text).length;
      assert.ok(low <= characters / least, `${name}: low ${low} > ${characters / least}`);
      assert.ok(high >= characters / most, `${name}: high ${high} < ${characters / most}`);
      assert.ok(low <= likely && likely <= high, name);
      assert.ok(high <= 9 * low, `${name}: ${low} to ${high} says nothing`);
    }
  });

  it('is near the middle of known counts for English', () => {
    const { low, likely, high } = tokens(prose);
    assert.ok(prose.length / likely > 3.9 && prose.length / likely < 4.6, `${prose.length / likely} characters a token`);
    assert.ok(prose.length / low < 6 && prose.length / high > 2.7, `${low} to ${high} for ${prose.length}`);
  });

  it('grows with long runs as tokenizers do', () => {
    for (const unit of ['a', 'A', '1', ' ', '#', 'é', '字', '😀']) {
      const short = tokens(unit.repeat(1000)).likely;
      const long = tokens(unit.repeat(10_000)).likely;
      assert.ok(long > short * 8 && long < short * 12, `${unit}: ${short} and ${long}`);
    }
  });
});
