import { INITIAL_ITEM_STATES, ITEM_TRANSITIONS } from './item-state';
import {
  ATTEMPT_TRANSITIONS,
  canTransition,
  INITIAL_ATTEMPT_STATES,
  INITIAL_QUEUE_STATUSES,
  QUEUE_TRANSITIONS,
  unreachableStatuses,
} from './transitions';

describe('status tables', () => {
  it('reach every status', () => {
    expect(unreachableStatuses(ITEM_TRANSITIONS, INITIAL_ITEM_STATES)).toEqual([]);
    expect(unreachableStatuses(QUEUE_TRANSITIONS, INITIAL_QUEUE_STATUSES)).toEqual([]);
    expect(unreachableStatuses(ATTEMPT_TRANSITIONS, INITIAL_ATTEMPT_STATES)).toEqual([]);
  });

  it('report an unreachable status', () => {
    expect(unreachableStatuses<'a' | 'b' | 'island'>({ a: ['b'], b: [], island: ['a'] }, ['a'])).toEqual(['island']);
  });

  it('never lead from an unknown outcome straight to another publish', () => {
    expect(canTransition(ATTEMPT_TRANSITIONS, 'unknown', 'intent')).toBe(false);
    expect(canTransition(ATTEMPT_TRANSITIONS, 'published', 'open')).toBe(false);
  });
});
