import { LIMITS } from '@autoposter/contracts';
import { type AiProvider, normaliseHashtag, PipelineError, type VisualDescription, type WrittenCaption } from '@autoposter/domain';
import { z } from 'zod';
import { at } from './model-call';
import { repeatsInstructions, type Instructions } from './prompts';

/**
 * The answers of the models. Only shapes that the structured modes of both providers support: every property required, no free-form maps
 * (Gemini has none, so categories are a list), no length limits (Groq's strict mode refuses them).
 */
export const visionAnswerSchema = z.object({
  visualContent: z.string().describe('What can be seen, in two or three plain sentences'),
  emotionalTone: z.string().describe('The mood, in a few words'),
  contentTheme: z.string().describe('The theme, in a few words'),
  instagramOptimization: z.string().describe('One sentence on how to present it as a Reel'),
  captionDirection: z.string().describe('One sentence on the direction that a caption should take'),
  confidence: z.number().describe('0 to 1: how sure the description is'),
});
type VisionAnswer = z.infer<typeof visionAnswerSchema>;

export const captionAnswerSchema = z.object({
  caption: z.string().describe('The caption, without hashtags'),
  hashtags: z.array(z.string()).describe('Hashtags, best first'),
  variations: z.array(
    z.object({
      variation: z.string().describe('Name of the variation'),
      tone: z.string(),
      length: z.string().describe('short, medium or long'),
      caption: z.string().describe('The caption, without hashtags'),
    }),
  ),
  sentiment: z.string().describe('positive, neutral or negative'),
  hasCallToAction: z.boolean(),
  hashtagCategories: z.array(z.object({ name: z.string(), hashtags: z.array(z.string()) })),
});
export type CaptionAnswer = z.infer<typeof captionAnswerSchema>;

/** Both answers of one call. */
export const combinedAnswerSchema = z.object({ visuals: visionAnswerSchema, captions: captionAnswerSchema });

export function toVisualDescription(answer: VisionAnswer): VisualDescription {
  const confidence = Number.isFinite(answer.confidence) ? Math.min(Math.max(answer.confidence, 0), 1) : 0;
  return { ...answer, confidence, rawAnalysis: JSON.stringify(answer) };
}

/**
 * Removes `#`, spaces and repeats from hashtags; the caption policy checks whether they fit the platform. Throws `transient` for a caption
 * that is empty or longer than any post may have: the model writes another one.
 */
export function toWrittenCaption(
  side: AiProvider,
  answer: CaptionAnswer,
  includeHashtags: boolean,
  instructions: Instructions,
): WrittenCaption {
  const categories = new Map<string, string[]>();
  for (const { name, hashtags } of answer.hashtagCategories)
    categories.set(name, cleanTags([...(categories.get(name) ?? []), ...hashtags]));
  const { text, listed } = withoutList(answer.caption);
  if (text === '' || text.length > LIMITS.caption.maxCharacters) throw PipelineError.of('model_answer_invalid', at(side));
  return {
    caption: text,
    hashtags: includeHashtags ? cleanTags([...answer.hashtags, ...listed]) : [],
    variations: answer.variations
      .map((entry) => ({ ...entry, caption: withoutList(entry.caption).text }))
      .filter((entry) => entry.caption !== ''),
    sentiment: answer.sentiment,
    hasCallToAction: answer.hasCallToAction,
    hashtagCategories: includeHashtags ? Object.fromEntries(categories) : {},
    leaksPrompt: repeatsInstructions(answer, instructions),
  };
}

/** From this number on, hashtags at the end of a text are a list and not part of its last sentence. */
const MIN_LISTED = 3;

/** A text and the hashtags listed at its end: models write them there as well, more than a post may have. */
function withoutList(written: string): { text: string; listed: string[] } {
  const text = textOf(written);
  // words at even places, the spaces between them at odd ones
  const parts = text.split(/(\s+)/);
  let end = parts.length;
  while (isHashtag(parts[end - 1])) end -= 2;
  const listed = parts.slice(Math.max(end, 0)).filter(isHashtag);
  if (listed.length < MIN_LISTED) return { text, listed: [] };
  return { text: parts.slice(0, Math.max(end, 0)).join(''), listed };
}

const isHashtag = (word: string | undefined): boolean => word?.startsWith('#') === true && normaliseHashtag(word) !== null;

/** `\n` only: `\r` counts as an invisible control character. */
const textOf = (written: string): string => written.replace(/\r\n?/g, '\n').trim();

function cleanTags(tags: readonly string[]): string[] {
  const bare = tags.map((tag) => tag.replace(/[#\s]+/g, '')).filter((tag) => tag !== '');
  return bare.filter((tag, index) => bare.findIndex((other) => other.toLowerCase() === tag.toLowerCase()) === index);
}
