import type { PastedUrl } from '../../data/downloads/use-add-urls';

const REDDIT = /(?:^|\/\/|\.)reddit\.com\/(?:.*\/)?(?:r|comments)\//iu;
const INSTAGRAM = /(?:^|\/\/|\.)instagram\.com\/(?:.*\/)?(?:p|reel)\//iu;

export interface ParsedLines {
  valid: PastedUrl[];
  invalid: string[];
}

const platformOf = (line: string): PastedUrl['platform'] | null => {
  if (REDDIT.test(line)) return 'reddit';
  return INSTAGRAM.test(line) ? 'instagram' : null;
};

/** Sorts pasted lines; blank ones are ignored, a line that stands twice counts once. */
export function parseUrls(text: string): ParsedLines {
  const parsed: ParsedLines = { valid: [], invalid: [] };
  const lines = new Set(text.split('\n').map((line) => line.trim()));
  for (const line of lines) {
    if (line === '') continue;
    const platform = platformOf(line);
    if (platform === null) parsed.invalid.push(line);
    else parsed.valid.push({ url: line, platform });
  }
  return parsed;
}
