/** Building blocks of the simulated models' answers. */
export const OPENINGS = [
  'Watch this one twice.',
  'A small moment, kept.',
  'Sound on for this.',
  'This is your sign to slow down.',
  'Proof that patience pays.',
  'Save this for later.',
] as const;
export const ENDINGS = [
  'Which second is your favourite?',
  'Tell us what you would call it.',
  'Tag somebody who needs this today.',
  'Would you have waited for it?',
  'Follow along for more like this.',
] as const;
export const TONES = ['engaging', 'playful', 'calm', 'curious', 'warm'] as const;
export const MOODS = ['calm and content', 'quietly excited', 'warm and tender', 'curious', 'awed'] as const;
export const THEMES = ['everyday craft', 'landscape', 'animals', 'light and colour', 'slow motion'] as const;
export const TAGS = [
  'satisfying',
  'oddlysatisfying',
  'reels',
  'slowliving',
  'dailyjoy',
  'colours',
  'nature',
  'handmade',
  'cuteanimals',
  'goldenhour',
  'relax',
  'patterns',
] as const;
export const LENGTHS = ['short', 'medium', 'long'] as const;
