import {
  foldText,
  isSensitive,
  jpegSegments,
  OFFLINE_MODEL,
  withoutInvisible,
  type CaptionModel,
  type CaptionOptions,
  type CaptionSource,
  type VisionModel,
  type VisualDescription,
  type WrittenCaption,
} from '@autoposter/domain';

/**
 * Used where no vision model is configured: describes count, size, shape and density from the headers of the frames and states that no
 * model saw the pictures. Deterministic, no network.
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
        visualContent: `Not analysed: no vision model is configured. ${frames.length} frame${frames.length === 1 ? '' : 's'}, ${shape}.`,
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
 * Uses the title as the caption, unchanged: added words could be in another language or mood, and unchecked words never become hashtags.
 * No variations. An administrator always reviews it.
 */
export class OfflineCaptions implements CaptionModel {
  readonly name = OFFLINE_MODEL;

  write(source: CaptionSource, _visuals: VisualDescription | null, options: CaptionOptions, signal: AbortSignal): Promise<WrittenCaption> {
    return settle(signal, (): WrittenCaption => {
      const community = source.subreddit?.replace(/\W+/g, '').toLowerCase() ?? '';
      const hashtags = options.includeHashtags && community !== '' && !isSensitive(foldText(source.title)) ? [community] : [];
      return {
        caption: withoutLinks(source.title) || (source.subreddit ? `r/${source.subreddit}` : UNTITLED),
        hashtags,
        variations: [],
        sentiment: 'neutral',
        hasCallToAction: false,
        hashtagCategories: hashtags.length === 0 ? {} : { community: hashtags },
      };
    });
  }
}

/** The caption of a post without any words: a symbol that needs no translation. */
const UNTITLED = '📷';

/** Asynchronous and abortable, like a model call. */
async function settle<T>(signal: AbortSignal, rule: () => T): Promise<T> {
  signal.throwIfAborted();
  await Promise.resolve();
  return rule();
}

/** The title as one line without links and invisible characters. */
const withoutLinks = (title: string): string =>
  withoutInvisible(title.replace(/https?:\/\/\S+/g, ' ').replace(/\s/g, ' '))
    .replace(/ {2,}/g, ' ')
    .trim();

/** Start-of-frame markers of a JPEG, which contain the size; the gaps are tables and restart markers. */
const isFrameMarker = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Pixels of a JPEG by its header, without decoding; `null` for anything but a readable JPEG. */
export function jpegSize(bytes: Uint8Array): { width: number; height: number } | null {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  for (const segment of jpegSegments(bytes)) {
    if (segment === null || !isFrameMarker(segment.marker)) continue;
    const { buffer, byteOffset, byteLength } = segment.bytes;
    const view = new DataView(buffer, byteOffset, byteLength);
    return byteLength < 9 ? null : { height: view.getUint16(5), width: view.getUint16(7) };
  }
  return null;
}
