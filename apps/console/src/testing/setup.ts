import '@testing-library/jest-dom';
import { TextDecoder, TextEncoder } from 'node:util';
import { cleanup, configure } from '@testing-library/react';
import { forgetPreferences } from '../preferences/preferences';
import { dropToken } from '../data/session/session-token';
import { forgetSession } from '../data/session/use-session';
import { clearNotifications } from '../ui/notifications';

/** As much of a request as the router looks at. */
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

// jsdom leaves these out though every browser has them.
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

// Machines that build are busy; a screen that is slow to come is no failure. Whether an element is hidden is asked where it matters.
configure({ asyncUtilTimeout: 10_000, defaultHidden: true });
jest.setTimeout(30_000);

afterEach(() => {
  cleanup();
  forgetSession();
  dropToken();
  clearNotifications();
  window.localStorage.clear();
  window.sessionStorage.clear();
  forgetPreferences();
});
