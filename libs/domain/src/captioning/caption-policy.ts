import { LIMITS, type Platform } from '@autoposter/contracts';

/**
 * `limit`: the platform would refuse the text, so nothing may save or queue it. `review`: it could be published, but a person has to
 * look first (what a model wrote is not to be trusted with links, placeholders or its own instructions).
 */
export interface CaptionViolation {
  code:
    | 'empty'
    | 'too_long'
    | 'too_many_hashtags'
    | 'too_many_mentions'
    | 'control_characters'
    | 'contains_url'
    | 'contains_contact'
    | 'placeholder'
    | 'prompt_leak';
  severity: 'limit' | 'review';
  /** One sentence for the person who has to act. */
  message: string;
}

export interface CaptionParts {
  caption: string;
  /** With or without `#`. */
  hashtags: readonly string[];
  /** Line that names the author; see `creditLine`. `null` for none. */
  credit: string | null;
}

export interface ComposedCaption {
  /** Caption, credit line and hashtags, separated by blank lines. */
  text: string;
  characters: number;
  hashtags: string[];
  /** Hashtags that are not in the text, each with the reason: nothing is cut silently. */
  dropped: { hashtag: string; reason: 'malformed' | 'repeated' | 'over_limit' | 'no_room' }[];
  violations: CaptionViolation[];
}

const HASHTAG = /(?<![\p{L}\p{N}_&/])#([\p{L}\p{N}_]+)/gu;
const MENTION = /(?<![\p{L}\p{N}_.@/])@([A-Za-z0-9_](?:[A-Za-z0-9_.]*[A-Za-z0-9_])?)/gu;
const URL_LIKE = /\bhttps?:\/\/\S+|\bwww\.[^\s.]+\.\S+|\b[a-z0-9-]+\.(?:com|net|org|io|co|ru|xyz|shop|link|ly|gg|me)\/\S*/i;
const CONTACT = /[^\s@]+@[^\s@]+\.[a-z]{2,}|\+\d[\d\s().-]{7,}\d|\(?\b\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}\b/i;
const PLACEHOLDER =
  /\[(?:insert|your|add|link|name|handle|username|brand|location|caption|hashtag)[^\]]*\]|\{\{[^}]*\}\}|<(?:insert|your)[^>]*>|\blorem ipsum\b|\bundefined\b/i;
// Case matters here: "todo" and "nan" are words of other languages.
const CODE_PLACEHOLDER = /\bTODO\b|\bNaN\b|\[object Object\]/;
const PROMPT_LEAK =
  /\bas an? (?:ai|artificial intelligence|(?:large )?language model)\b|\bi(?:'m| am) (?:an? )?(?:ai|language model)\b|\bsystem prompt\b|<\/?post-data>|\bignore (?:all |any )?(?:previous|prior|above) (?:instructions|rules)\b|\b(?:here is|here's|sure,? here)[^\n]{0,40}\bcaption\b[^\n]{0,40}:|"(?:caption|hashtags|captionVariations|variations)"\s*:/i;
// eslint-disable-next-line no-control-regex -- the point is to find control characters; tab and newline are allowed
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/;

/**
 * Characters as the platform's limit is applied here: UTF-16 units, the way the console's counter and `String.length` count. Never less
 * than the number of code points, so that a text that passes here is never too long for the platform.
 */
export const countCharacters = (text: string): number => text.length;

/** Checks a text as it would be published. An empty list means that nothing speaks against it. */
export function checkCaption(text: string): CaptionViolation[] {
  const { maxCharacters, maxHashtags, maxMentions } = LIMITS.caption;
  const characters = countCharacters(text);
  const hashtags = findHashtags(text).length;
  const mentions = [...text.matchAll(MENTION)].length;
  const found: (CaptionViolation | false)[] = [
    text.trim() === '' && limit('empty', 'The caption is empty.'),
    characters > maxCharacters && limit('too_long', `The caption has ${characters} characters; at most ${maxCharacters} are allowed.`),
    hashtags > maxHashtags && limit('too_many_hashtags', `The caption has ${hashtags} hashtags; at most ${maxHashtags} are allowed.`),
    mentions > maxMentions && limit('too_many_mentions', `The caption mentions ${mentions} accounts; at most ${maxMentions} are allowed.`),
    CONTROL.test(text) && limit('control_characters', 'The caption holds invisible control characters.'),
    URL_LIKE.test(text) && review('contains_url', 'The caption holds a link; Instagram does not make links in captions clickable.'),
    CONTACT.test(text) && review('contains_contact', 'The caption holds an e-mail address or a telephone number.'),
    (PLACEHOLDER.test(text) || CODE_PLACEHOLDER.test(text)) &&
      review('placeholder', 'The caption holds a placeholder that was never filled in.'),
    PROMPT_LEAK.test(text) && review('prompt_leak', 'The caption speaks of the model or its instructions.'),
  ];
  return found.filter((violation) => violation !== false);
}

