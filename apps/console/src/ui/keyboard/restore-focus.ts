/** A focused element or one of its ancestors. */
interface PathEntry {
  element: Element;
  /** Index among its siblings. */
  index: number;
}

/** The last focused element of a layer (the page or a dialog), with its ancestors. */
interface FocusPath {
  layer: Element;
  entries: readonly PathEntry[];
}

const FOCUSABLE = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex="0"]:not([data-testid^="sentinel"])';
/** Focus never moves to a sibling outside its region. */
const REGION = 'main, header, aside, [role=dialog], [role=alertdialog]';
const SETTLE_MS = 20;
/** How long a disabled control may take until it is enabled again. */
const BUSY_TIMEOUT_MS = 1_000;
/** A page that scrolled this recently is still being scrolled. */
const SCROLLING_MS = 200;

let paths: readonly FocusPath[] = [];

/** A dialog without focusable content focuses its container. */
const hasNoFocus = (element: Element | null): boolean =>
  element === null || element === document.body || element.matches(':disabled, [role=presentation]');

function onFocus({ target }: FocusEvent): void {
  if (!(target instanceof Element) || hasNoFocus(target)) return;
  const entries: PathEntry[] = [];
  for (let element: Element = target; element.parentElement !== null && element !== document.body; element = element.parentElement) {
    entries.push({ element, index: [...element.parentElement.children].indexOf(element) });
  }
  const layer = entries.at(-1)?.element ?? target;
  paths = [...paths.filter((path) => path.layer !== layer && path.layer.isConnected), { layer, entries }];
}

const isFocusable = (element: HTMLElement): boolean =>
  element.tabIndex >= 0 && element.checkVisibility?.({ visibilityProperty: true }) !== false && element.closest('[inert]') === null;

const firstIn = (element: Element): HTMLElement | undefined =>
  [...(element.matches(FOCUSABLE) ? [element] : []), ...element.querySelectorAll(FOCUSABLE)].find(
    (each): each is HTMLElement => each instanceof HTMLElement && isFocusable(each),
  );

/** The focusable element now in the same position, else the nearest one before it, else the heading of the screen. */
function nearest({ entries }: FocusPath): HTMLElement | null {
  for (const [depth, { index }] of entries.entries()) {
    const parent = entries[depth + 1]?.element;
    if (parent?.isConnected !== true) continue;
    if (parent.closest(REGION) === null) break;
    const children = [...parent.children];
    for (const child of [...children.slice(index), ...children.slice(0, index).reverse()]) {
      const found = firstIn(child);
      if (found !== undefined) return found;
    }
  }
  return document.querySelector('main h1');
}

/**
 * Restores the focus after the focused element was removed or disabled, for example a deleted row. A control that is disabled only briefly
 * receives it again; otherwise the nearest element does. Returns a function that stops the observation.
 */
export function restoreFocus(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lostAt: number | null = null;
  let usesPointer = false;
  let scrolledAt = -Infinity;
  /** Where the focus went because a control stayed disabled. */
  let fallback: { control: HTMLElement; target: HTMLElement } | null = null;

  const restore = (): void => {
    // The layer of a closed dialog is gone; the path below it leads to the control that opened it.
    const path = paths.findLast(({ layer }) => layer.isConnected);
    const last = path?.entries[0]?.element;
    if (path === undefined || last === undefined || lostAt === null || !hasNoFocus(document.activeElement)) {
      lostAt = null;
      return;
    }
    const busy = last.isConnected && last.matches(':disabled');
    const wait = lostAt + BUSY_TIMEOUT_MS - performance.now();
    if (busy && wait > 0) {
      timer = setTimeout(restore, wait);
      return;
    }
    lostAt = null;
    // Pointer users need no focus, and a focused text field would capture their shortcuts.
    if (busy && usesPointer) return;
    const target = busy || !last.isConnected ? nearest(path) : last;
    if (!(target instanceof HTMLElement)) return;
    if (busy && last instanceof HTMLElement) fallback = { control: last, target };
    show(target);
  };
  /**
   * Keyboard users must see where the focus is. For pointer users the page stays where it is, and while it is scrolled: a long list then
   * removes rows that leave the window, and scrolling to another one would end the scrolling.
   */
  const show = (target: HTMLElement): void => target.focus({ preventScroll: usesPointer || performance.now() - scrolledAt < SCROLLING_MS });
  /** A slow request re-enables its control late; unless the user has continued elsewhere, the control receives the focus again. */
  const returnFromFallback = (): void => {
    if (fallback === null || fallback.control.matches(':disabled')) return;
    if (fallback.control.isConnected && document.activeElement === fallback.target) show(fallback.control);
    fallback = null;
  };
  const observer = new MutationObserver((records) => {
    returnFromFallback();
    if (!hasNoFocus(document.activeElement)) return;
    const last = paths.at(-1)?.entries[0]?.element;
    if (last === undefined) return;
    const wasMoved = () => records.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(last)));
    if (!last.isConnected || last.matches(':disabled') || wasMoved()) lostAt ??= performance.now();
    clearTimeout(timer);
    timer = setTimeout(restore, SETTLE_MS);
  });
  /** A click removes the focus intentionally. */
  const onPointerDown = (): void => {
    paths = [];
    usesPointer = true;
    fallback = null;
  };
  const onKey = (): void => {
    usesPointer = false;
    fallback = null;
  };
  const onScroll = (): void => {
    scrolledAt = performance.now();
  };
  document.addEventListener('focusin', onFocus);
  document.addEventListener('scroll', onScroll, true);
  document.addEventListener('pointerdown', onPointerDown, true);
  document.addEventListener('keydown', onKey, true);
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
  return () => {
    observer.disconnect();
    clearTimeout(timer);
    document.removeEventListener('focusin', onFocus);
    document.removeEventListener('scroll', onScroll, true);
    document.removeEventListener('pointerdown', onPointerDown, true);
    document.removeEventListener('keydown', onKey, true);
    paths = [];
  };
}
