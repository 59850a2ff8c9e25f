/** Pixels from an edge in which a drag scrolls, and pixels for each frame at the very edge. */
const EDGE = 56;
const FASTEST = 18;

/** How far to scroll in one frame while the pointer is at `y` between `top` and `bottom`: up is negative, away from both edges 0. */
export function edgeStep(y: number, top: number, bottom: number): number {
  const [up, down] = [top + EDGE - y, y - (bottom - EDGE)];
  const depth = Math.max(up, down);
  // Above a frame lies what a drag may come from; below it nothing does.
  if (depth <= 0 || bottom - top <= 2 * EDGE || y < top) return 0;
  const step = Math.ceil(Math.min(1, depth / EDGE) * FASTEST);
  return up > down ? -step : step;
}

const scrollBy = (element: Element, step: number): boolean => {
  const before = element.scrollTop;
  if (step !== 0) element.scrollTop = before + step;
  return element.scrollTop !== before;
};

/** The frame's own window first; where that is at its end, or there is none, the page. */
function scrollAt(y: number, inner: Element | null): boolean {
  if (inner !== null) {
    const { top, bottom } = inner.getBoundingClientRect();
    if (scrollBy(inner, edgeStep(y, Math.max(0, top), Math.min(window.innerHeight, bottom)))) return true;
  }
  return scrollBy(document.documentElement, edgeStep(Math.max(0, y), 0, window.innerHeight));
}

/** Scrolls for as long as a drag stays near an edge: `at` says where the pointer is, `onScroll` is told after every step. */
export function edgeScroller(inner: Element | null, onScroll: () => void): { at: (y: number) => void; stop: () => void } {
  let y = 0;
  let frame: number | null = null;
  const tick = () => {
    const moved = scrollAt(y, inner);
    frame = moved ? requestAnimationFrame(tick) : null;
    if (moved) onScroll();
  };
  return {
    at: (next) => {
      y = next;
      frame ??= requestAnimationFrame(tick);
    },
    stop: () => {
      if (frame !== null) cancelAnimationFrame(frame);
      frame = null;
    },
  };
}
