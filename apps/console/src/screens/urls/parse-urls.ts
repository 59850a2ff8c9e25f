import type { PastedUrl } from '../../data/downloads/use-add-urls';

const REDDIT_PATH = /\/(?:r|comments|gallery|video)\//iu;
/** A bare id, as in `reddit.com/1abcxyz`; site pages are words without a digit. */
const REDDIT_ID = /^\/(?=[a-z]*\d)[a-z0-9]{5,10}\/?$/iu;
const REDDIT_MEDIA_HOST = /^(?:www\.|v\.|i\.|preview\.)?redd\.it$/u;
const INSTAGRAM_PATH = /\/(?:p|reel|reels|tv)\//iu;
const MAX_LINE_LENGTH = 2048;

export type LineState = 'blank' | 'valid' | 'invalid' | 'duplicate';

interface ParsedLines {
  states: LineState[];
  valid: PastedUrl[];
  invalid: string[];
}

/** Accepts every URL form of a single post; only the server knows whether the post exists. */
function platformOf(line: string): PastedUrl['platform'] | null {
  const address = /^[a-z][a-z0-9+.-]*:/iu.test(line) ? line : `https://${line}`;
  if (line.length > MAX_LINE_LENGTH || /\s/u.test(line) || !URL.canParse(address)) return null;
  const { protocol, hostname, pathname } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  const isOn = (...domains: string[]): boolean => domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
  const path = `${pathname}/`;
  if (isOn('reddit.com')) return REDDIT_PATH.test(path) || REDDIT_ID.test(pathname) ? 'reddit' : null;
  if (REDDIT_MEDIA_HOST.test(hostname)) return pathname.length > 1 ? 'reddit' : null;
  return isOn('instagram.com', 'instagr.am') && INSTAGRAM_PATH.test(path) ? 'instagram' : null;
}

/** Classifies pasted lines. Blank lines are ignored, a repeated line counts once. */
export function parseUrls(text: string): ParsedLines {
  const parsed: ParsedLines = { states: [], valid: [], invalid: [] };
  const seen = new Set<string>();
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    const platform = platformOf(line);
    const state: LineState = line === '' ? 'blank' : seen.has(line) ? 'duplicate' : platform === null ? 'invalid' : 'valid';
    seen.add(line);
    parsed.states.push(state);
    if (state === 'invalid') parsed.invalid.push(line);
    if (state === 'valid' && platform !== null) parsed.valid.push({ url: line, platform });
  }
  return parsed;
}
