import { learnServerTime, serverNow } from './clock';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const learn = (secondsAhead: number, roundTripMs = 0) =>
  learnServerTime(new Date(NOW + secondsAhead * 1_000).toUTCString(), NOW - roundTripMs);
const ahead = () => Math.round((serverNow() - NOW) / 1_000);

beforeEach(() => jest.useFakeTimers({ now: NOW }));
afterEach(() => {
  learn(0);
  jest.useRealTimers();
});

describe('serverNow', () => {
  it.each([10_800, -10_800])('corrects a clock of the browser that is wrong by %i s', (seconds) => {
    learn(seconds);
    expect(Math.abs(ahead() - seconds)).toBeLessThanOrEqual(1);
  });

  it('follows a clock that is set right, and ignores the seconds that a measurement cannot tell', () => {
    learn(3);
    expect(ahead()).toBe(0);
    learn(3_600);
    learn(3_603);
    expect(Math.abs(ahead() - 3_600)).toBeLessThanOrEqual(1);
    learn(1);
    expect(ahead()).toBe(0);
  });

  it('learns nothing from a slow answer, from one that spans a change of the clock, or from a missing or invalid header', () => {
    learn(3_600, 5_000);
    learn(3_600, -5_000);
    learnServerTime(null, NOW);
    learnServerTime('yesterday', NOW);
    expect(ahead()).toBe(0);
  });
});
