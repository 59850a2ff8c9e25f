import type { NextFunction, Request, Response } from 'express';

/** The answer has to arrive while somebody still waits for it. */
const EARLY_MS = 500;
const arrivals = new WeakMap<Request, number>();

export function noteArrival(request: Request, _response: Response, next: NextFunction): void {
  arrivals.set(request, performance.now());
  next();
}

/** Gives a request more time to be answered: what took this long was not our work. */
export function excludeFromBudget(request: Request, milliseconds: number): void {
  const arrivedAt = arrivals.get(request);
  if (arrivedAt !== undefined) arrivals.set(request, arrivedAt + milliseconds);
}

/** Milliseconds until a request that came in just now or earlier has to be answered, at least 1. */
export function timeLeft(request: Request, patienceMs: number): number {
  const now = performance.now();
  return Math.max(1, patienceMs - EARLY_MS - (now - (arrivals.get(request) ?? now)));
}

/** What the work leads to, or `late` where that takes longer than the caller waits. */
export async function inTime<T>(request: Request, patienceMs: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), timeLeft(request, patienceMs));
  });
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}
