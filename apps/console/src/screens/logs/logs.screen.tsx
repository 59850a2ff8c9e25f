import { LINES_CHOICES, LIMITS } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { errorText } from '../../data/http/client';
import { LOG_TABS, useClearLogs, useLogLines, useRefreshAllLogs, type LogTab } from '../../data/logs/use-logs';
import { LOGS_TEXT as TEXT } from '../../text/operations.text';
import { Choice } from '../../ui/choice';
import { useConfirm } from '../../ui/confirm-dialog';
import { plural } from '../../ui/format';
import { MessageBar } from '../../ui/message-bar';
import { notify } from '../../ui/notices/notice-store';
import { Page } from '../../ui/page';
import { LogView } from './parts/log-view';

/** What the processes and this browser wrote down. */
export function LogsScreen() {
  const [query, setQuery] = useSearchParams();
  const [follow, setFollow] = useState(false);
  const tab: LogTab = LOG_TABS.find((each) => each === query.get('tab')) ?? 'server';
  const lines = LINES_CHOICES.find((choice) => String(choice) === query.get('lines')) ?? LIMITS.logs.defaultLines;
  const log = useLogLines(tab, lines, follow);
  const refreshAll = useRefreshAllLogs(lines);
  const clear = useClearLogs();
  const { confirm, dialog } = useConfirm();
  const failed = (error: unknown) => notify.failure(TEXT.error(errorText(error)));
  const readAll = () => refreshAll.mutate(undefined, { onError: failed });
  const clearAll = () =>
    clear.mutate(undefined, {
      onSuccess: () => {
        notify.success(TEXT.cleared);
        readAll();
      },
      onError: failed,
    });
  const count = log.data?.length ?? 0;
  return (
    <Page
      title={TEXT.title}
      actions={
        <>
          <Button variant="outlined" loading={log.isFetching && !follow} onClick={() => void log.refetch()}>
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
          onChange={(_event, next: LogTab) => setQuery({ tab: next, lines: String(lines) }, { replace: true })}
          sx={{ borderBottom: 1, borderColor: 'line.main', px: 2 }}
        >
          {LOG_TABS.map((each) => (
            <Tab key={each} value={each} label={TEXT.tabs[each]} />
          ))}
        </Tabs>
        <Stack
          direction="row"
          sx={{ gap: 4, alignItems: 'center', flexWrap: 'wrap', px: 4, py: 3, borderBottom: 1, borderColor: 'line.main' }}
        >
          <Box sx={{ width: 110 }}>
            <Choice
              label={TEXT.lines}
              value={String(lines)}
              options={LINES_CHOICES.map((choice) => [String(choice), String(choice)])}
              onChange={(next) => setQuery({ tab, lines: next }, { replace: true })}
            />
          </Box>
          <FormControlLabel
            label={TEXT.follow}
            slotProps={{ typography: { variant: 'body2' } }}
            control={<Checkbox checked={follow} onChange={(event) => setFollow(event.target.checked)} />}
          />
          <Box sx={{ flex: 1 }} />
          <Box role="status" className="tabular" sx={{ fontSize: 13, color: 'text.secondary' }}>
            {count === 0 ? TEXT.noData : plural(count, 'line')}
          </Box>
        </Stack>
        {log.isError ? (
          <Box sx={{ p: 4 }}>
            <MessageBar tone="red">{TEXT.error(errorText(log.error, TEXT.none))}</MessageBar>
          </Box>
        ) : null}
        <LogView key={tab} lines={log.data ?? []} label={TEXT.tabs[tab]} placeholder={TEXT.placeholder} />
      </Box>
      {dialog}
    </Page>
  );
}
