import { readLinkState, setLinkState } from './use-live-updates';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  setLinkState('off');
  jest.useRealTimers();
});

describe('what is said about the link', () => {
  it('is that it comes back, and after ten seconds that the page polls, however often it is tried', () => {
    setLinkState('live');
    setLinkState('reconnecting');
    expect(readLinkState()).toBe('reconnecting');
    jest.advanceTimersByTime(5_000);
    setLinkState('reconnecting');
    jest.advanceTimersByTime(4_999);
    expect(readLinkState()).toBe('reconnecting');
    jest.advanceTimersByTime(1);
    expect(readLinkState()).toBe('off');
    setLinkState('reconnecting');
    expect(readLinkState()).toBe('off');
  });

  it('is at once that it is live again, and the next cut counts anew', () => {
    setLinkState('reconnecting');
    jest.advanceTimersByTime(20_000);
    setLinkState('live');
    expect(readLinkState()).toBe('live');
    jest.advanceTimersByTime(20_000);
    expect(readLinkState()).toBe('live');
    setLinkState('reconnecting');
    expect(readLinkState()).toBe('reconnecting');
  });
});
