const [PREFIX, SCAN, END] = [0xff, 0xda, 0xd9];
export const JPEG_END = END;

export interface JpegSegment {
  marker: number;
  /** From its prefix on, with its length; that of a scan with the coded data behind it. */
  bytes: Uint8Array;
}

/**
 * The segments of a JPEG file between its start marker and its end marker, which is the last one (ITU-T T.81, annex B). They are skipped by their
 * length, so that the markers of an embedded preview do not count. Ends with `null` at bytes that begin no segment, and without an end marker
 * where the file is cut off.
 */
export function* jpegSegments(bytes: Uint8Array): Generator<JpegSegment | null> {
  for (let start = 2; start + 1 < bytes.length;) {
    const marker = bytes[start + 1] ?? 0;
    if (bytes[start] !== PREFIX) {
      yield null;
      return;
    }
    // any number of prefixes fills up to a marker
    if (marker === PREFIX) start += 1;
    else {
      const end = endOf(bytes, start, marker);
      yield { marker, bytes: bytes.subarray(start, end) };
      if (marker === END) return;
      start = end;
    }
  }
}

function endOf(bytes: Uint8Array, start: number, marker: number): number {
  const behindMarker = start + 2;
  // TEM, the restarts, and the markers of start and end have no length
  if (marker === 0x01 || (marker >= 0xd0 && marker <= END)) return behindMarker;
  const end = behindMarker + (bytes[start + 2] ?? 0) * 256 + (bytes[start + 3] ?? 0);
  return marker === SCAN ? endOfScan(bytes, end) : end;
}

/** Coded data ends at a marker; 0xff 0x00 is a byte of it, and restarts are part of it. */
function endOfScan(bytes: Uint8Array, start: number): number {
  for (let index = bytes.indexOf(PREFIX, start); index >= 0; index = bytes.indexOf(PREFIX, index + 1)) {
    const follows = bytes[index + 1] ?? 0;
    if (follows !== 0 && (follows < 0xd0 || follows > 0xd7)) return index;
  }
  return bytes.length;
}
