import type { VisualDescription } from './caption-model.port';

const PARTS = [
  ['', 'visualContent'],
  ['Mood: ', 'emotionalTone'],
  ['Theme: ', 'contentTheme'],
  ['', 'instagramOptimization'],
  ['', 'captionDirection'],
] as const satisfies readonly (readonly [string, keyof VisualDescription])[];

/** What a model saw, as a few sentences for people. Parts that are empty or unknown are left out. */
export const visualsInProse = (visuals: VisualDescription): string =>
  PARTS.flatMap(([label, part]) => {
    const text = visuals[part].replace(/\s+/g, ' ').trim();
    return text === '' || text.toLowerCase() === 'unknown' ? [] : [sentence(`${label}${text}`)];
  }).join(' ');

const sentence = (text: string): string => (/[.!?…]$/u.test(text) ? text : `${text}.`);
