import { api, type BrowserLog, LIMITS } from '@autoposter/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { LOGS_TEXT } from '../../text/operations.text';
import { keys } from '../http/cache';
import { call } from '../http/client';

export const LOG_TABS = ['server', 'browser', 'error', 'pm2', 'pm2-error'] as const;
export type LogTab = (typeof LOG_TABS)[number];

const asLine = (entry: BrowserLog): string =>
  `${entry.timestamp} ${entry.level.toUpperCase()} ${entry.source === null ? '' : `${entry.source} `}${entry.message}`;

/** Throws when the log could not be read; returns a placeholder line when there is no log. */
function linesOf<T>(response: { logs?: readonly T[]; error?: string | undefined }, show: (entry: T) => string): string[] {
  if (response.error !== undefined && (response.logs ?? []).length === 0) throw new Error(response.error);
  return response.logs?.map(show) ?? [LOGS_TEXT.none];
}

async function read(tab: LogTab, lines: number, signal: AbortSignal): Promise<string[]> {
  const input = { query: { lines }, signal };
  switch (tab) {
    case 'server':
      return linesOf(await call(api.logs.server, input), String);
    case 'browser':
      return linesOf(await call(api.logs.browser, input), asLine);
    case 'error':
      return linesOf(await call(api.logs.errors, input), String);
    default:
      return linesOf(await call(api.logs.process, { query: { lines, type: tab === 'pm2' ? 'out' : 'error' }, signal }), String);
  }
}

/** Lines of one tab, oldest first; `follow` polls. */
export const useLogLines = (tab: LogTab, lines: number, follow: boolean) =>
  useQuery({
    queryKey: [keys.logs, tab, lines],
    queryFn: ({ signal }) => read(tab, lines, signal),
    refetchInterval: follow ? LIMITS.polling.logsMs : false,
    refetchOnWindowFocus: follow ? 'always' : true,
    refetchOnMount: 'always',
  });

const PROCESS_TABS: readonly LogTab[] = ['pm2', 'pm2-error'];

/** One request returns the server, browser and error logs; the process logs need a request each. */
export function useRefreshAllLogs(lines: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const processes = PROCESS_TABS.map((tab) =>
        client.fetchQuery({ queryKey: [keys.logs, tab, lines], queryFn: ({ signal }) => read(tab, lines, signal), staleTime: 0 }),
      );
      const [all] = await Promise.all([call(api.logs.all, { query: { lines } }), ...processes]);
      client.setQueryData([keys.logs, 'server', lines], all.serverLogs);
      client.setQueryData([keys.logs, 'browser', lines], all.browserLogs.map(asLine));
      client.setQueryData([keys.logs, 'error', lines], all.errorLogs);
    },
  });
}

export const useClearLogs = () => useMutation({ mutationFn: () => call(api.logs.clear) });
