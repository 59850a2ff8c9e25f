import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import { version } from 'kafkajs/package.json';
import { patchIdleLoop } from './kafka-client';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const queueOf = (maxInFlightRequests: number) =>
  new RequestQueue({
    maxInFlightRequests,
    requestTimeout: 30_000,
    enforceRequestTimeout: false,
    clientId: 't',
    broker: 'b',
    logger: silent,
  });

const requestOf = (correlationId: number, sent: number[]) => ({
  entry: { correlationId, resolve: () => undefined, reject: () => undefined },
  expectResponse: true,
  requestTimeout: null,
  sendRequest: () => sent.push(correlationId),
});

describe('patchIdleLoop', () => {
  beforeAll(patchIdleLoop);
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('patches the verified version of kafkajs', () => {
    expect(version).toBe('2.2.4');
  });

  it('starts no timer while no request waits', () => {
    const sent: number[] = [];
    const queue = queueOf(5);
    queue.push(requestOf(1, sent));
    queue.fulfillRequest({ correlationId: 1, payload: null, size: 0 });
    expect(sent).toEqual([1]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('sends a waiting request when a slot is free', () => {
    const sent: number[] = [];
    const queue = queueOf(1);
    queue.push(requestOf(1, sent));
    queue.push(requestOf(2, sent));
    expect(sent).toEqual([1]);
    queue.fulfillRequest({ correlationId: 1, payload: null, size: 0 });
    expect(sent).toEqual([1, 2]);
    queue.fulfillRequest({ correlationId: 2, payload: null, size: 0 });
    jest.advanceTimersByTime(1_000);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('sends throttled requests after the delay of the broker, and not before', () => {
    const sent: number[] = [];
    const queue = queueOf(5);
    queue.maybeThrottle(500);
    queue.push(requestOf(1, sent));
    jest.advanceTimersByTime(490);
    expect(sent).toEqual([]);
    jest.advanceTimersByTime(20);
    expect(sent).toEqual([1]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('waits longer if the broker extends the delay', () => {
    const sent: number[] = [];
    const queue = queueOf(5);
    queue.maybeThrottle(100);
    queue.push(requestOf(1, sent));
    queue.maybeThrottle(300);
    jest.advanceTimersByTime(150);
    expect(sent).toEqual([]);
    jest.advanceTimersByTime(200);
    expect(sent).toEqual([1]);
  });
});
