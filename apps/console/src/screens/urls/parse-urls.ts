import type { PastedUrl } from '../../data/downloads/use-add-urls';

const REDDIT_PATH = /\/(?:r|comments)\//iu;
const INSTAGRAM_PATH = /\/(?:p|reel)\//iu;
/** The server accepts no longer address. */
const MAX_LINE_LENGTH = 2000;

export type LineState = 'blank' | 'valid' | 'invalid' | 'duplicate';

interface ParsedLines {
  states: LineState[];
  valid: PastedUrl[];
  invalid: string[];
}

/** The rule of the specification (section 5); the domain must be the host itself. Only the server knows whether the post exists. */
function platformOf(line: string): PastedUrl['platform'] | null {
  const address = /^[a-z][a-z0-9+.-]*:/iu.test(line) ? line : `https://${line}`;
  if (line.length > MAX_LINE_LENGTH || /\s/u.test(line) || !URL.canParse(address)) return null;
  const { protocol, hostname, pathname } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  const isOn = (domain: string): boolean => hostname === domain || hostname.endsWith(`.${domain}`);
  const path = `${pathname}/`;
  if (isOn('reddit.com')) return REDDIT_PATH.test(path) ? 'reddit' : null;
  return isOn('instagram.com') && INSTAGRAM_PATH.test(path) ? 'instagram' : null;
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
