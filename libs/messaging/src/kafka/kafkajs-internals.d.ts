/** The one module of kafkajs 2.2.4 that is not public and is patched here. */
declare module 'kafkajs/src/network/requestQueue/index.js' {
  class RequestQueue {
    pending: unknown[];
    /** Milliseconds since the epoch; in the past when the broker asks for no pause. */
    throttledUntil: number;
    throttleCheckTimeoutId: NodeJS.Timeout | null;
    checkPendingRequests(): void;
    scheduleCheckPendingRequests(): void;
    constructor(options: object);
    push(request: object): void;
    fulfillRequest(response: { correlationId: number; payload: unknown; size: number }): void;
    maybeThrottle(milliseconds: number): void;
    destroy(): void;
  }
  export default RequestQueue;
}
