import type { PastedUrl } from '../../data/downloads/use-add-urls';

const REDDIT = /(?:^|\/\/|\.)reddit\.com\/(?:.*\/)?(?:r|comments)\//iu;
const INSTAGRAM = /(?:^|\/\/|\.)instagram\.com\/(?:.*\/)?(?:p|reel)\//iu;

export type LineState = 'blank' | 'valid' | 'invalid' | 'duplicate';

interface ParsedLines {
  /** One for each line, as it stands in the field. */
  states: LineState[];
  valid: PastedUrl[];
  invalid: string[];
}

const platformOf = (line: string): PastedUrl['platform'] | null => {
  if (REDDIT.test(line)) return 'reddit';
  return INSTAGRAM.test(line) ? 'instagram' : null;
};

/** Sorts pasted lines; blank ones are ignored, a line that stands twice counts once. */
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
