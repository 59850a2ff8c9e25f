/** Resolves a `Range` header with one range against a size in bytes. Several ranges and other units are ignored, as servers may. */
export function resolveRange(headerValue: string | undefined, size: number): 'whole' | 'unsatisfiable' | { start: number; end: number } {
  const match = /^bytes=(\d*)-(\d*)$/.exec(headerValue ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return 'whole';
  const from = match[1] === '' ? null : Number(match[1]);
  const to = match[2] === '' ? null : Number(match[2]);
  const start = from ?? Math.max(0, size - (to ?? 0));
  const end = from === null ? size - 1 : Math.min(size - 1, to ?? size - 1);
  return start >= size || start > end ? 'unsatisfiable' : { start, end };
}
