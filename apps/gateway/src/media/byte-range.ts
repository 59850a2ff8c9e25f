export type ByteRange = { start: number; end: number } | 'whole' | 'unsatisfiable';

/**
 * Reads a `Range` header against the size of the object (RFC 9110, section 14). One range is served; what is malformed or asks for several
 * is answered with the whole object, as the standard allows.
 */
export function readRange(header: string | undefined, total: number): ByteRange {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (!match || (first === '' && last === '')) return 'whole';
  if (first === '') {
    const length = Number(last);
    return length === 0 || total === 0 ? 'unsatisfiable' : { start: Math.max(0, total - length), end: total - 1 };
  }
  const start = Number(first);
  const end = last === '' ? total - 1 : Math.min(Number(last), total - 1);
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= total ? 'unsatisfiable' : { start, end };
}
