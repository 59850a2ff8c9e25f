import {
  ALL_PARTS,
  type FilePrints,
  hammingDistance,
  isFlat,
  isInset,
  isPlain,
  MIDDLE,
  PLAIN_QUALITY,
  type Preview,
  type Print,
  type Region,
  WHOLE,
} from '@autoposter/domain';
import { type ContentCredentials, readContentCredentials } from './content-credentials';
import { ContentFinder, type FoundView } from './content-region';
import type { Area, FileOrigin } from './media-info';
import { REEL, type Toolbox } from './media-limits';
import { type PdqPair, pdqHash } from './pdq';
import { barsOfPicture } from './picture-bars';
import { decodePicture, type RgbPicture } from './pictures';
import type { ProbedFile } from './probe';
import type { ReelAnalysis } from './reel-analysis';
import { printSound } from './sound-print';
import { eachFrame } from './video-frames';
import { hashTurned, hashView, LumaPicture, referenceViews, regionWithin, turnedViews } from './views';

/** What the decoded file tells; the SHA-256 of its bytes is known since they were stored. */
export interface Fingerprint extends Omit<FilePrints, 'sha256'> {
  /** Position of the frame that serves best as a cover; `null` for a picture. */
  coverSeconds: number | null;
  /** What the file says about its origin; `null` if it says nothing. */
  contentCredentials?: ContentCredentials | null;
}

/** What one decoding of a file tells. */
export interface MediaAnalysis {
  fingerprint: Fingerprint;
  source: ProbedFile;
  /** The area inside black bars; `null` without bars. Of a picture in its upright pixels. */
  bars: Area | null;
  /** Integrated loudness of the part of a video that is written, in LUFS; `null` for silence and for a picture. */
  loudness: number | null;
}

/** PDQ is defined for pictures up to this size; larger ones are scaled down first. */
const PDQ_SIDE = 512;
/** Enough for 64 samples a side; every frame passes through a pipe, and the frames of all scenes are in memory. */
const FRAME_SIDE = 192;
/** Two samples in a second; the longest part of a post that is published has this many, at equal steps. */
const STEP_SECONDS = 0.5;
const MAX_FRAMES = 120;
/**
 * Distance of the frames between two samples, which the samples of a copy may show: one that begins 0.2 s later is sampled at other moments, and of
 * a pan over a tenth of the picture in a second no two samples would be alike. Frames between are only searched for by others.
 */
const BETWEEN_SECONDS = 0.125;
/** Of a longer work one frame between two samples is kept. */
const LONG_WORK_SECONDS = 180;
/** Frames whose views the register is searched for; each costs an index search per view. The others are searched for as they are and mirrored. */
const MAX_QUERY_FRAMES = 24;
/** Frames of a work of which the views that copies show are hashed. */
const MAX_VIEWED_FRAMES = 60;
/** Scenes of which the pixels stay in memory, 170 KB each. */
const MAX_PIXELS = 240;
/** Scenes of a work, and frames between them; only a work without a duration may have more. */
const MAX_SCENES = 2000;
/** Consecutive frames within this distance are one scene; the frame with the best quality is kept. */
const SAME_SCENE = 6;
/** Rectangles beside which the middle of a picture is not searched for. */
const MAX_RECTANGLES = 8;
/** Stored per picture: enough to tell the words of two cards apart, 36 KB before compression. */
const PREVIEW_SIDE = 192;

export async function analyseFile(
  toolbox: Toolbox,
  path: string,
  { source, origin }: { source: ProbedFile; origin: FileOrigin },
  signal: AbortSignal,
): Promise<MediaAnalysis> {
  const contentCredentials = await readContentCredentials({ ...source.file, path });
  if (source.info.kind === 'video') {
    const { reel, ...prints } = await videoPrints(toolbox, source, origin, signal);
    const sound = await printSound(toolbox, source, origin, signal);
    return { fingerprint: { contentCredentials, ...prints, sound }, source, ...reel };
  }
  const picture = await decodePicture(source.file.path, PDQ_SIDE, toolbox.limits);
  const fingerprint = { contentCredentials, coverSeconds: null, ...picturePrints(picture) };
  return { fingerprint, source, bars: barsOfPicture(picture, source.info), loudness: null };
}

