/** An element that had the focus, or stood around one that had it, with its place among its neighbours. */
interface Step {
  element: Element;
  place: number;
}

/** Where the focus was in one layer: the page itself or a dialog over it. The innermost step first. */
interface Trail {
  layer: Element;
  steps: readonly Step[];
}

const FOCUSABLE = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex="0"]:not([data-testid^="sentinel"])';
/** Beyond these, a neighbour has nothing to do with what was there. */
const REGION = 'main, header, aside, [role=dialog], [role=alertdialog]';
/** Milliseconds that others have to put the focus somewhere themselves. */
const SETTLES_MS = 20;
/** Milliseconds for which a control that is busy is waited for. */
const BUSY_MS = 1_000;

let trails: readonly Trail[] = [];

/** The frame of a dialog takes the focus where nothing in it does. */
const isNowhere = (element: Element | null): boolean =>
  element === null || element === document.body || element.matches(':disabled, [role=presentation]');

function onFocus({ target }: FocusEvent): void {
  if (!(target instanceof Element) || isNowhere(target)) return;
  const steps: Step[] = [];
  for (let element: Element = target; element.parentElement !== null && element !== document.body; element = element.parentElement) {
    steps.push({ element, place: [...element.parentElement.children].indexOf(element) });
  }
  const layer = steps.at(-1)?.element ?? target;
  trails = [...trails.filter((trail) => trail.layer !== layer && trail.layer.isConnected), { layer, steps }];
}

const canTake = (element: HTMLElement): boolean =>
  element.tabIndex >= 0 && element.checkVisibility?.({ visibilityProperty: true }) !== false && element.closest('[inert]') === null;

const firstIn = (element: Element): HTMLElement | undefined =>
  [...(element.matches(FOCUSABLE) ? [element] : []), ...element.querySelectorAll(FOCUSABLE)].find(
    (each): each is HTMLElement => each instanceof HTMLElement && canTake(each),
  );

/** What stands where the element stood, else what stands nearest before it; the heading of the screen where nothing does. */
function nearest({ steps }: Trail): HTMLElement | null {
  for (const [index, { place }] of steps.entries()) {
    const around = steps[index + 1]?.element;
    if (around?.isConnected !== true) continue;
    if (around.closest(REGION) === null) break;
    const children = [...around.children];
    for (const child of [...children.slice(place), ...children.slice(0, place).reverse()]) {
      const found = firstIn(child);
      if (found !== undefined) return found;
    }
  }
  return document.querySelector('main h1');
}

/**
 * Brings the focus back when what had it goes: a row that was deleted, a button that is busy or no longer of use, a field that was saved. A
 * control that is only busy gets it back; otherwise it goes to what stands there now. Returns the way to end this.
 */
export function restoreFocus(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lostAt: number | null = null;
  let points = false;

  const look = (): void => {
    // of a dialog that has closed nothing is left; what opened it is
    const trail = trails.findLast(({ layer }) => layer.isConnected);
    const last = trail?.steps[0]?.element;
    if (trail === undefined || last === undefined || lostAt === null || !isNowhere(document.activeElement)) {
      lostAt = null;
      return;
    }
    const busy = last.isConnected && last.matches(':disabled');
    const wait = lostAt + BUSY_MS - performance.now();
    if (busy && wait > 0) {
      timer = setTimeout(look, wait);
      return;
    }
    lostAt = null;
    // Who points needs no place to go on from, and a field in this one would take the keys that are meant as shortcuts.
    if (busy && points) return;
    const target = busy || !last.isConnected ? nearest(trail) : last;
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  };
  const observer = new MutationObserver((records) => {
    if (!isNowhere(document.activeElement)) return;
    const last = trails.at(-1)?.steps[0]?.element;
    if (last === undefined) return;
    const moved = () => records.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(last)));
    if (!last.isConnected || last.matches(':disabled') || moved()) lostAt ??= performance.now();
    clearTimeout(timer);
    timer = setTimeout(look, SETTLES_MS);
  });
  /** A press on nothing takes the focus away, and that is meant. */
  const onPress = (): void => {
    trails = [];
    points = true;
  };
  const onKey = (): void => {
    points = false;
  };
  document.addEventListener('focusin', onFocus);
  document.addEventListener('pointerdown', onPress, true);
  document.addEventListener('keydown', onKey, true);
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
  return () => {
    observer.disconnect();
    clearTimeout(timer);
    document.removeEventListener('focusin', onFocus);
    document.removeEventListener('pointerdown', onPress, true);
    document.removeEventListener('keydown', onKey, true);
    trails = [];
  };
}
