import '@testing-library/jest-dom';
import { cleanup, configure, getConfig } from '@testing-library/react';
import React from 'react';
import { TextDecoder, TextEncoder } from 'node:util';
import { dismissRun, readRuns } from '../data/runs/run-store';
import { dropToken } from '../data/session/session-token';
import { forgetSession } from '../data/session/use-session';
import { resetPreferences } from '../preferences/preferences';
import { clearNotifications } from '../ui/notifications';

const ELEMENT_ERROR = 'TestingLibraryElementError';

/** The part of `Request` that React Router uses. */
class RouterRequest {
  readonly url: string;
  readonly method: string;
  readonly signal: AbortSignal | null | undefined;
  readonly headers = new Map<string, string>();

  constructor(url: string | URL, init: RequestInit = {}) {
    this.url = String(url);
    this.method = init.method ?? 'GET';
    this.signal = init.signal;
  }
}

// jsdom lacks these browser APIs.
Object.assign(globalThis, { TextDecoder, TextEncoder, Request: globalThis.Request ?? RouterRequest });
window.scrollTo = () => undefined;
window.matchMedia = (query: string) =>
  ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
    dispatchEvent: () => false,
  }) as MediaQueryList;
HTMLMediaElement.prototype.play = () => Promise.resolve();
HTMLMediaElement.prototype.pause = () => undefined;

/**
 * React captures a stack trace for each of the first 10,000 elements per second, which no test reads and which takes a seventh of their time.
 * As if there had been 10,000 already.
 */
const internals = Object.entries(React).find(([name]) => name.startsWith('__CLIENT_INTERNALS'))?.[1] as object | undefined;
if (internals) Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set: () => undefined });

/**
 * Testing Library prints the whole document into the error of each attempt of a `findBy`, a twentieth of the time of a test. Here only the
 * error that ends the wait gets it, in its message and in its stack, which Jest shows.
 */
const { asyncWrapper, getElementError } = getConfig();
let waits = 0;
let searched: Element | undefined;
configure({
  getElementError: (message, container) => {
    if (waits === 0) return getElementError(message, container);
    searched = container;
    return Object.assign(new Error(message ?? ''), { name: ELEMENT_ERROR });
  },
  asyncWrapper: async (wait) => {
    waits += 1;
    try {
      return await asyncWrapper(wait);
    } catch (error) {
      if (error instanceof Error && error.name === ELEMENT_ERROR && searched !== undefined) addDocument(error, searched);
      throw error;
    } finally {
      waits -= 1;
    }
  },
});

function addDocument(error: Error, container: Element): void {
  const { message } = error;
  error.message = getElementError(message, container).message;
  error.stack = error.stack?.replace(message, () => error.message);
}

// Generous timeouts for busy machines. `hidden: false` is set where accessibility matters, because it is slow to compute.
configure({ asyncUtilTimeout: 120_000, defaultHidden: true });

afterEach(() => {
  cleanup();
  forgetSession();
  dropToken();
  clearNotifications();
  for (const { id } of readRuns()) dismissRun(id);
  window.localStorage.clear();
  window.sessionStorage.clear();
  resetPreferences();
});
