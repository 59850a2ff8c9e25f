import { type FilePrints, isUsable, PDQ_SIMILAR_DISTANCE, queryPrints, WHOLE } from './prints';
import type { PrintHit, Work } from './rights-match';

/** Our files and prints that are identical to, or near, those of one work. */
export function hitsBetween(ours: readonly FilePrints[], work: Work, theirs: readonly FilePrints[]): PrintHit[] {
  const hits: PrintHit[] = [];
  for (const { sha256 } of theirs) {
    if (sha256 === null || !ours.some((file) => file.sha256 === sha256)) continue;
    hits.push({ ...work, ours: null, sha256, distance: 0, their: null, theirSeconds: null });
  }
  const searched = queryPrints(ours).map(({ print }) => wordsOf(print.hash));
  for (const [file, { pdq }] of theirs.entries()) {
    const references = pdq.filter((print) => isUsable(print) && print.isReference !== false);
    const full = references.filter(({ view }) => view === undefined);
    const seconds = coveredSeconds(full.map(({ atSeconds, spanSeconds }) => [atSeconds ?? 0, (atSeconds ?? 0) + (spanSeconds ?? 1)]));
    for (const print of references) {
      const words = wordsOf(print.hash);
      for (const [index, own] of searched.entries()) {
        const distance = distanceOf(own, words);
        if (distance > PDQ_SIMILAR_DISTANCE) continue;
        const { atSeconds, spanSeconds = null, region = WHOLE, mirrored = false, view = 'full' } = print;
        const their = { file, view, region, mirrored, atSeconds, spanSeconds };
        hits.push({ ...work, ours: index, sha256: null, distance, their, theirSeconds: atSeconds === null ? null : seconds });
      }
    }
  }
  return hits;
}

/** Length of the parts of a video that intervals cover; frames between two samples lie within the span of the first. */
export function coveredSeconds(intervals: readonly (readonly [from: number, to: number])[]): number {
  let [total, end] = [0, Number.NEGATIVE_INFINITY];
  for (const [from, to] of [...intervals].sort((a, b) => a[0] - b[0])) {
    total += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return total;
}

/** Number of the 256 bits that differ; throws `RangeError` for a malformed hash. */
export function hammingDistance(a: string, b: string): number {
  if (!HASH.test(a) || !HASH.test(b)) throw new RangeError('a PDQ hash has 64 hex digits');
  return distanceOf(wordsOf(a), wordsOf(b));
}

const HASH = /^[0-9a-f]{64}$/;

const wordsOf = (hash: string): Int32Array =>
  Int32Array.from({ length: 8 }, (_word, at) => Number.parseInt(hash.slice(at * 8, at * 8 + 8), 16));

function distanceOf(a: Int32Array, b: Int32Array): number {
  let distance = 0;
  for (let at = 0; at < 8; at += 1) {
    let bits = (a[at] as number) ^ (b[at] as number);
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    distance += (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
  }
  return distance;
}
