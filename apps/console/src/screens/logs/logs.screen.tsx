import { LINES_CHOICES } from '@autoposter/contracts';
import { useState } from 'react';
import { errorText } from '../../data/http/client';
import { LOG_TABS, type LogTab, useClearLogs, useLogLines, useRefreshAllLogs } from '../../data/logs/use-logs';
import { LOGS_TEXT as TEXT } from '../../text/operations.text';
import { useConfirm } from '../../ui/dialogs';
import { LoadingRows, MessageBar } from '../../ui/feedback';
import { SelectField } from '../../ui/fields';
import { plural } from '../../ui/format';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import { Page } from '../../ui/layout';
import { Box, Button, Checkbox, FormControlLabel, Stack, Tab, Tabs } from '../../ui/mui';
import { notify } from '../../ui/notifications';
import { LogPanel, useLogsUrlState } from './log-panel';

const LINES: readonly (readonly [string, string])[] = LINES_CHOICES.map((choice) => [String(choice), String(choice)]);
const NONE: readonly string[] = [];

export function LogsScreen() {
  const [urlState, change] = useLogsUrlState();
  const { tab, lines, auto } = urlState;
  /** Incremented on each clear to remount the panel with an empty buffer. */
  const [clears, setClears] = useState(0);
  const log = useLogLines(tab, lines, auto);
  const refreshAll = useRefreshAllLogs(lines);
  const clear = useClearLogs();
  const { confirm, dialog } = useConfirm();
  const failed = (error: unknown) => notify.failure(TEXT.error(errorText(error)));
  const readAll = () => refreshAll.mutate(undefined, { onError: failed });
  const clearAll = () =>
    clear.mutate(undefined, {
      onSuccess: () => {
        notify.success(TEXT.cleared);
        setClears((times) => times + 1);
        readAll();
      },
      onError: failed,
    });
  useShortcuts(TEXT.title, [{ keys: 'r', label: TEXT.refresh, run: () => void log.refetch() }]);
  const count = log.data?.length ?? 0;
  return (
    <Page
      title={TEXT.title}
      lead={TEXT.zone}
      actions={
        <>
          <Button variant="outlined" loading={log.isFetching && !auto} onClick={() => void log.refetch()}>
            {TEXT.refresh}
          </Button>
          <Button variant="outlined" loading={refreshAll.isPending} onClick={readAll}>
            {TEXT.refreshAll}
          </Button>
          <Button
            variant="text"
            loading={clear.isPending}
            onClick={() => confirm({ question: TEXT.clearQuestion, confirm: TEXT.clear, danger: true }, clearAll)}
          >
            {TEXT.clear}
          </Button>
        </>
      }
    >
      <Box sx={{ bgcolor: 'background.paper', border: 1, borderColor: 'line.main', borderRadius: 2.5, overflow: 'hidden' }}>
        <Tabs
          value={tab}
          variant="scrollable"
          scrollButtons={false}
          aria-label={TEXT.title}
          onChange={(_event, next: LogTab) => change({ tab: next })}
          sx={{ borderBottom: 1, borderColor: 'line.main', px: 2 }}
        >
          {LOG_TABS.map((each) => (
            <Tab key={each} value={each} label={TEXT.tabs[each]} />
          ))}
        </Tabs>
        <Stack direction="row" sx={{ gap: 4, alignItems: 'center', flexWrap: 'wrap', px: 4, pt: 3 }}>
          <Box sx={{ width: 110 }}>
            <SelectField label={TEXT.lines} value={String(lines)} options={LINES} onChange={(next) => change({ lines: Number(next) })} />
          </Box>
          <FormControlLabel
            label={TEXT.follow}
            slotProps={{ typography: { variant: 'body2' } }}
            control={<Checkbox checked={auto} onChange={(event) => change({ auto: event.target.checked })} />}
          />
          <Box sx={{ flex: 1 }} />
          <Box role="status" className="tabular" sx={{ fontSize: 13, color: 'text.secondary' }}>
            {log.isPending ? '' : count === 0 ? TEXT.noData : plural(count, 'line')}
          </Box>
        </Stack>
        {log.isError ? (
          <Box sx={{ p: 4 }}>
            <MessageBar tone="red">{TEXT.error(errorText(log.error, TEXT.none))}</MessageBar>
          </Box>
        ) : null}
        {log.isPending ? (
          <Box sx={{ p: 4 }}>
            <LoadingRows rows={10} height={18} label={TEXT.loading} />
          </Box>
        ) : (
          <LogPanel key={`${tab} ${lines} ${clears}`} read={log.data ?? NONE} urlState={urlState} onChange={change} />
        )}
      </Box>
      {dialog}
    </Page>
  );
}
