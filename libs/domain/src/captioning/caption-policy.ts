import { LIMITS, type Platform } from '@autoposter/contracts';
import { renderReviewReason, type ReviewReason, reviewReason } from '../review/review-reason';
import type { VisualDescription, WrittenCaption } from './caption-model.port';
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

/**
 * `limit`: the platform would refuse the text, so it cannot be saved or queued. `review`: it could be published, but a person has to review
 * it first (mentions, links, offers, placeholders or prompt text written by a model).
 */
export interface CaptionViolation extends ReviewReason {
  severity: 'limit' | 'review';
  /** The rendered sentence. */
  message: string;
}

interface CaptionParts {
  caption: string;
  /** With or without `#`. */
  hashtags: readonly string[];
  /** The line of `creditLine`; `null` for none. */
  credit: string | null;
  maxHashtags?: number;
}

interface ComposedCaption {
  /** Caption, credit line and hashtags, separated by blank lines. */
  text: string;
  characters: number;
  hashtags: string[];
  /** Hashtags that are not in the text, each with the reason. */
  dropped: { hashtag: string; reason: 'malformed' | 'repeated' | 'over_limit' | 'too_long' }[];
  violations: CaptionViolation[];
}

interface CaptionRules {
  /** The line whose mention and name are expected in the text; see `creditLine`. */
  credit?: string | null;
  maxHashtags?: number;
}

const HASHTAG = /(?<![\p{L}\p{N}_&/])#([\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)/gu;
const MAX_VARIATIONS = 6;
/** A longer text is refused for its length anyway. */
const EXAMINED_CHARACTERS = 4 * LIMITS.caption.maxCharacters;

/**
 * Characters as the platform's limit is applied here: UTF-16 units, the way the console's counter and `String.length` count. Never less
 * than the number of code points, so that a text that passes here is never too long for the platform.
 */
const countCharacters = (text: string): number => text.length;

/** Checks a text as it would be published. Empty for a text that may be published. */
export function checkCaption(
  text: string,
  { credit = null, maxHashtags = LIMITS.caption.maxHashtags }: CaptionRules = {},
): CaptionViolation[] {
  const { maxCharacters, maxMentions } = LIMITS.caption;
  const characters = countCharacters(text);
  const examined = text.slice(0, EXAMINED_CHARACTERS);
  const hashtags = findHashtags(examined).length;
  const invisible = firstInvisible(examined);
  const body = foldText(withoutLine(examined, credit));
  const mentions = countMentions(body);
  const allMentions = countMentions(foldText(examined));
  const found: (CaptionViolation | false)[] = [
    text.trim() === '' && limit(reviewReason('empty')),
    characters > maxCharacters && limit(reviewReason('too_long', { count: characters, ...creditWithin(text, credit) })),
    hashtags > maxHashtags && limit(reviewReason('too_many_hashtags', { count: hashtags, limit: maxHashtags })),
    allMentions > maxMentions && limit(reviewReason('too_many_mentions', { count: allMentions })),
    invisible !== null && limit(reviewReason('invisible_characters', { character: invisible })),
    mentions > 0 && review('contains_mention'),
    mayContainAddress(body) && review('contains_url'),
    mayContainContact(body) && review('contains_contact'),
    mayContainWallet(body) && review('contains_wallet'),
    mayPromote(body) && review('promotion'),
    isSensitive(body) && review('sensitive_subject'),
    hasPlaceholder(body) && review('placeholder'),
    mentionsModel(body) && review('prompt_leak'),
  ];
  return found.filter((violation) => violation !== false);
}

/** The text of a model, and the facts that decide whether it may be published unattended. */
interface WrittenReview {
  written: WrittenCaption;
  violations: CaptionViolation[];
}

/**
 * Removes invisible characters from the text of a model, drops variations that could not be published, and lists the reasons for a review
 * besides the text itself: its origin and its subject.
 */
export function reviewWritten(
  written: WrittenCaption,
  source: { title: string; comments?: readonly string[]; visuals: VisualDescription | null; byModel: boolean; maxHashtags?: number },
): WrittenReview {
  const cleaned = withoutInvisible(written.caption);
  const tags = written.hashtags.map(withoutInvisible);
  const hid = cleaned !== written.caption || tags.some((tag, index) => tag !== written.hashtags[index]);
  const { maxHashtags } = source;
  const variations = written.variations
    .slice(0, MAX_VARIATIONS)
    .map((entry) => ({ ...entry, caption: withoutInvisible(entry.caption).trim() }))
    .filter(
      (entry, index, all) =>
        withinLimits(checkCaption(entry.caption, { maxHashtags })) &&
        normal(entry.caption) !== normal(cleaned) &&
        all.findIndex((other) => normal(other.caption) === normal(entry.caption)) === index,
    );
  const { title, visuals } = source;
  const about = foldText([title, visuals?.visualContent ?? '', visuals?.contentTheme ?? ''].join('\n').slice(0, EXAMINED_CHARACTERS));
  const found: (CaptionViolation | false)[] = [
    hid && review('invisible_characters_removed'),
    isSensitive(about) && review('sensitive_source'),
    written.leaksPrompt === true && review('prompt_repeated'),
    source.byModel && speaksAnotherLanguage(cleaned, [title, ...(source.comments ?? [])].join('\n')) && review('other_language'),
    !source.byModel && review('without_model'),
  ];
  return { written: { ...written, caption: cleaned, hashtags: tags, variations }, violations: found.filter((entry) => entry !== false) };
}

