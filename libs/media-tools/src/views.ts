import { PARTS, type Print, type Region } from '@autoposter/domain';
import { luminanceAt, pdqOfSamples, type PdqPair, SIDE } from './pdq';
import type { RgbPicture } from './pictures';

type View = Pick<Print, 'view' | 'region' | 'mirrored'>;

/** Sums of the luminance, so that the mean of any rectangle costs four additions. */
export class LumaPicture {
  private readonly sums: Float64Array;

  constructor(
    { rgb }: RgbPicture,
    readonly width: number,
    readonly height: number,
  ) {
    const line = width + 1;
    this.sums = new Float64Array(line * (height + 1));
    for (let row = 0; row < height; row += 1) {
      let sum = 0;
      for (let column = 0; column < width; column += 1) {
        const at = (row * width + column) * 3;
        sum += luminanceAt(rgb, at);
        this.sums[(row + 1) * line + column + 1] = (this.sums[row * line + column + 1] as number) + sum;
      }
    }
  }

  /** Means of a grid of `side` x `side` cells over a part of the picture. */
  grid(region: Region, side: number): Float32Array {
    return this.cells(region, side, side);
  }

  /** Means of a grid over a part of the picture, row by row; `samples` receives them. */
  cells({ left, top, right, bottom }: Region, across: number, down: number, samples = new Float32Array(across * down)): Float32Array {
    const columns = edges(left * this.width, right * this.width, across, this.width);
    const rows = edges(top * this.height, bottom * this.height, down, this.height);
    const line = this.width + 1;
    for (let row = 0; row < down; row += 1) {
      const [from, to] = [rows[2 * row] as number, rows[2 * row + 1] as number];
      for (let column = 0; column < across; column += 1) {
        const [first, last] = [columns[2 * column] as number, columns[2 * column + 1] as number];
        const sum =
          (this.sums[to * line + last] as number) -
          (this.sums[from * line + last] as number) -
          (this.sums[to * line + first] as number) +
          (this.sums[from * line + first] as number);
        samples[row * across + column] = sum / ((to - from) * (last - first));
      }
    }
    return samples;
  }

  /** Means of a grid over a part that is turned around its centre; `samples` receives them. Cells are upright: at small angles they show nearly the same. */
  turnedCells({ left, top, right, bottom }: Region, degrees: number, side: number, samples: Float32Array): Float32Array {
    const [width, height] = [(right - left) * this.width, (bottom - top) * this.height];
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const [across, down] = [width, height].map((length) => Math.max(1, Math.round(length / side))) as [number, number];
    const [x, y] = [((left + right) * this.width - across) / 2, ((top + bottom) * this.height - down) / 2];
    const line = this.width + 1;
    const inside = (from: number, limit: number): number => Math.max(0, Math.min(limit, Math.round(from)));
    for (let row = 0, to = 0; row < side; row += 1) {
      const v = ((row + 0.5) / side - 0.5) * height;
      for (let column = 0; column < side; column += 1, to += 1) {
        const u = ((column + 0.5) / side - 0.5) * width;
        const first = inside(x + u * cos - v * sin, this.width - across);
        const above = inside(y + u * sin + v * cos, this.height - down) * line + first;
        const below = above + down * line;
        const { sums } = this;
        samples[to] = (sums[below + across]! - sums[below]! - sums[above + across]! + sums[above]!) / (across * down);
      }
    }
    return samples;
  }
}

/** Start and end of each cell in whole pixels, at least one apart. */
function edges(from: number, to: number, count: number, limit: number): Int32Array {
  const found = new Int32Array(2 * count);
  for (let index = 0; index < count; index += 1) {
    const start = Math.min(limit - 1, Math.max(0, Math.round(from + ((to - from) * index) / count)));
    found[2 * index] = start;
    found[2 * index + 1] = Math.min(limit, Math.max(start + 1, Math.round(from + ((to - from) * (index + 1)) / count)));
  }
  return found;
}

const inset = (share: number): Region => ({ left: share, top: share, right: 1 - share, bottom: 1 - share });

/** Insets of 1.5 to 16.5 % on each side: hashes of adjacent crops stay within the match distance of each other. */
const CROPS = [0.015, 0.03, 0.05, 0.07, 0.1, 0.13, 0.165];
const VIDEO_CROPS = [0.03, 0.045, 0.06, 0.08, 0.1];
/** Of smaller crops the parts are near those of the whole; of larger ones too little is left. */
const WRITTEN_CROPS = { from: 0.03, to: 0.13 } as const;
/** Shares that are cut off at one side, for example with a caption. Frames have to be nearer than pictures. */
const EDGES = [0.05, 0.1, 0.15, 0.2];
const VIDEO_EDGES = [0.04, 0.07, 0.1, 0.13];
/** Shares that are cut off at two opposite sides, for example for another ratio. */
const BANDS = [0.05, 0.085, 0.12];
/** Shares that are cut off at two adjacent sides, for example with a logo. */
const CORNERS = [0.045, 0.075, 0.105];
const percent = (share: number): number => Math.round(share * 1000) / 10;