/** The hashes of a picture as it is and mirrored, of its content without bars, and of the parts that copies show. */
function picturePrints(picture: RgbPicture): { pdq: Print[]; preview: Preview } {
  const luma = new LumaPicture(picture, picture.width, picture.height);
  const finder = new ContentFinder();
  finder.add(luma);
  const views = referenceViews(picture.width, picture.height, 'image').map(({ view, region }) => ({
    ...printOf(hashView(luma, region ?? WHOLE), { view, region }),
    isQuery: false,
  }));
  const turned = turnedViews(picture.width, picture.height).map(({ degrees, ...view }) => ({
    ...printOf(hashTurned(luma, view.region, degrees), view),
    isQuery: false,
  }));
  const found = finder.views();
  // a picture with more rectangles has the most searched hashes already
  const isQuery = found.length < MAX_RECTANGLES && found.every(({ view }) => isInset(view));
  const middle = { ...printOf(hashView(luma, MIDDLE.region), MIDDLE), isQuery };
  const pdq = [...queriesOf(luma, pdqHash(picture.rgb, picture.width, picture.height), found), middle, ...views, ...turned];
  return { pdq: pdq.map((print) => ({ ...print, atSeconds: null })), preview: previewOf(luma) };
}

function previewOf(luma: LumaPicture, region: Region = WHOLE): Preview {
  const grid = luma.grid(region, PREVIEW_SIDE);
  const rounded = new Uint8Array(grid.length);
  // `Uint8Array.from` with a function takes several times as long
  for (let at = 0; at < grid.length; at += 1) rounded[at] = Math.round(grid[at] as number);
  return { side: PREVIEW_SIDE, luma: rounded };
}

type View = Omit<Print, 'atSeconds'>;

/** What is searched for: the picture, its mirror image, both of each part that may be the content, and the parts of the picture and of the likeliest content. */
function queriesOf(luma: LumaPicture, whole: PdqPair, found: readonly FoundView[]): View[] {
  const parts = found.flatMap((part) => bothWays(luma, part));
  const content = found.find(({ view }) => !isInset(view));
  const partsOfContent = content === undefined ? [] : partsOf(luma, content.region, ' of the content').map(onlySearched);
  return [printOf(whole, {}), mirroredOf(whole), ...parts, ...partsOfContent, ...partsOf(luma, WHOLE)];
}

/** Words are lines, which leave the parts above and below them, and are put on mirrored copies too. */
function partsOf(luma: LumaPicture, outer: Region, of = ''): View[] {
  return ALL_PARTS.flatMap(({ view, region: inner }) => {
    const part = { view: `${view}${of}`, region: regionWithin(outer, inner) };
    return isWide(inner) ? bothWays(luma, part) : [printOf(hashView(luma, part.region), part)];
  });
}

const onlySearched = <T extends Partial<View>>(view: T) => ({ ...view, isReference: false });
const isWide = ({ left, right }: Region): boolean => left === 0 && right === 1;

/** A part as it is, and mirrored, which is only searched for: works have theirs as they are. */
function bothWays(luma: LumaPicture, part: Required<Pick<Print, 'view' | 'region'>>): View[] {
  const pair = hashView(luma, part.region);
  return [printOf(pair, part), onlySearched(mirrorOf(pair, { ...part, view: `${part.view}, mirrored` }))];
}

const printOf = ({ hash, quality }: PdqPair, view: Partial<View>): View => ({ ...view, hash, quality });
/** Only searched for: works have theirs as they are. */
const mirroredOf = (whole: PdqPair): View => onlySearched(mirrorOf(whole, { view: 'mirrored' }));
const mirrorOf = ({ mirrored, quality }: PdqPair, view: Partial<View>): View => ({ ...view, hash: mirrored, quality, mirrored: true });

interface Scene {
  at: number;
  /** `null` if too many scenes are in memory. */
  luma: LumaPicture | null;
  whole: PdqPair;
}

/**
 * Of a post the part that is published is compared, and of a work all of it, because a copy may show any part. A post may hold all of a work that
 * lasts three seconds, so that each of its scenes is searched for.
 */
