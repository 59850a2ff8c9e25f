import { readConnectionState, setConnectionState } from './use-live-updates';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  setConnectionState('off');
  jest.useRealTimers();
});

describe('connection state', () => {
  it('is reconnecting for ten seconds, then off, regardless of further attempts', () => {
    setConnectionState('live');
    setConnectionState('reconnecting');
    expect(readConnectionState()).toBe('reconnecting');
    jest.advanceTimersByTime(5_000);
    setConnectionState('reconnecting');
    jest.advanceTimersByTime(4_999);
    expect(readConnectionState()).toBe('reconnecting');
    jest.advanceTimersByTime(1);
    expect(readConnectionState()).toBe('off');
    setConnectionState('reconnecting');
    expect(readConnectionState()).toBe('off');
  });

  it('is live immediately after a reconnect, and restarts the ten seconds on the next disconnect', () => {
    setConnectionState('reconnecting');
    jest.advanceTimersByTime(20_000);
    setConnectionState('live');
    expect(readConnectionState()).toBe('live');
    jest.advanceTimersByTime(20_000);
    expect(readConnectionState()).toBe('live');
    setConnectionState('reconnecting');
    expect(readConnectionState()).toBe('reconnecting');
  });
});
