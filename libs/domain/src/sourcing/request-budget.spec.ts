import { budgetAfter, decideRequest, UNKNOWN_BUDGET, type BudgetReading, type BudgetState } from './request-budget';

const NOW = new Date('2026-11-22T12:00:00Z');
const at = (seconds: number): Date => new Date(+NOW + seconds * 1000);
const reading = (more: Partial<BudgetReading> = {}): BudgetReading => ({
  used: null,
  remaining: null,
  resetSeconds: null,
  refused: false,
  retryAfterSeconds: null,
  ...more,
});
const window = (remaining: number, more: Partial<BudgetState> = {}): BudgetState => ({
  ...UNKNOWN_BUDGET,
  total: 1000,
  remaining,
  windowEndsAt: at(300),
  ...more,
});
const automation = { forPerson: false };
const person = { forPerson: true };

describe('decideRequest', () => {
  it('lets one request at a time probe an unknown window', () => {
    const first = decideRequest(UNKNOWN_BUDGET, automation, NOW);
    if (!first.granted) throw new Error('the first request must leave');
    expect(decideRequest(first.next, person, NOW)).toEqual({ granted: false, retryAt: at(0.25) });
    expect(decideRequest(first.next, person, at(16)).granted).toBe(true);
  });

  it('probes again after the window has ended', () => {
    const decision = decideRequest(window(900, { windowEndsAt: at(-1) }), automation, NOW);
    expect(decision).toMatchObject({ granted: true, next: { remaining: null, probeUntil: at(15) } });
  });

  it('counts a granted request before its answer', () => {
    expect(decideRequest(window(900), automation, NOW)).toMatchObject({ granted: true, next: { remaining: 899 } });
  });

  it('waits for the end of a window that is used up', () => {
    expect(decideRequest(window(0), person, NOW)).toEqual({ granted: false, retryAt: at(300) });
  });

  it('leaves the last tenth of a window to people', () => {
    expect(decideRequest(window(100, { windowEndsAt: at(1) }), automation, NOW).granted).toBe(false);
    expect(decideRequest(window(100, { windowEndsAt: at(1) }), person, NOW).granted).toBe(true);
  });

  it('paces automation evenly after a burst of a fifth of the window', () => {
    const early = { windowEndsAt: at(600) };
    expect(decideRequest(window(801, early), automation, NOW).granted).toBe(true);
    expect(decideRequest(window(800, early), automation, NOW)).toEqual({ granted: false, retryAt: at(0.6) });
    expect(decideRequest(window(800, early), person, NOW).granted).toBe(true);
    expect(decideRequest(window(800), automation, NOW).granted).toBe(true);
  });

  it('grants nothing while the provider refuses everything', () => {
    expect(decideRequest(window(900, { blockedUntil: at(40) }), person, NOW)).toEqual({ granted: false, retryAt: at(40) });
  });
});

describe('budgetAfter', () => {
  it('keeps the lower number while requests are under way', () => {
    const told = reading({ used: 100, remaining: 900, resetSeconds: 300 });
    expect(budgetAfter(window(895), told, NOW).remaining).toBe(895);
    expect(budgetAfter(window(950), told, NOW).remaining).toBe(900);
  });

  it('takes the announced number of a new window', () => {
    const told = reading({ used: 1, remaining: 999, resetSeconds: 600 });
    expect(budgetAfter(window(3, { windowEndsAt: at(2) }), told, NOW)).toMatchObject({ remaining: 999, total: 1000 });
  });

  it('keeps what is known where an answer has no headers', () => {
    expect(budgetAfter(window(50, { probeUntil: at(5) }), reading(), NOW)).toEqual(window(50));
  });

  it('leaves the provider open after one refused source', () => {
    expect(budgetAfter(window(900), reading({ refused: true }), NOW)).toMatchObject({ blockedUntil: null, refusals: 1 });
  });

  it('blocks the provider after three refusals in a row, longer with each one', () => {
    const refused = reading({ refused: true });
    const third = budgetAfter(window(900, { refusals: 2 }), refused, NOW);
    expect(third.blockedUntil).toEqual(at(60));
    expect(budgetAfter(third, refused, NOW).blockedUntil).toEqual(at(120));
    expect(budgetAfter(third, reading(), NOW)).toMatchObject({ blockedUntil: null, refusals: 0 });
  });

  it('blocks the provider at once where the window is used up', () => {
    const told = reading({ refused: true, used: 1000, remaining: 0, resetSeconds: 120 });
    expect(budgetAfter(UNKNOWN_BUDGET, told, NOW).blockedUntil).toEqual(at(120));
  });
});
