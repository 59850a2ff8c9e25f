import { api, type Platform } from '@autoposter/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, errorText } from '../http/client';
import { keys } from '../http/cache';
import { startRun } from '../runs/run-store';

export interface PastedUrl {
  url: string;
  platform: Platform;
}

/** `known` was here already; `left` was not sent because somebody stopped the run. */
export type UrlState = 'waiting' | 'sending' | 'accepted' | 'known' | 'failed' | 'left';

export interface UrlResult extends PastedUrl {
  state: UrlState;
  error: string | null;
}

/** From here on the bar at the bottom of every screen tells how far it is. */
const LONG_FROM = 3;

const routeOf = (platform: Platform, complete: boolean) => {
  if (complete) return api.pipeline.processComplete;
  return platform === 'reddit' ? api.reddit.process : api.instagramSource.process;
};

const send = ({ url, platform }: PastedUrl, complete: boolean): Promise<Pick<UrlResult, 'state' | 'error'>> =>
  call(routeOf(platform, complete), { body: { url } }).then(
    ({ data }) => ({ state: data.known === true ? 'known' : 'accepted', error: null }),
    (error: unknown) => ({ state: 'failed', error: errorText(error) }),
  );

/** Sends pasted addresses one at a time; `results` tells of each how far it is, while it runs and afterwards. */
export function useAddUrls(title: string) {
  const client = useQueryClient();
  const [results, setResults] = useState<readonly UrlResult[]>([]);
  const run = useMutation({
    mutationFn: async ({ urls, complete }: { urls: readonly PastedUrl[]; complete: boolean }): Promise<readonly UrlResult[]> => {
      let now: readonly UrlResult[] = urls.map((pasted) => ({ ...pasted, state: 'waiting', error: null }));
      const put = (index: number, change: Pick<UrlResult, 'state' | 'error'>) => {
        now = now.map((result, place) => (place === index ? { ...result, ...change } : result));
        setResults(now);
      };
      setResults(now);
      const bar = urls.length >= LONG_FROM ? startRun({ title, total: urls.length, cancel: () => undefined }) : null;
      for (const [index, pasted] of urls.entries()) {
        if (bar?.cancelled() === true) {
          put(index, { state: 'left', error: null });
          continue;
        }
        put(index, { state: 'sending', error: null });
        put(index, await send(pasted, complete));
        bar?.progress({ done: index + 1, failed: now.filter(({ state }) => state === 'failed').length, detail: pasted.url });
      }
      bar?.end();
      return now;
    },
    onSettled: () => {
      for (const key of [keys.downloads, keys.overview]) void client.invalidateQueries({ queryKey: [key] });
    },
  });
  return { ...run, results };
}