async function videoPrints(
  toolbox: Toolbox,
  probed: ProbedFile,
  origin: FileOrigin,
  signal: AbortSignal,
): Promise<{ pdq: Print[]; coverSeconds: number; reel: ReelAnalysis }> {
  const duration = probed.info.durationSeconds;
  const isWork = origin === 'claimed';
  const plan = { ...(isWork ? stepsOfWork(duration) : stepsOfPost(duration)), maxSide: FRAME_SIDE };
  const sampler = new FrameSampler(duration, plan.stepSeconds, plan.framesPerStep);
  const reel = await eachFrame(
    toolbox,
    probed,
    { ...plan, stepSeconds: plan.stepSeconds / plan.framesPerStep },
    (picture, at) => sampler.add(picture, at),
    signal,
  );
  sampler.end();
  const { scenes, between, endSeconds } = sampler;
  const parts = sampler.content.views().map(onlySearched);
  const content = parts.find(({ view }) => !isInset(view))?.region;
  const visible = scenes.flatMap(({ luma }, index) => (luma === null ? [] : [index]));
  const queried = evenlyOf(visible, MAX_QUERY_FRAMES);
  const viewed = evenlyOf(visible, isWork ? MAX_VIEWED_FRAMES : 0);
  const spans = scenes.map(({ at }, index) => (scenes[index + 1]?.at ?? endSeconds) - at);
  const viewsOf = ({ luma, whole }: Scene, index: number): View[] => {
    if (luma === null) return [{ ...printOf(whole, {}), isQuery: false }];
    const isQuery = queried.has(index);
    const views = viewed.has(index) ? [...referenceViews(luma.width, luma.height, 'video'), ...(isQuery ? [] : ALL_PARTS)] : [];
    const cut = views.map(({ view, region }): View => ({ ...printOf(hashView(luma, region ?? WHOLE), { view, region }), isQuery: false }));
    if (isWork && !isQuery) return [{ ...printOf(whole, {}), isQuery: false }, ...cut];
    const searched = cappedIfPlain(whole, luma, content);
    return isQuery ? [...queriesOf(luma, searched, parts), ...cut] : [printOf(searched, {}), mirroredOf(searched)];
  };
  const pdq = scenes.flatMap((scene, index) =>
    viewsOf(scene, index).map((print) => ({ ...print, atSeconds: scene.at, spanSeconds: spans[index] as number })),
  );
  return { pdq: [...pdq, ...between], coverSeconds: sampler.cover.seconds, reel };
}

interface Steps {
  stepSeconds: number;
  /** Its sample included. */
  framesPerStep: number;
  /** Where the compared part ends; `null` for all of the video. */
  endSeconds: number | null;
}

function stepsOfPost(duration: number | null): Steps {
  const stepSeconds = Math.max(STEP_SECONDS, Math.min(duration ?? 0, REEL.maxSeconds) / MAX_FRAMES);
  return { stepSeconds, framesPerStep: Math.round(stepSeconds / BETWEEN_SECONDS), endSeconds: REEL.maxSeconds };
}

function stepsOfWork(duration: number | null): Steps {
  const framesPerStep = (duration ?? 0) > LONG_WORK_SECONDS ? 2 : STEP_SECONDS / BETWEEN_SECONDS;
  return { stepSeconds: STEP_SECONDS, framesPerStep, endSeconds: null };
}

/** Lowers the quality of a frame whose content is plain, so that such frames alone make no copy. */
const cappedIfPlain = (whole: PdqPair, luma: LumaPicture, content: Region | undefined): PdqPair =>
  whole.quality > PLAIN_QUALITY && isPlain(previewOf(luma, content)) ? { ...whole, quality: PLAIN_QUALITY } : whole;

/** What is kept of the frames of a video while they are decoded: samples, one for each step, and the frames between them. */
class FrameSampler {
  readonly scenes: Scene[] = [];
  readonly between: Print[] = [];
  readonly content = new ContentFinder();
  readonly cover: CoverFinder;
  /** When the step of the last sample ends. */
  endSeconds = 0;
  private frames = 0;
  private lastHash: string | null = null;
  private unsampled: { picture: RgbPicture; at: number } | null = null;
  /** Of each this many scenes one keeps its pixels. */
  private pixelsEvery = 1;

  constructor(
    duration: number | null,
    private readonly stepSeconds: number,
    private readonly framesPerStep: number,
  ) {
    this.cover = new CoverFinder(duration);
  }

  /** Samples the last frame of each step, because the first one after a cut still has traces of the scene before. */
  add(picture: RgbPicture, at: number): void {
    this.frames += 1;
    const isSample = this.frames % this.framesPerStep === 0;
    if (isSample) this.sample(picture, at);
    else this.addBetween(picture, at);
    this.unsampled = isSample ? null : { picture, at };
  }

  /** Samples the last frame of a video that ends within a step. */
  end(): void {
    if (this.unsampled !== null) this.sample(this.unsampled.picture, this.unsampled.at);
  }

