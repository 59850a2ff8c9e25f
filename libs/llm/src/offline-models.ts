import { createHash } from 'node:crypto';
import type {
  CaptionModel,
  CaptionOptions,
  CaptionSource,
  CaptionVariation,
  VisionModel,
  VisualDescription,
  WrittenCaption,
} from '@autoposter/domain';
import { jpegSize } from './jpeg-size';

/**
 * Stands in where no vision model is configured: says what the frames' headers tell (count, size, shape, density) and that nobody
 * looked at the pictures. Deterministic, no network.
 */
export class OfflineVision implements VisionModel {
  readonly name = 'offline';

  describe(frames: readonly Uint8Array[], source: CaptionSource, signal: AbortSignal): Promise<VisualDescription> {
    return settle(signal, () => {
      const size = frames[0] ? jpegSize(frames[0]) : null;
      const bytes = frames.reduce((sum, frame) => sum + frame.byteLength, 0);
      const shape =
        size === null ? 'unknown shape' : size.height > size.width ? 'portrait' : size.height < size.width ? 'landscape' : 'square';
      const pixels = size === null ? 0 : size.width * size.height * frames.length;
      const bitsPerPixel = pixels === 0 ? null : Math.round((bytes * 80) / pixels) / 10;
      const facts = { frames: frames.length, bytes, width: size?.width ?? null, height: size?.height ?? null, shape, bitsPerPixel };
      return {
        visualContent: `Not looked at: no vision model is configured. ${frames.length} frame${frames.length === 1 ? '' : 's'}, ${shape}.`,
        emotionalTone: 'unknown',
        contentTheme: source.subreddit ? `r/${source.subreddit}` : 'unknown',
        instagramOptimization: shape === 'portrait' ? 'Portrait fits the Reels format.' : 'Bars or a crop are needed for the Reels format.',
        captionDirection: 'Stay with the title.',
        confidence: 0,
        rawAnalysis: JSON.stringify({ model: 'offline', ...facts }),
      };
    });
  }
}

const QUESTIONS = ['What do you think?', 'Have you seen this before?', 'Who would you show this to?', 'What would you have done?'] as const;
const STOP_WORDS = new Set(
  'the and for with that this from have has had was were are you your they them their his her our not but out all can just what when who how why into over after before about than then there here its it is in on at to of a an my me we he she be as by or so no up if do did does'.split(
    ' ',
  ),
);

/**
 * Writes captions from the title alone, by rule: the title, a question where a call to action is wanted, tags from the title's words
 * and the subreddit. The same input always gives the same caption. Claims nothing that the title does not say.
 */
export class OfflineCaptions implements CaptionModel {
  readonly name = 'offline';

  write(source: CaptionSource, visuals: VisualDescription | null, options: CaptionOptions, signal: AbortSignal): Promise<WrittenCaption> {
    return settle(signal, (): WrittenCaption => {
      const title = sentence(source.title || (source.subreddit ? `From r/${source.subreddit}` : 'A new post'));
      const place = source.subreddit ? `Found in r/${source.subreddit}.` : '';
      const question = QUESTIONS[pick(source.title, QUESTIONS.length)] ?? QUESTIONS[0];
      const texts: Record<string, string> = {
        short: title,
        medium: [title, options.callToAction ? question : ''].filter((part) => part !== '').join('\n\n'),
        long: [title, place, options.callToAction ? question : ''].filter((part) => part !== '').join('\n\n'),
      };
      const variations: CaptionVariation[] = ['short', 'medium', 'long'].map((length) => ({
        variation: `${length} by rule`,
        tone: options.tone,
        length,
        caption: texts[length] ?? title,
      }));
      const fromTitle = options.includeHashtags ? titleTags(source.title) : [];
      const fromPlace = options.includeHashtags && source.subreddit ? [source.subreddit.replace(/\W+/g, '')] : [];
      const hashtags = [...new Set([...fromPlace, ...fromTitle].map((tag) => tag.toLowerCase()))];
      return {
        caption: texts[options.length] ?? texts['medium'] ?? title,
        hashtags,
        variations,
        sentiment: 'neutral',
        hasCallToAction: options.callToAction && options.length !== 'short',
        hashtagCategories: options.includeHashtags ? { community: fromPlace.map((tag) => tag.toLowerCase()), title: fromTitle } : {},
      };
    });
  }
}

/** Runs a rule like a model call: asynchronous, and stopped by the signal. */
async function settle<T>(signal: AbortSignal, rule: () => T): Promise<T> {
  signal.throwIfAborted();
  await Promise.resolve();
  return rule();
}

/** The title as one clean line: links, control characters and marks that turn the writing direction are taken out. */
const sentence = (title: string): string => {
  const text =
    title
      .replace(/https?:\/\/\S+/g, '')
      .replace(/[\p{Cc}\p{Cf}]+/gu, (marks) => (marks.includes('\u200d') ? marks : ' '))
      .replace(/\s+/g, ' ')
      .trim() || 'A new post';
  return /[.!?…]$/.test(text) ? text : `${text}.`;
};

function titleTags(title: string): string[] {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]{4,24}/gu) ?? [];
  return [...new Set(words.filter((word) => !STOP_WORDS.has(word) && !/^\d+$/.test(word)))].slice(0, 7);
}

/** A number below `choices` that depends on the text only. */
const pick = (text: string, choices: number): number => createHash('sha256').update(text).digest().readUInt32BE(0) % choices;
