import { api, type Platform } from '@autoposter/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { keys, useInvalidate } from '../http/cache';
import { call, errorText } from '../http/client';
import { startRun } from '../runs/run-store';

export interface PastedUrl {
  url: string;
  platform: Platform;
}

/** `known`: collected before. `left`: not sent because the run was cancelled. */
export type UrlState = 'waiting' | 'sending' | 'accepted' | 'known' | 'failed' | 'left';

export interface UrlResult extends PastedUrl {
  state: UrlState;
  error: string | null;
  /** Of an accepted or known post. */
  notice?: string;
}

/** Number of URLs from which a progress bar is shown. */
const PROGRESS_FROM = 3;

const routeOf = (platform: Platform, complete: boolean) => {
  if (complete) return api.pipeline.processComplete;
  return platform === 'reddit' ? api.reddit.process : api.instagramSource.process;
};

const send = ({ url, platform }: PastedUrl, complete: boolean): Promise<Omit<UrlResult, keyof PastedUrl>> =>
  call(routeOf(platform, complete), { body: { url } }).then(
    ({ data: { known, notice } }) => ({
      state: known === true ? 'known' : 'accepted',
      error: null,
      ...(notice === undefined ? {} : { notice }),
    }),
    (error: unknown) => ({ state: 'failed', error: errorText(error) }),
  );

/** Submits pasted URLs one at a time; `results` is updated after each. */
export function useAddUrls(title: string) {
  const refresh = useInvalidate(keys.downloads, keys.overview);
  const [results, setResults] = useState<readonly UrlResult[]>([]);
  const run = useMutation({
    mutationFn: async ({ urls, complete }: { urls: readonly PastedUrl[]; complete: boolean }): Promise<readonly UrlResult[]> => {
      let current: readonly UrlResult[] = urls.map((pasted) => ({ ...pasted, state: 'waiting', error: null }));
      const update = (index: number, change: Omit<UrlResult, keyof PastedUrl>) => {
        current = current.map((result, position) => (position === index ? { ...result, ...change } : result));
        setResults(current);
      };
      setResults(current);
      const bar = urls.length >= PROGRESS_FROM ? startRun({ title, total: urls.length }) : null;
      for (const [index, pasted] of urls.entries()) {
        if (bar?.cancelled() === true) {
          update(index, { state: 'left', error: null });
          continue;
        }
        update(index, { state: 'sending', error: null });
        update(index, await send(pasted, complete));
        const failed = current.filter(({ state }) => state === 'failed').length;
        bar?.progress({ done: index + 1 - failed, failed, detail: pasted.url });
      }
      bar?.end();
      return current;
    },
    onSettled: () => void refresh(),
  });
  return { ...run, results };
}