/**
 * Puts caption, credit and hashtags together. The caption and the credit are never shortened: too long is a violation. Hashtags that
 * are malformed, already in the caption (as the credit may be), beyond the limit, or for which no room is left are left out from the end and named in `dropped`.
 */
export function composeCaption(parts: CaptionParts): ComposedCaption {
  const caption = parts.caption.trim();
  const credit = parts.credit?.trim() ?? '';
  const credited = caption.toLowerCase().includes(credit.toLowerCase());
  const body = [caption, credited ? '' : credit].filter((part) => part !== '').join('\n\n');
  const present = findHashtags(body).map((tag) => tag.toLowerCase());
  const hashtags: string[] = [];
  const dropped: ComposedCaption['dropped'] = [];
  for (const raw of parts.hashtags) {
    const tag = normaliseHashtag(raw);
    const reason = tag === null ? 'malformed' : reasonToDrop(tag, body, hashtags, present);
    if (tag === null || reason !== null) dropped.push({ hashtag: raw, reason: reason ?? 'malformed' });
    else hashtags.push(tag);
  }
  const text = join(body, hashtags);
  const empty = parts.caption.trim() === '' ? [limit('empty', 'The caption is empty.')] : [];
  const violations = [...empty, ...checkCaption(text).filter((violation) => violation.code !== 'empty')];
  return { text, characters: countCharacters(text), hashtags, dropped, violations };
}

/** `true` where nothing forbids saving or queueing; what needs a person's look is no obstacle here. */
export const withinLimits = (violations: readonly CaptionViolation[]): boolean => violations.every((entry) => entry.severity !== 'limit');

/**
 * The line that credits the author, `null` where nobody is known. Names are written without `@` for Reddit: the account of that name on
 * Instagram is somebody else. Crediting is courtesy, not permission.
 */
export function creditLine(source: { platform: Platform; author: string | null; subreddit: string | null }): string | null {
  const known = source.author !== null && source.author !== '[deleted]';
  const author = known ? (source.author ?? '').replace(/[^\w.-]/g, '') : '';
  if (source.platform === 'instagram') return author === '' ? null : `Credit: @${author}`;
  const place = source.subreddit === null ? '' : ` in r/${source.subreddit.replace(/[^\w-]/g, '')}`;
  if (author !== '') return `Credit: u/${author} on Reddit${place}`;
  return place === '' ? null : `Found on Reddit${place}`;
}

/** `#Tag` without the sign, spaces taken out; `null` where Instagram would not read it as a hashtag (only digits, other signs, empty). */
export function normaliseHashtag(raw: string): string | null {
  const tag = raw
    .trim()
    .replace(/^#+/, '')
    .replace(/[\s-]+/g, '');
  return /^[\p{L}\p{N}_]{1,100}$/u.test(tag) && /[\p{L}_]/u.test(tag) ? tag : null;
}

function reasonToDrop(
  tag: string,
  body: string,
  hashtags: readonly string[],
  present: readonly string[],
): 'repeated' | 'over_limit' | 'no_room' | null {
  const known = [...present, ...hashtags.map((other) => other.toLowerCase())];
  if (known.includes(tag.toLowerCase())) return 'repeated';
  if (known.length >= LIMITS.caption.maxHashtags) return 'over_limit';
  return countCharacters(join(body, [...hashtags, tag])) > LIMITS.caption.maxCharacters ? 'no_room' : null;
}

const join = (body: string, hashtags: readonly string[]): string =>
  [body, hashtags.map((tag) => `#${tag}`).join(' ')].filter((part) => part !== '').join('\n\n');

const findHashtags = (text: string): string[] => [...text.matchAll(HASHTAG)].map((match) => match[1] ?? '');

const limit = (code: CaptionViolation['code'], message: string): CaptionViolation => ({ code, severity: 'limit', message });
const review = (code: CaptionViolation['code'], message: string): CaptionViolation => ({ code, severity: 'review', message });
