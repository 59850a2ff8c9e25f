import {
  foldText,
  isSensitive,
  OFFLINE_MODEL,
  withoutInvisible,
  type CaptionModel,
  type CaptionOptions,
  type CaptionSource,
  type VisionModel,
  type VisualDescription,
  type WrittenCaption,
} from '@autoposter/domain';
import { jpegSize } from './jpeg-size';

/**
 * Stands in where no vision model is configured: says what the frames' headers tell (count, size, shape, density) and that nobody
 * looked at the pictures. Deterministic, no network.
 */
export class OfflineVision implements VisionModel {
  readonly name = OFFLINE_MODEL;

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

/**
 * Composes a caption from the title alone, as it is: nothing is added in a language that the title may not have or in a mood that the
 * post may not have, and no unchecked words become hashtags. There is one text only, so that there are no variations.
 * An administrator always reviews it.
 */
export class OfflineCaptions implements CaptionModel {
  readonly name = OFFLINE_MODEL;

  write(source: CaptionSource, _visuals: VisualDescription | null, options: CaptionOptions, signal: AbortSignal): Promise<WrittenCaption> {
    return settle(signal, (): WrittenCaption => {
      const community = source.subreddit?.replace(/\W+/g, '').toLowerCase() ?? '';
      const hashtags = options.includeHashtags && community !== '' && !isSensitive(foldText(source.title)) ? [community] : [];
      return {
        caption: oneLine(source.title) || (source.subreddit ? `r/${source.subreddit}` : UNTITLED),
        hashtags,
        variations: [],
        sentiment: 'neutral',
        hasCallToAction: false,
        hashtagCategories: hashtags.length === 0 ? {} : { community: hashtags },
      };
    });
  }
}

/** The caption of a post without any words: a symbol, which no language has to translate. */
const UNTITLED = '📷';

/** Runs a rule like a model call: asynchronous, and stopped by the signal. */
async function settle<T>(signal: AbortSignal, rule: () => T): Promise<T> {
  signal.throwIfAborted();
  await Promise.resolve();
  return rule();
}

/** The title as one line without links and invisible characters. */
const oneLine = (title: string): string =>
  withoutInvisible(title.replace(/https?:\/\/\S+/g, ' ').replace(/\s/g, ' '))
    .replace(/ {2,}/g, ' ')
    .trim();
