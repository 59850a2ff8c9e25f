import Box from '@mui/material/Box';
import { errorText } from '../../../data/http/client';
import { useInstagramConfig } from '../../../data/publishing/use-publishing';
import { INSTAGRAM_VARIABLES, SETTINGS_TEXT as TEXT } from '../../../text/operations.text';
import { CopyButton } from '../../../ui/export-text';
import { formatDateTime } from '../../../ui/format';
import { LoadErrorBar, MessageBar } from '../../../ui/message-bar';
import { LoadingRows } from '../../../ui/loading-rows';
import { Panel } from '../../../ui/panel';

/** Whether publishing is configured, what the last look at the account said, and which files Instagram could not fetch. */
export function ApiPanel() {
  const config = useInstagramConfig();
  const { data } = config;
  return (
    <Panel title="Instagram API" lead={TEXT.fromServer}>
      {config.isPending ? <LoadingRows rows={1} height={44} label="Loading settings..." /> : null}
      {config.isError ? <LoadErrorBar onRetry={() => void config.refetch()}>{errorText(config.error)}</LoadErrorBar> : null}
      {data?.isConfigured === true ? (
        <MessageBar tone={data.account?.ok === false ? 'orange' : 'green'}>
          <strong>{TEXT.configured}</strong>
          {data.account === null || data.account === undefined ? null : (
            <Box>
              {data.account.username === null ? '' : `@${data.account.username}: `}
              {data.account.detail} (looked at {formatDateTime(data.account.checkedAt)})
            </Box>
          )}
        </MessageBar>
      ) : null}
      {data?.isConfigured === false ? (
        <MessageBar tone="orange">
          <strong>{TEXT.notConfigured}</strong>
          <Box>{TEXT.setVariables}</Box>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mt: 2 }}>
            {INSTAGRAM_VARIABLES.map((name) => (
              <CopyButton key={name} text={name} label={TEXT.copy(name)} />
            ))}
          </Box>
        </MessageBar>
      ) : null}
      {data?.mediaHint === null || data?.mediaHint === undefined ? null : (
        <Box sx={{ mt: 3 }}>
          <MessageBar tone="orange">{data.mediaHint}</MessageBar>
        </Box>
      )}
    </Panel>
  );
}
