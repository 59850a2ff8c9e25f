import type { QueryClient } from '@tanstack/react-query';
import { keys } from './keys';

const AFTER_SUCCESS_MS = 1_000;
const AFTER_FAILURE_MS = 500;

/** Reads the ready lists again after a run was asked for: after about a second, sooner when it failed. */
export const readAgainSoon = (client: QueryClient, failed: boolean): void => {
  setTimeout(
    () => {
      for (const key of [keys.dmca, keys.ai, keys.overview]) void client.invalidateQueries({ queryKey: [key] });
    },
    failed ? AFTER_FAILURE_MS : AFTER_SUCCESS_MS,
  );
};
