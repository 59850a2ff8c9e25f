// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- the declaration has to reach every project that compiles this file, and a script file cannot be imported
/// <reference path="./kafkajs-internals.d.ts" />
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

/** While requests wait for a free place on the connection; an answer looks at once, this is only the safety net. */
const LOOK_AGAIN_MS = 10;

/**
 * kafkajs 2.2.4 starts a timer of about a millisecond after every answer, also when no request waits, and each one starts the next: an
 * idle process burns 40 to 56 ms of CPU a second on it (tulios/kafkajs#1704, #1751). Here a timer is started only while a request waits;
 * one that is pushed later starts its own. May be called any number of times.
 */
export const calmIdleLoop = (): void => {
  RequestQueue.prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.pending.length === 0 || this.throttleCheckTimeoutId) return;
    const throttledMs = this.throttledUntil - Date.now();
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      },
      throttledMs > 0 ? throttledMs : LOOK_AGAIN_MS,
    );
  };
};
