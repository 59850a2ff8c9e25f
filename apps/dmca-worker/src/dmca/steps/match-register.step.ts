import type { RightsMatch, RightsDecision } from '@autoposter/domain';
import { defineStep, done } from '@autoposter/job-engine';
import { judge, type RightsRegister } from '../rights-register';
import type { Fingerprinted } from './fingerprint.step';

export interface Matched extends Fingerprinted {
  verdict: RightsDecision;
  matches: RightsMatch[];
  /** Size of the register when it was searched. */
  seen: number;
}

/** The first check, before the expensive work. Later entries of the register are checked when the result is committed. */
export const matchRegister = defineStep<Fingerprinted, Matched, { register: RightsRegister }>({
  name: 'match-register',
  effect: 'read',
  async run(input, { register }) {
    const { item, fingerprints } = input;
    const seen = await register.size();
    const matches = await register.findMatches(item.id, fingerprints);
    return done({ ...input, verdict: judge(fingerprints, matches), matches, seen });
  },
});
