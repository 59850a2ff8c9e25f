import type { Platform } from '@autoposter/contracts';

/**
 * What an address points at. `post` contains the id; `share`, `video` and `image` need one request to Reddit to find it; `community` is a
 * subreddit or profile page; `unknown` is any other page of the platform.
 */
type UrlKind = 'post' | 'share' | 'video' | 'image' | 'community' | 'unknown';

/** A parsed source address. */
export interface SourceAddress {
  platform: Platform;
  kind: UrlKind;
  /** Reddit: base-36 post id in lower case, without `t3_`. Instagram: the shortcode. `null` where the address does not contain it. */
  sourceId: string | null;
  /** The normalised address: no query, no tracking, no sub-host. */
  canonicalUrl: string;
  /** Reddit community as written, without `r/`; profiles as `u_name`. */
  subreddit: string | null;
  /** Instagram account where the address names it. */
  username: string | null;
  /** Path at the www origin to request, for `share` and `video`; an `image` is looked up by its canonical address. */
  lookupPath: string | null;
}

/** Texts of the URL manager, word for word. */
export const URL_MESSAGES = {
  empty: 'Please enter at least one Reddit or Instagram URL',
  invalid: (lines: readonly string[]): string => `Invalid URLs (must be Reddit or Instagram): ${lines.join(', ')}`,
} as const;

const REDDIT_ID = /^[a-z0-9]{2,13}$/i;
const COMMUNITY = /^[A-Za-z0-9_-]{2,24}$/;
const SHARE_CODE = /^[A-Za-z0-9]{4,32}$/;
const SHORTCODE = /^[A-Za-z0-9_-]{5,64}$/;
const USERNAME = /^[A-Za-z0-9._]{1,30}$/;
const MAX_LINE = 2048;

/**
 * Parses one pasted line. Accepts every form of address that the two sites use, with or without `https://`. Returns `null` for anything but
 * an http(s) address of Reddit or Instagram. Never throws and needs no network.
 */
export function parseSourceUrl(line: string): SourceAddress | null {
  const url = toUrl(line);
  if (!url) return null;
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  if (host === 'reddit.com' || host.endsWith('.reddit.com')) return readReddit(segmentsOf(url));
  if (host === 'redd.it' || host === 'www.redd.it') return readShortReddit(segmentsOf(url));
  if (host === 'v.redd.it') return videoAddress(segmentsOf(url)[0]);
  if (host === 'i.redd.it' || host === 'preview.redd.it') return imageAddress(segmentsOf(url)[0]);
  if (['instagram.com', 'www.instagram.com', 'm.instagram.com', 'instagr.am', 'www.instagr.am'].includes(host)) {
    return readInstagram(segmentsOf(url));
  }
  return null;
}

/**
 * The rule of the URL manager: Reddit's domain plus `/r/` or `/comments/`, or Instagram's domain plus `/p/` or `/reel/`, and every other
 * form that leads to one post. The domain must be the host itself: its name in the path or query of another site does not count.
 */
export function isAcceptedUrl(line: string): boolean {
  const url = toUrl(line);
  if (!url) return false;
  const address = parseSourceUrl(line);
  if (address !== null && leadsToPost(address)) return true;
  const host = url.hostname.toLowerCase();
  const path = `${url.pathname}/`;
  if (host === 'reddit.com' || host.endsWith('.reddit.com')) return path.includes('/r/') || path.includes('/comments/');
  if (host === 'instagram.com' || host.endsWith('.instagram.com')) return path.includes('/p/') || path.includes('/reel/');
  return false;
}

/** Whether the address contains the id of one post, or one request to the platform finds it. */
export const leadsToPost = ({ sourceId, kind, lookupPath }: SourceAddress): boolean =>
  sourceId !== null || lookupPath !== null || kind === 'image';

