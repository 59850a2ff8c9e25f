import { LIMITS } from '@autoposter/contracts';
import { useEffect, useRef, useState } from 'react';

const { lazyVideoMarginPx, lazyVideoThreshold } = LIMITS.console;

/** Whether the element came near the viewport once. Where nobody can tell, it counts as near. */
export function useNear() {
  const element = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (near || element.current === null) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setNear(true), {
      rootMargin: `${lazyVideoMarginPx}px`,
      threshold: lazyVideoThreshold,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [near]);
  return { element, near };
}
