import { cutText } from '../external-text';
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
import { speaksAnotherLanguage } from './written-language';

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
  cutText: (text) => cutText(text, 300),
  speaksAnotherLanguage: (text) => speaksAnotherLanguage(text, text),
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
  '\u0301',
  'der ',
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
/** A linear scan takes 10 times as long for 10 times the text, a quadratic one 100 times. */
const LINEAR = 12;
/** Other work of the machine distorts a measure, but not this many in a row. */
const TRIES = 5;

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
  const [small, large] = [text(characters), text(characters * 10)];
  const ofLarge = cost(scan, large, 1, 2);
  if (ofLarge < MEASURABLE_MICROSECONDS) return 1;
  // a quadratic scan is too far from the limit to pass by a coarse measure
  const coarse = ofLarge / cost(scan, small, 10, 1);
  return coarse <= LINEAR ? coarse : cost(scan, large) / cost(scan, small, 10);
}

/** The least growth of several measures; one within the limit is enough. */
function leastGrowth(scan: (text: string) => unknown, piece: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least > LINEAR; tries += 1) least = Math.min(least, growth(scan, piece));
  return least;
}

describe('patterns on untrusted text', () => {
  it('the measure recognises a quadratic pattern', () => {
    // 100 in theory
    expect(growth((text) => /[^\s@]+@[^\s@]+\.[a-z]{2,}/i.test(text), 'a', 800)).toBeGreaterThan(2 * LINEAR);
  });

  it.each(Object.entries(SCANS))('%s takes at most 12 times as long for 10 times the text', (_name, scan) => {
    const slow = HOSTILE.filter((piece) => leastGrowth(scan, piece) > LINEAR);
    expect(slow).toEqual([]);
  });

  it.each(['a', 'a.', 'a@', '1 ', '@a ', '#a', '\u200b'])(
    'a whole check takes less than 24 times as long for 320,000 characters as for 32,000: %j',
    (piece) => {
      const written = { hashtags: [], sentiment: '', hasCallToAction: false, hashtagCategories: {} };
      const review = (title: string) => {
        const variations = [{ variation: 'v', tone: 't', length: 'l', caption: title }];
        return reviewWritten({ ...written, caption: 'x', variations }, { title, visuals: null, byModel: true });
      };
      const compose = (caption: string) => composeCaption({ caption, hashtags: [caption], credit: 'Credit: u/x' });
      for (const check of [checkCaption, compose, review]) expect(growth(check, piece, 32_000)).toBeLessThan(2 * LINEAR);
    },
  );
});
