import { GEMINI_PRESETS } from './gemini.presets';
import { GOOGLE_PRESETS } from './google.presets';
import { GROQ_PRESETS } from './groq.presets';
import { INSTAGRAM_PRESETS } from './instagram.presets';
import type { PresetTable } from './preset';
import { MEDIA_PRESETS, REDDIT_PRESETS } from './reddit.presets';

/** Every named fault. */
export const PRESETS: PresetTable = {
  ...REDDIT_PRESETS,
  ...MEDIA_PRESETS,
  ...INSTAGRAM_PRESETS,
  ...GEMINI_PRESETS,
  ...GROQ_PRESETS,
  ...GOOGLE_PRESETS,
};
