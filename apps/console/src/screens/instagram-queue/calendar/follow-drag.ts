import type { PointerEvent as ReactPointerEvent } from 'react';
import { edgeScroller } from './edge-scroll';

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
