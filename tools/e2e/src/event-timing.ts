import type { Page } from 'playwright-core';

/** What the browser itself measured, in milliseconds. */
export interface Felt {
  /** From a key or click to the next picture, the slowest one. */
  interaction: number;
  /** Tasks that held up the page for more than 50 ms. */
  longTasks: number[];
}

interface Record {
  interactions: number[];
  tasks: number[];
}

/** Has the browser note every interaction and long task of the pages to come. */
export async function noteTimings(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const record: Record = { interactions: [], tasks: [] };
    Object.assign(globalThis, { timings: record });
    const observe = (type: string, note: (entry: PerformanceEntry) => void, options: object = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...options });
    observe('event', (entry) => (entry as PerformanceEventTiming).interactionId !== 0 && record.interactions.push(entry.duration), {
      durationThreshold: 16,
    });
    observe('longtask', (entry) => record.tasks.push(Math.round(entry.duration)));
  });
}

const RESTS_MS = 500;

/** Does something and answers what was felt of it, until the page came to rest. */
export async function feel(page: Page, work: () => Promise<unknown>): Promise<Felt> {
  await page.evaluate(() => {
    const { timings } = globalThis as unknown as { timings: Record };
    timings.interactions.length = 0;
    timings.tasks.length = 0;
  });
  await work();
  await page.waitForTimeout(RESTS_MS);
  const { interactions, tasks } = await page.evaluate(() => (globalThis as unknown as { timings: Record }).timings);
  return { interaction: Math.round(Math.max(0, ...interactions)), longTasks: tasks };
}