function toUrl(line: string): URL | null {
  const text = line.trim();
  if (text === '' || text.length > MAX_LINE || /\s/.test(text)) return null;
  const withScheme = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`;
  try {
    const url = new URL(withScheme);
    const plain = (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '' && url.port === '';
    return plain ? url : null;
  } catch {
    return null;
  }
}

const segmentsOf = (url: URL): string[] => url.pathname.split('/').filter((part) => part !== '');

const blank = { sourceId: null, subreddit: null, username: null, lookupPath: null } as const;

function readReddit(parts: string[]): SourceAddress {
  const [first = '', second = '', third = '', fourth = ''] = parts.map((part) => part.replace(/\.json$/i, ''));
  const unknown: SourceAddress = {
    ...blank,
    platform: 'reddit',
    kind: 'unknown',
    canonicalUrl: `https://www.reddit.com/${parts.join('/')}`,
  };
  if (first === 'comments' || first === 'gallery') return redditPost(second, null) ?? unknown;
  if (first === 'video') return videoAddress(second) ?? unknown;
  if (['r', 'u', 'user'].includes(first) && COMMUNITY.test(second)) {
    const subreddit = first === 'r' ? second : `u_${second}`;
    const page = `https://www.reddit.com/${first === 'r' ? 'r' : 'user'}/${second}`;
    if (third === 'comments') return redditPost(fourth, subreddit) ?? unknown;
    if (third === 's' && SHARE_CODE.test(fourth)) {
      const lookupPath = `/${first}/${second}/s/${fourth}`;
      return { ...blank, platform: 'reddit', kind: 'share', canonicalUrl: `https://www.reddit.com${lookupPath}`, subreddit, lookupPath };
    }
    if (third === 's') return unknown;
    return { ...blank, platform: 'reddit', kind: 'community', canonicalUrl: page, subreddit };
  }
  // A bare `/{id}` leads to a post; ids have had at least five characters for fifteen years, shorter words are site pages.
  const bare = parts.length === 1 && /^[a-z0-9]{5,10}$/.test(first) && /\d/.test(first);
  return (bare ? redditPost(first, null) : null) ?? unknown;
}

function readShortReddit(parts: string[]): SourceAddress | null {
  const [id = ''] = parts;
  return redditPost(id, null);
}

function redditPost(id: string, subreddit: string | null): SourceAddress | null {
  if (!REDDIT_ID.test(id)) return null;
  const sourceId = id.toLowerCase();
  return { ...blank, platform: 'reddit', kind: 'post', sourceId, canonicalUrl: `https://www.reddit.com/comments/${sourceId}`, subreddit };
}

function videoAddress(id: string | undefined): SourceAddress | null {
  if (!id || !/^[a-z0-9]{6,20}$/i.test(id)) return null;
  return { ...blank, platform: 'reddit', kind: 'video', canonicalUrl: `https://v.redd.it/${id}`, lookupPath: `/video/${id}` };
}

/** A rendition of `preview.redd.it` has the name of its original, the last part of the name where a title precedes it. */
function imageAddress(name: string | undefined): SourceAddress | null {
  const file = /(?:^|-)([a-z0-9]{6,20}\.(?:jpe?g|png|webp|gif))$/i.exec(name ?? '')?.[1];
  return file ? { ...blank, platform: 'reddit', kind: 'image', canonicalUrl: `https://i.redd.it/${file}` } : null;
}

const POST_WORDS: Readonly<Record<string, 'p' | 'reel'>> = { p: 'p', reel: 'reel', reels: 'reel', tv: 'p' };

function readInstagram(parts: string[]): SourceAddress {
  const [first = '', second = '', third = ''] = parts;
  const unknown: SourceAddress = {
    ...blank,
    platform: 'instagram',
    kind: 'unknown',
    canonicalUrl: `https://www.instagram.com/${parts.join('/')}`,
  };
  if (first === 'share') return { ...unknown, kind: 'share' };
  const direct = POST_WORDS[first];
  if (direct && SHORTCODE.test(second)) return instagramPost(direct, second, null);
  const named = POST_WORDS[second];
  if (named && USERNAME.test(first) && SHORTCODE.test(third)) return instagramPost(named, third, first.toLowerCase());
  return parts.length === 1 && !direct && USERNAME.test(first) ? { ...unknown, kind: 'community', username: first.toLowerCase() } : unknown;
}

/** Shortcodes are case-sensitive: the alphabet is base 64. The address keeps the account: posts of other accounts cannot be read without it. */
function instagramPost(word: 'p' | 'reel', code: string, username: string | null): SourceAddress {
  const parts = [...(username === null ? [] : [username]), word, code];
  const canonicalUrl = `https://www.instagram.com/${parts.join('/')}/`;
  return { ...blank, platform: 'instagram', kind: 'post', sourceId: code, canonicalUrl, username };
}
