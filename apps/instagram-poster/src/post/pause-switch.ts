import { wait } from '@autoposter/job-engine';

export interface PauseSwitch {
  /** Whether a person has paused all publishing. */
  isPaused(): Promise<boolean>;
}

const LOOK_SECONDS = 60;

export const whilePaused = () => wait(LOOK_SECONDS, 'Publishing is paused.');
