/** Hashes within this Hamming distance (of 256 bits) count as the same picture; source: the PDQ paper's recommendation. */
export const PDQ_MATCH_DISTANCE = 31;
/**
 * Hashes within this distance are compared on pixels. Unrelated photographs are at least 84 bits apart (6.8 million comparisons); copies with
 * text over them, or cropped between two views, reach 46.
 */
export const PDQ_SIMILAR_DISTANCE = 46;
/** Below this quality (0–100) a PDQ hash is too vague to compare; source: the PDQ paper. */
export const PDQ_MIN_QUALITY = 50;

/** Part of a picture, as fractions of its width and height. */
export interface Region {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const WHOLE: Region = { left: 0, top: 0, right: 1, bottom: 1 };

/** The perceptual hash of one view of a picture or frame. */
export interface Print {
  /** 64 hex digits. */
  hash: string;
  /** 0 to 100. */
  quality: number;
  /** Position of the frame in the video; `null` for a picture. */
  atSeconds: number | null;
  /** How long the frame stays nearly the same; `null` for a picture. */
  spanSeconds?: number | null;
  /** Name of the view; missing for the whole picture. Those of insets begin with `INSET_VIEW`, those of the content with `CONTENT_VIEW`, those of parts with the name of the part. */
  view?: string;
  /** The part that was hashed; missing for the whole picture. */
  region?: Region;
  /** Whether the part was mirrored left to right. */
  mirrored?: boolean;
  /** Whether the hash is searched for. Missing: yes. */
  isQuery?: boolean;
  /** Whether searches for other media may find the hash. Missing: yes. */
  isReference?: boolean;
}

/** A rectangle inside of a picture that shows something else around it: a picture in a picture, a panel of a meme, a window on a screenshot. */
export const INSET_VIEW = 'inset';

/** The content between bars or pads, or below a caption. */
export const CONTENT_VIEW = 'content';

interface Part {
  view: string;
  region: Region;
}

/** Words over one third of a picture leave two thirds as they were. Parts never block, because memes share them. */
export const PARTS: readonly Part[] = [
  { view: 'upper two thirds', region: { left: 0, top: 0, right: 1, bottom: 2 / 3 } },
  { view: 'lower two thirds', region: { left: 0, top: 1 / 3, right: 1, bottom: 1 } },
];

/** Words across the middle, or a sticker, leave at least one third as it was: too little to say more than that the rest is worth a comparison. */
const STRIPS: readonly Part[] = [
  { view: 'upper third', region: { left: 0, top: 0, right: 1, bottom: 1 / 3 } },
  { view: 'lower third', region: { left: 0, top: 2 / 3, right: 1, bottom: 1 } },
  { view: 'left third', region: { left: 0, top: 0, right: 1 / 3, bottom: 1 } },
  { view: 'right third', region: { left: 2 / 3, top: 0, right: 1, bottom: 1 } },
];

/** Searched for in each picture and in its content, and found in works. */
export const ALL_PARTS: readonly Part[] = [...PARTS, ...STRIPS];

/** Words above and below leave the middle. Found in pictures alone, and searched for where a picture has no content inside of it. */
export const MIDDLE: Part = { view: 'middle two thirds', region: { left: 0, top: 1 / 6, right: 1, bottom: 5 / 6 } };

/** Luminance of a picture, scaled to a square, for the comparison on pixels. */
export interface Preview {
  side: number;
  /** `side` x `side` bytes, row by row. */
  luma: Uint8Array;
}

/** The fingerprint of the sound of one file. */
export interface SoundPrint {
  /** Why there is nothing to compare: no sound track; silence, a tone or noise; or sound that the installed tools cannot fingerprint. */
  state: 'compared' | 'absent' | 'featureless' | 'unavailable';
  /** Chromaprint's items of 32 bits, one every `SOUND_ITEM_SECONDS`; empty unless `compared`. */
  items: Int32Array;
}

/** Rises with each change of what files are recognised by (views, frames, sounds): prints of earlier versions are made anew. */
export const PRINTS_VERSION = 8;

/** The fingerprints of one file. */
export interface FilePrints {
  /** `null` for a claim that is known by image hashes only. */
  sha256: string | null;
  pdq: readonly Print[];
  /** Of pictures; missing for videos and for prints of earlier versions. */
  preview?: Preview | null;
  /** Missing for pictures and for prints of earlier versions. */
  sound?: SoundPrint | null;
}

/**
 * Of a frame of few colours, such as a number on a background: the lowest quality that is compared. Frames with the same number are near each
 * other whatever else the videos show, and PDQ itself gives a low quality to small numbers alone.
 */
export const PLAIN_QUALITY = 50;

export const isUsable = (print: Print): boolean => print.quality >= PDQ_MIN_QUALITY;
/** Whether a view shows the whole content between bars or pads, or below a caption. */
export const isContent = (view: string | undefined): boolean => view?.startsWith(CONTENT_VIEW) ?? false;
export const isInset = (view: string | undefined): boolean => view?.startsWith(INSET_VIEW) ?? false;
const partOf = (parts: readonly Part[], view = ''): string | null => parts.find((part) => view.startsWith(part.view))?.view ?? null;
/** The strip of the picture, or of its content, that a view shows; `null` for another view. */
export const stripOf = (view: string | undefined): string | null => partOf(STRIPS, view);
/** Strips included. */
export const isPart = (view: string | undefined): boolean => partOf([...ALL_PARTS, MIDDLE], view) !== null;
export const isFrame = (print: Print): boolean => print.atSeconds !== null;

/** The prints of an item that the register is searched for, with the number of their file. */
export const queryPrints = (files: readonly FilePrints[]): { file: number; print: Print }[] =>
  files.flatMap(({ pdq }, file) => pdq.filter((print) => isUsable(print) && print.isQuery !== false).map((print) => ({ file, print })));

interface QueryFrame {
  at: number;
  span: number;
  usable: boolean;
  isPlain: boolean;
  hash: string;
}

/** The searched frames of a video, each once however many views it has, with the time until the next. */
export function queryFrames({ pdq }: FilePrints): QueryFrame[] {
  const frames = pdq.filter((print) => isFrame(print) && print.isQuery !== false && print.region === undefined && !print.mirrored);
  const times = new Map(
    frames.map((print) => {
      const { hash, quality, atSeconds, spanSeconds } = print;
      return [atSeconds ?? 0, { span: spanSeconds ?? 1, usable: isUsable(print), isPlain: quality <= PLAIN_QUALITY, hash }];
    }),
  );
  const sorted = [...times].sort(([a], [b]) => a - b);
  return sorted.map(([at, { span, ...frame }], index) => ({ ...frame, at, span: (sorted[index + 1]?.[0] ?? at + span) - at }));
}