const normal = (text: string): string =>
  foldText(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The length of the credit line, if the text contains it: the caption may be short enough without it. */
const creditWithin = (text: string, credit: string | null): { credit?: number } =>
  credit === null || withoutLine(text, credit) === text ? {} : { credit: countCharacters(credit) };

/** The text without the first line that is exactly this one. */
function withoutLine(text: string, line: string | null): string {
  if (line === null) return text;
  const lines = text.split('\n');
  const index = lines.findIndex((each) => each.trim() === line.trim());
  return index === -1 ? text : lines.toSpliced(index, 1).join('\n');
}

/**
 * Joins caption, credit and hashtags. Caption and credit are never shortened: too long is a violation. A credit that the caption contains is not
 * repeated. Hashtags that are malformed, repeated, over the limit or too long for the text are omitted and listed in `dropped`.
 */
export function composeCaption(parts: CaptionParts): ComposedCaption {
  const { maxHashtags = LIMITS.caption.maxHashtags } = parts;
  const caption = parts.caption.trim();
  const credit = parts.credit?.trim() ?? '';
  const credited = caption.toLowerCase().includes(credit.toLowerCase());
  const body = [caption, credited ? '' : credit].filter((part) => part !== '').join('\n\n');
  const present = findHashtags(body).map((tag) => tag.toLowerCase());
  const hashtags: string[] = [];
  const dropped: ComposedCaption['dropped'] = [];
  for (const raw of parts.hashtags) {
    const tag = normaliseHashtag(raw);
    const used = [...present, ...hashtags.map((other) => other.toLowerCase())];
    if (tag === null) dropped.push({ hashtag: raw, reason: 'malformed' });
    else if (used.includes(tag.toLowerCase())) dropped.push({ hashtag: raw, reason: 'repeated' });
    else if (used.length >= maxHashtags) dropped.push({ hashtag: raw, reason: 'over_limit' });
    else if (countCharacters(join(body, [...hashtags, tag])) > LIMITS.caption.maxCharacters)
      dropped.push({ hashtag: raw, reason: 'too_long' });
    else hashtags.push(tag);
  }
  const text = join(body, hashtags);
  const empty = caption === '' ? [limit(reviewReason('empty'))] : [];
  const violations = [...empty, ...checkCaption(text, { credit, maxHashtags }).filter((violation) => violation.code !== 'empty')];
  return { text, characters: countCharacters(text), hashtags, dropped, violations };
}

/** Whether the text may be saved and queued; a review does not prevent that. */
export const withinLimits = (violations: readonly CaptionViolation[]): boolean => violations.every((entry) => entry.severity !== 'limit');

/**
 * The line that credits the author, `null` without a known author. Reddit names have no `@`: the Instagram account of that name belongs to
 * another person. Crediting is courtesy, not permission.
 */
export function creditLine(source: { platform: Platform; author: string | null; subreddit: string | null }): string | null {
  const known = source.author !== null && source.author !== '[deleted]';
  const author = known ? (source.author ?? '').replace(/[^\w.-]/g, '') : '';
  if (source.platform === 'instagram') return author === '' ? null : `Credit: @${author}`;
  const place = source.subreddit === null ? '' : ` in r/${source.subreddit.replace(/[^\w-]/g, '')}`;
  if (author !== '') return `Credit: u/${author} on Reddit${place}`;
  return place === '' ? null : `Found on Reddit${place}`;
}

/** The tag without `#`, spaces and hyphens; `null` if Instagram would not recognise it as a hashtag (empty, only digits, other characters). */
export function normaliseHashtag(raw: string): string | null {
  const tag = raw
    .normalize('NFKC')
    .trim()
    .replace(/^#+/, '')
    .replace(/[\s-]+/g, '');
  return /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]{0,99}$/u.test(tag) && /[\p{L}_]/u.test(tag) ? tag : null;
}

const join = (body: string, hashtags: readonly string[]): string =>
  [body, hashtags.map((tag) => `#${tag}`).join(' ')].filter((part) => part !== '').join('\n\n');

const findHashtags = (text: string): string[] => [...text.normalize('NFKC').matchAll(HASHTAG)].map((match) => match[1] ?? '');

const limit = (reason: ReviewReason): CaptionViolation => ({ ...reason, severity: 'limit', message: renderReviewReason(reason) });
const review = (code: ReviewReason['code']): CaptionViolation => ({ code, severity: 'review', message: renderReviewReason({ code }) });

const PARTS = [
  ['', 'visualContent'],
  ['Mood: ', 'emotionalTone'],
  ['Theme: ', 'contentTheme'],
  ['', 'instagramOptimization'],
  ['', 'captionDirection'],
] as const satisfies readonly (readonly [string, keyof VisualDescription])[];

/** A model's description of a file as a few sentences. Parts that are empty or unknown are left out. */
export const visualsInProse = (visuals: VisualDescription): string =>
  PARTS.flatMap(([label, part]) => {
    const text = visuals[part].replace(/\s+/g, ' ').trim();
    return text === '' || text.toLowerCase() === 'unknown' ? [] : [sentence(`${label}${text}`)];
  }).join(' ');

const sentence = (text: string): string => (/[.!?…]$/u.test(text) ? text : `${text}.`);
