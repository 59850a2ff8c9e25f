import { checkCaption, composeCaption, normaliseHashtag, reviewWritten } from './caption-policy';
import {
  countMentions,
  firstInvisible,
  foldText,
  hasPlaceholder,
  isSensitive,
  mayContainAddress,
  mayContainContact,
  mayContainWallet,
  mayPromote,
  mentionsModel,
  withoutInvisible,
} from './text-patterns';

const SCANS: Readonly<Record<string, (text: string) => unknown>> = {
  countMentions,
  firstInvisible,
  foldText,
  hasPlaceholder,
  isSensitive,
  mayContainAddress,
  mayContainContact,
  mayContainWallet,
  mayPromote,
  mentionsModel,
  withoutInvisible,
  normaliseHashtag,
};

/** Texts that begin what a pattern looks for again and again and never complete it. */
const HOSTILE = [
  'a',
  'a.',
  'a@',
  '@',
  '@.',
  '.',
  '-',
  'a-',
  '1',
  '1 ',
  '1.',
  '(1',
  '+1',
  '1:',
  'a:',
  '0x',
  'bc1',
  'code ',
  'free a ',
  'use the ',
  '1 %',
  'link in the ',
  '[insert',
  '{{',
  '<your',
  "here's ",
  '"caption"',
  'caption ',
  'ignore all ',
  'www',
  'http:',
  'a ( dot ',
  'a  ',
  'dot ',
  '。',
  '\u200d',
  '👩\u200d',
  '\ufe0f',
  '\u{1f3f4}\u{e0067}\u{e0062}',
  'க',
  'क\u200d',
  '葛\u{e0100}',
  'e\u0301',
  '訃',
  'rest in ',
  'R.I.',
  'zzz1',
  '#',
  '#a',
  '##',
  ' ',
  '\n',
  '\t',
  'TODO',
  'x'.repeat(25) + ' ',
  'eyJ-',
];

const CHARACTERS = 3_200;
/** Below this nothing can be told from noise; a quadratic pattern takes a second or more at 10x. */
const MEASURABLE_MICROSECONDS = 5_000;
const RUNS = 5;

/** CPU time in microseconds of the fastest of several runs: neither other processes nor a collection of garbage counts. */
function cost(scan: (text: string) => unknown, text: string, times = 1, runs = RUNS): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    for (let turn = 0; turn < times; turn += 1) scan(text);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / times);
  }
  return best;
}

/** How much longer the scan takes for ten times the text; 1 where both are too fast to tell. */
function growth(scan: (text: string) => unknown, piece: string, characters = CHARACTERS): number {
  const text = (length: number) => `${piece.repeat(Math.ceil(length / piece.length))}!`;
  const large = text(characters * 10);
  if (cost(scan, large, 1, 2) < MEASURABLE_MICROSECONDS) return 1;
  const small = text(characters);
  return cost(scan, large) / cost(scan, small, 10);
}

describe('patterns on outside text', () => {
  it('the measure itself tells a quadratic pattern', () => {
    // 100 in theory, 36 as measured on a busy machine; twice the limit of a linear one
    expect(growth((text) => /[^\s@]+@[^\s@]+\.[a-z]{2,}/i.test(text), 'a', 400)).toBeGreaterThan(24);
  });

  it.each(Object.entries(SCANS))('%s takes at most 12 times as long for 10 times the text', (_name, scan) => {
    const slow = HOSTILE.filter((piece) => growth(scan, piece) > 12 && growth(scan, piece) > 12);
    expect(slow).toEqual([]);
  });

  it('checks 320,000 hostile characters in less CPU time than a tenth of a second', () => {
    const written = { hashtags: [], sentiment: '', hasCallToAction: false, hashtagCategories: {} };
    for (const piece of ['a', 'a.', 'a@', '1 ', '@a ', '#a', '\u200b']) {
      const text = piece.repeat(320_000 / piece.length);
      const variations = [{ variation: 'v', tone: 't', length: 'l', caption: text }];
      expect(cost(checkCaption, text, 1)).toBeLessThan(100_000);
      expect(cost((caption) => composeCaption({ caption, hashtags: [caption], credit: 'Credit: u/x' }), text, 1)).toBeLessThan(200_000);
      const review = () => reviewWritten({ ...written, caption: 'x', variations }, { title: text, visuals: null, byModel: true });
      expect(cost(review, text, 1)).toBeLessThan(200_000);
    }
  });
});
