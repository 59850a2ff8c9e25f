import type { PointerEvent as ReactPointerEvent } from 'react';

/** Width in pixels of the zone at an edge that scrolls, and pixels per frame at the edge. */
const EDGE = 56;
const FASTEST = 18;

/** Pixels to scroll in one frame for a pointer at `y` between `top` and `bottom`: negative scrolls up, 0 away from the edges. */
export function edgeStep(y: number, top: number, bottom: number): number {
  const [up, down] = [top + EDGE - y, y - (bottom - EDGE)];
  const depth = Math.max(up, down);
  // A drag may start above the frame (unscheduled posts), so a pointer above it does not scroll.
  if (depth <= 0 || bottom - top <= 2 * EDGE || y < top) return 0;
  const step = Math.ceil(Math.min(1, depth / EDGE) * FASTEST);
  return up > down ? -step : step;
}

const scrollBy = (element: Element, step: number): boolean => {
  const before = element.scrollTop;
  if (step !== 0) element.scrollTop = before + step;
  return element.scrollTop !== before;
};

/** Scrolls the inner container first, then the page. */
function scrollAt(y: number, inner: Element | null): boolean {
  if (inner !== null) {
    const { top, bottom } = inner.getBoundingClientRect();
    if (scrollBy(inner, edgeStep(y, Math.max(0, top), Math.min(window.innerHeight, bottom)))) return true;
  }
  return scrollBy(document.documentElement, edgeStep(Math.max(0, y), 0, window.innerHeight));
}

/** Scrolls while the pointer stays near an edge. `at` sets the pointer position, `onScroll` runs after each step. */
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

/** Pixels of movement before a press becomes a drag. */
const DRAG_FROM = 5;

interface Drag {
  /** Pointer position and top edge of the dragged item; repeated after each scroll. */
  move: (x: number, y: number, top: number) => void;
  /** Dropped (`true`) or cancelled; not called for a press without a drag. */
  end: (dropped: boolean) => void;
}

/** Tracks a press until pointer up, Escape or pointer cancel; scrolls `inner` and the page at their edges. */
export function trackDrag(event: ReactPointerEvent, inner: Element | null, { move, end }: Drag): void {
  const start = { x: event.clientX, y: event.clientY };
  const grip = event.clientY - event.currentTarget.getBoundingClientRect().top;
  let at = start;
  let dragging = false;
  const report = () => move(at.x, at.y, at.y - grip);
  const scroller = edgeScroller(inner, report);
  const onMove = ({ clientX: x, clientY: y }: PointerEvent) => {
    at = { x, y };
    dragging ||= Math.hypot(x - start.x, y - start.y) >= DRAG_FROM;
    if (!dragging) return;
    report();
    scroller.at(y);
  };
  const finish = (dropped: boolean) => {
    scroller.stop();
    window.removeEventListener('pointermove', onMove);
    window.removeEventListener('pointerup', onUp);
    window.removeEventListener('pointercancel', onCancel);
    window.removeEventListener('keydown', onKey, true);
    if (dragging) end(dropped);
  };
  const onUp = () => finish(true);
  const onCancel = () => finish(false);
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') finish(false);
  };
  window.addEventListener('pointermove', onMove);
  window.addEventListener('pointerup', onUp);
  window.addEventListener('pointercancel', onCancel);
  window.addEventListener('keydown', onKey, true);
}
