import { LIMITS } from '@autoposter/contracts';

/** Seconds per item of a sound print: Chromaprint moves by 1,365 samples at 11,025 Hz (source: its `FrameSize / 3`). */
export const SOUND_ITEM_SECONDS = 1365 / 11_025;
/** Items that one item covers beside its own: it is of 2.6 seconds of sound. */
const ITEM_REACH = 20;
const ITEM_BITS = 32;

/** Length of the sound that so many items in a row are of. */
export const secondsOf = (items: number): number => (items === 0 ? 0 : (items + ITEM_REACH) * SOUND_ITEM_SECONDS);

/** The items that the register is searched for: those of pauses and held tones, which repeat, are in many sounds. */
export function searchedItems(items: Int32Array): number[] {
  const held = new Set(items.filter((item, at) => at > 0 && item === items[at - 1]));
  return [...new Set(items)].filter((item) => !held.has(item));
}

/** Where two sounds agree, in items of each. */
export interface SoundAgreement {
  ours: number;
  theirs: number;
  items: number;
  /** Share of the bits that differ, 0 to 1. */
  bitErrors: number;
}

/** Offsets that are compared item by item: those with most equal items. */
const OFFSETS = 4;
/** Positions of one item that are compared: more are a held tone. */
const POSITIONS = 16;
/** Length of the window whose mean decides, in items: two seconds. */
const WINDOW = 16;
/** Items apart at which a sound is compared with itself; not multiples of each other, so that a beat does not hide in them. */
const LAGS = [5, 13, 29] as const;
/** Share of bits in which a sound must differ from itself some seconds later: silence and tones 0, beeps 0.08, white noise 0.17, music from 0.31 on. */
const MIN_VARIATION = 0.2;
/**
 * Part of its own variation in which a copy may differ. Steady noise (0.26 to 0.31) is as near to other noise of its colour as to itself: 0.74 and
 * more; generated music played 3 % faster reaches 0.6.
 */
const DISTINCT = 0.65;

/** Whether the sound changes enough for equal items to mean anything: not silence, a tone or steady noise. */
export const hasFeatures = (items: Int32Array): boolean => variation(items) >= MIN_VARIATION;

function variation(items: Int32Array): number {
  let [bits, compared] = [0, 0];
  for (const lag of LAGS) {
    for (let at = lag; at < items.length; at += 1, compared += 1) bits += differing(items[at] as number, items[at - lag] as number);
  }
  return compared === 0 ? 0 : bits / compared / ITEM_BITS;
}

/**
 * The longest part of both sounds whose items differ in at most this share of their bits. Its offset has several equal items, as the search for
 * candidates requires. `null` if there is none, and for a part without features.
 */
export function compareSounds(
  ours: Int32Array,
  theirs: Int32Array,
  maxBitErrors: number = LIMITS.rightsThresholds.soundBitErrors.default,
): SoundAgreement | null {
  let best: SoundAgreement | null = null;
  for (const offset of likelyOffsets(ours, theirs)) {
    const found = longestAt(ours, theirs, offset, maxBitErrors);
    if (found === null || found.items <= (best?.items ?? 0)) continue;
    const change = variation(ours.subarray(found.ours, found.ours + found.items));
    if (change >= MIN_VARIATION && found.bitErrors <= change * DISTINCT) best = found;
  }
  return best;
}

/** Items by which theirs is ahead of ours, most equal items first. */
function likelyOffsets(ours: Int32Array, theirs: Int32Array): number[] {
  const positions = new Map<number, number[]>();
  for (const [at, item] of theirs.entries()) {
    const held = positions.get(item);
    if (held === undefined) positions.set(item, [at]);
    else if (held.length < POSITIONS) held.push(at);
  }
  const votes = new Map<number, number>();
  for (const [at, item] of ours.entries())
    for (const other of positions.get(item) ?? []) votes.set(other - at, (votes.get(other - at) ?? 0) + 1);
  return [...votes]
    .sort((a, b) => b[1] - a[1])
    .slice(0, OFFSETS)
    .map(([offset]) => offset);
}

function longestAt(ours: Int32Array, theirs: Int32Array, offset: number, maxBitErrors: number): SoundAgreement | null {
  const from = Math.max(0, -offset);
  const length = Math.min(ours.length, theirs.length - offset) - from;
  if (length < WINDOW) return null;
  const bits = Uint8Array.from({ length }, (_item, at) => differing(ours[from + at] as number, theirs[from + at + offset] as number));
  const most = maxBitErrors * ITEM_BITS * WINDOW;
  let [sum, start, best] = [0, -1, { at: 0, items: 0 }];
  for (let end = 1; end <= length; end += 1) {
    sum += bits[end - 1] as number;
    if (end > WINDOW) sum -= bits[end - 1 - WINDOW] as number;
    if (end < WINDOW) continue;
    if (sum > most) start = -1;
    else if (start < 0) start = end - WINDOW;
    if (start >= 0 && end - start > best.items) best = { at: start, items: end - start };
  }
  // the mean of a window carries it over the ends of what agrees
  const agrees = (at: number): boolean => (bits[at] as number) <= maxBitErrors * ITEM_BITS;
  let [first, end] = [best.at, best.at + best.items];
  while (first < end && !agrees(first)) first += 1;
  while (first < end && !agrees(end - 1)) end -= 1;
  const items = end - first;
  if (items === 0) return null;
  const total = bits.subarray(first, end).reduce((all, each) => all + each, 0);
  return { ours: from + first, theirs: from + first + offset, items, bitErrors: total / items / ITEM_BITS };
}

function differing(a: number, b: number): number {
  let bits = a ^ b;
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
