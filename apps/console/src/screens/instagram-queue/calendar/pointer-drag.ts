import type { PointerEvent as ReactPointerEvent } from 'react';

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
function edgeScroller(inner: Element | null, onScroll: () => void): { at: (y: number) => void; stop: () => void } {
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

/** Pixels that a pointer may tremble before a press becomes a drag. */
const DRAG_FROM = 5;

interface Drag {
  /** Where the pointer is, and where the upper edge of what it holds lies; told again when the calendar scrolled under it. */
  move: (x: number, y: number, top: number) => void;
  /** Put down (`true`) or left. Not told of a press that never became a drag. */
  end: (dropped: boolean) => void;
}

/** Follows a press until the button is let go, Escape is pressed, or the system takes the pointer away; scrolls `inner` and the page at their edges. */
export function followDrag(event: ReactPointerEvent, inner: Element | null, { move, end }: Drag): void {
  const start = { x: event.clientX, y: event.clientY };
  const grip = event.clientY - event.currentTarget.getBoundingClientRect().top;
  let at = start;
  let dragging = false;
  const tell = () => move(at.x, at.y, at.y - grip);
  const scroller = edgeScroller(inner, tell);
  const onMove = ({ clientX: x, clientY: y }: PointerEvent) => {
    at = { x, y };
    dragging ||= Math.hypot(x - start.x, y - start.y) >= DRAG_FROM;
    if (!dragging) return;
    tell();
    scroller.at(y);
  };
  const over = (dropped: boolean) => {
    scroller.stop();
    window.removeEventListener('pointermove', onMove);
    window.removeEventListener('pointerup', onUp);
    window.removeEventListener('pointercancel', onCancel);
    window.removeEventListener('keydown', onKey, true);
    if (dragging) end(dropped);
  };
  const onUp = () => over(true);
  const onCancel = () => over(false);
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') over(false);
  };
  window.addEventListener('pointermove', onMove);
  window.addEventListener('pointerup', onUp);
  window.addEventListener('pointercancel', onCancel);
  window.addEventListener('keydown', onKey, true);
}