const RATIOS = [
  [9, 16],
  [4, 5],
  [1, 1],
] as const;
/** Videos are also shown in one half of a tall frame, above or below another video. */
const VIDEO_RATIOS = [...RATIOS, [9, 8]] as const;

/**
 * Views of a work that copies of it show: crops around the centre and the usual ratios, the two thirds of these that words leave free, parts
 * without one side or two. They are only searched for by others; nothing is ever written in these forms. Of videos only claims keep them.
 */
export function referenceViews(width: number, height: number, kind: 'image' | 'video'): View[] {
  const shares = kind === 'image' ? CROPS : VIDEO_CROPS;
  const ratios = (kind === 'image' ? RATIOS : VIDEO_RATIOS).flatMap(([across, down]) => {
    const region = centred(width, height, across / down);
    return region === null ? [] : [{ view: `${across}:${down}`, region }];
  });
  const views: View[] = [...shares.map(crop), ...ratios];
  // words are put on copies that were cut before
  const written = shares.filter((share) => share >= WRITTEN_CROPS.from && share <= WRITTEN_CROPS.to).map(crop);
  views.push(...[...written, ...ratios].flatMap(partsOfView));
  for (const share of kind === 'image' ? EDGES : VIDEO_EDGES) for (const side of SIDES) views.push(without([side], share));
  for (const share of BANDS) views.push(without(['upper', 'lower'], share), without(['left', 'right'], share));
  for (const share of CORNERS)
    for (const row of ['upper', 'lower'] as const)
      for (const column of ['left', 'right'] as const) views.push(without([row, column], share));
  return views;
}

/** Degrees by which copies are turned. */
const TURNS = [-4, -2, 2, 4];

/** Views of a work as copies show it that were turned and then cropped, so that no background is left in the corners. */
export function turnedViews(width: number, height: number): { view: string; region: Region; degrees: number }[] {
  const longer = Math.max(width / height, height / width);
  return TURNS.map((degrees) => {
    const angle = (Math.abs(degrees) * Math.PI) / 180;
    return { view: `turned ${degrees}°`, region: inset((1 - 1 / (Math.cos(angle) + longer * Math.sin(angle))) / 2), degrees };
  });
}

const crop = (share: number) => ({ view: `crop ${percent(share)} %`, region: inset(share) });

const partsOfView = (outer: { view: string; region: Region }): View[] =>
  PARTS.map(({ view, region }) => ({ view: `${view} of ${outer.view}`, region: regionWithin(outer.region, region) }));

const SIDES = ['upper', 'lower', 'left', 'right'] as const;

function without(sides: readonly (typeof SIDES)[number][], share: number): View {
  const cut = (side: (typeof SIDES)[number]): number => (sides.includes(side) ? share : 0);
  const region = { left: cut('left'), top: cut('upper'), right: 1 - cut('right'), bottom: 1 - cut('lower') };
  return { view: `without ${sides.join(' and ')} ${percent(share)} %`, region };
}

/** The largest centred part with this ratio; `null` if that is nearly the whole. */
function centred(width: number, height: number, ratio: number): Region | null {
  const x = Math.min(1, (height * ratio) / width);
  const y = Math.min(1, width / ratio / height);
  if (x * y > 0.97) return null;
  return { left: (1 - x) / 2, top: (1 - y) / 2, right: (1 + x) / 2, bottom: (1 + y) / 2 };
}

/** A part of a part. */
export function regionWithin(outer: Region, inner: Region): Region {
  const [width, height] = [outer.right - outer.left, outer.bottom - outer.top];
  return {
    left: outer.left + inner.left * width,
    top: outer.top + inner.top * height,
    right: outer.left + inner.right * width,
    bottom: outer.top + inner.bottom * height,
  };
}

/** Reused for each view, because allocation costs time. */
const viewSamples = new Float32Array(SIDE * SIDE);

/** PDQ hashes of one view; `mirrored` costs little, because mirroring only changes the signs of every second frequency. */
export const hashView = (picture: LumaPicture, region: Region): PdqPair => pdqOfSamples(picture.cells(region, SIDE, SIDE, viewSamples));

export const hashTurned = (picture: LumaPicture, region: Region, degrees: number): PdqPair =>
  pdqOfSamples(picture.turnedCells(region, degrees, SIDE, viewSamples));
