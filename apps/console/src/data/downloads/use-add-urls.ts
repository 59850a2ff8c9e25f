import { api, type Platform } from '@autoposter/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, errorText } from '../http/client';
import { keys } from '../http/keys';

export interface PastedUrl {
  url: string;
  platform: Platform;
}

export interface UrlResult extends PastedUrl {
  error: string | null;
}

const routeOf = (platform: Platform, complete: boolean) => {
  if (complete) return api.pipeline.processComplete;
  return platform === 'reddit' ? api.reddit.process : api.instagramSource.process;
};

/** Sends pasted addresses one at a time and reports each one's end. `done` counts while it runs. */
export function useAddUrls() {
  const client = useQueryClient();
  const [done, setDone] = useState(0);
  const run = useMutation({
    mutationFn: async ({ urls, complete }: { urls: readonly PastedUrl[]; complete: boolean }): Promise<UrlResult[]> => {
      const results: UrlResult[] = [];
      setDone(0);
      for (const pasted of urls) {
        const error = await call(routeOf(pasted.platform, complete), { body: { url: pasted.url } }).then(
          () => null,
          (thrown: unknown) => errorText(thrown),
        );
        results.push({ ...pasted, error });
        setDone(results.length);
      }
      return results;
    },
    onSettled: () => {
      for (const key of [keys.downloads, keys.overview]) void client.invalidateQueries({ queryKey: [key] });
    },
  });
  return { ...run, done };
}
