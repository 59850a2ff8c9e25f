import { LINES_CHOICES } from '@autoposter/contracts';
import { useState } from 'react';
import { notifyResult } from '../../app/notifications/notify-result';
import { LOG_TABS, type LogTab, useClearLogs, useLogLines, useRefreshAllLogs } from '../../data/logs/use-logs';
import { LOGS_TEXT as TEXT } from '../../text/operations.text';
import { CARD } from '../../theme/tokens';
import { ActionButton, RefreshButton } from '../../ui/actions';
import { useConfirm } from '../../ui/dialogs';
import { LoadState } from '../../ui/feedback';
import { CheckboxField, SelectField } from '../../ui/fields';
import { plural } from '../../ui/format';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import { Page } from '../../ui/layout';
import { Box, Stack, Tab, Tabs } from '../../ui/mui';
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
  const readAll = () => void notifyResult(refreshAll.mutateAsync(), null, TEXT.error);
  const clearAll = () =>
    void notifyResult(clear.mutateAsync(), TEXT.cleared, TEXT.error).then((done) => {
      if (!done) return;
      setClears((times) => times + 1);
      readAll();
    });
  useShortcuts(TEXT.title, [{ keys: 'r', label: TEXT.refresh, run: () => void log.refetch() }]);
  const count = log.data?.length ?? 0;
  return (
    <Page
      title={TEXT.title}
      lead={TEXT.zone}
      actions={
        <>
          <RefreshButton label={TEXT.refresh} onRefresh={log.refetch} />
          <ActionButton label={TEXT.refreshAll} loading={refreshAll.isPending} onClick={readAll} />
          <ActionButton
            label={TEXT.clear}
            variant="text"
            loading={clear.isPending}
            onClick={() => confirm({ question: TEXT.clearQuestion, confirm: TEXT.clear, danger: true }, clearAll)}
          />
        </>
      }
    >
      <Box sx={CARD}>
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
          <CheckboxField label={TEXT.follow} checked={auto} onChange={(checked) => change({ auto: checked })} />
          <Box sx={{ flex: 1 }} />
          <Box role="status" sx={{ fontSize: 13, color: 'text.secondary' }}>
            {log.isPending ? '' : count === 0 ? TEXT.noData : plural(count, 'line')}
          </Box>
        </Stack>
        <Box sx={{ p: 4, '&:empty': { display: 'none' } }}>
          <LoadState
            query={log}
            loading={{ rows: 10, height: 18, label: TEXT.loading }}
            error={(message) => TEXT.error(message === '' ? TEXT.none : message)}
          />
        </Box>
        {log.isPending ? null : (
          <LogPanel key={`${tab} ${lines} ${clears}`} read={log.data ?? NONE} urlState={urlState} onChange={change} />
        )}
      </Box>
      {dialog}
    </Page>
  );
}