  private sample(picture: RgbPicture, at: number): void {
    const { scenes } = this;
    const luma = new LumaPicture(picture, picture.width, picture.height);
    const whole = pdqHash(picture.rgb, picture.width, picture.height);
    this.content.add(luma);
    this.cover.add(luma, at);
    this.endSeconds = at + this.stepSeconds;
    this.lastHash = whole.hash;
    const last = scenes.at(-1);
    if (last && hammingDistance(last.whole.hash, whole.hash) <= SAME_SCENE) {
      if (whole.quality > last.whole.quality) scenes[scenes.length - 1] = { at: last.at, luma: last.luma && luma, whole };
    } else {
      scenes.push({ at, luma: scenes.length % this.pixelsEvery === 0 ? luma : null, whole });
      this.boundMemory();
    }
  }

  private boundMemory(): void {
    const { scenes } = this;
    if (scenes.length > MAX_SCENES) {
      scenes.splice(0, scenes.length, ...everySecond(scenes));
      this.pixelsEvery /= 2;
    }
    if (scenes.length <= MAX_PIXELS * this.pixelsEvery) return;
    this.pixelsEvery *= 2;
    for (const [index, scene] of scenes.entries()) if (index % this.pixelsEvery !== 0) scene.luma = null;
  }

  private addBetween(picture: RgbPicture, at: number): void {
    const { between } = this;
    const { hash, quality } = pdqHash(picture.rgb, picture.width, picture.height);
    if (this.lastHash !== null && hammingDistance(this.lastHash, hash) <= SAME_SCENE) return;
    this.lastHash = hash;
    between.push({ hash, quality, atSeconds: at, spanSeconds: this.stepSeconds / this.framesPerStep, isQuery: false });
    if (between.length > MAX_SCENES) between.splice(0, between.length, ...everySecond(between));
  }
}

const everySecond = <T>(values: readonly T[]): T[] => values.filter((_value, index) => index % 2 === 0);

/** Titles and fades are at the ends. */
const COVER_MARGIN_SECONDS = 0.5;
const COVER_SIDE = 96;
/** Mean levels (of 255) of a frame that is nearly black or white. */
const COVER_LEVELS = { darkest: 32, brightest: 235 } as const;
/** What an unsuitable frame keeps of its score: it is the cover only if all frames are like it. */
const UNSUITABLE = 0.01;

/** Finds the sharpest frame of the written part that is neither black nor white nor a text on one colour. */
class CoverFinder {
  seconds = 0;
  private best = -1;

  constructor(private readonly duration: number | null) {}

  add(luma: LumaPicture, at: number): void {
    const end = Math.min(this.duration ?? REEL.maxSeconds, REEL.maxSeconds);
    if (at >= end) return;
    const grid = luma.grid(WHOLE, COVER_SIDE);
    const isAtEnd = at < COVER_MARGIN_SECONDS || at > end - COVER_MARGIN_SECONDS;
    const highest = sharpness(grid) * (isAtEnd ? 0.5 : 1);
    // whether a frame is flat costs more than all else, and only lowers its score
    if (highest <= this.best) return;
    const mean = grid.reduce((sum, level) => sum + level, 0) / grid.length;
    const isUnsuitable = mean < COVER_LEVELS.darkest || mean > COVER_LEVELS.brightest || isFlat(previewOf(luma));
    const score = highest * (isUnsuitable ? UNSUITABLE : 1);
    if (score <= this.best) return;
    this.best = score;
    this.seconds = at;
  }
}

/** Difference of the samples to the mean of the four adjacent ones, as a sum. */
function sharpness(grid: Float32Array): number {
  const at = (index: number): number => grid[index] as number;
  let sum = 0;
  for (let row = 1; row < COVER_SIDE - 1; row += 1) {
    for (let index = row * COVER_SIDE + 1; index < (row + 1) * COVER_SIDE - 1; index += 1)
      sum += Math.abs(4 * at(index) - at(index - 1) - at(index + 1) - at(index - COVER_SIDE) - at(index + COVER_SIDE));
  }
  return sum;
}

/** Up to `most` of the values, evenly over all. */
function evenlyOf(values: readonly number[], most: number): Set<number> {
  if (values.length <= most) return new Set(values);
  return new Set(Array.from({ length: most }, (_each, index) => values[Math.floor(((index + 0.5) * values.length) / most)] as number));
}
