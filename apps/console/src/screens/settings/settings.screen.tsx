import { mdiCheck, mdiClose } from '@mdi/js';
import type { Compatibility, InstagramConfig } from '@autoposter/contracts';
import { notifyResult } from '../../app/notifications/notify-result';
import { errorText } from '../../data/http/client';
import { useCompatibilityTest, useInstagramConfig, useTestMediaAddress } from '../../data/publishing/use-publishing';
import { INSTAGRAM_VARIABLES, SETTINGS_TEXT as TEXT } from '../../text/operations.text';
import { ActionButton } from '../../ui/actions';
import { CopyButton } from '../../ui/export-text';
import { LoadState, MessageBar } from '../../ui/feedback';
import { formatDateTime } from '../../ui/format';
import { Icon } from '../../ui/icons';
import { Page, Panel } from '../../ui/layout';
import { CapabilitiesPanel } from './capabilities-panel';
import { AccountsPanel } from './accounts-panel';
import { PreferencesPanel } from './preferences-panel';
import { SpecsPanel } from './reels-specs';
import { Box, Stack } from '../../ui/mui';

function describeCheck({ username, detail, checkedAt }: NonNullable<InstagramConfig['account']>): string {
  const name = username === null ? '' : `@${username}: `;
  return `${name}${detail} (checked ${formatDateTime(checkedAt)})`;
}

function ApiPanel() {
  const config = useInstagramConfig();
  const { data } = config;
  return (
    <Panel title="Instagram API" lead={TEXT.fromServer}>
      <LoadState query={config} loading={{ rows: 1, height: 44, label: 'Loading settings...' }} error={String} />
      {data?.isConfigured === true ? (
        <MessageBar tone={data.account ? (data.account.ok ? 'green' : 'orange') : 'blue'}>
          <strong>{TEXT.configured}</strong>
          <Box>{data.account ? describeCheck(data.account) : TEXT.notChecked}</Box>
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
      {data?.mediaTest === undefined ? null : <MediaTest test={data.mediaTest} hint={data.mediaHint ?? null} />}
    </Panel>
  );
}

/** Whether Instagram can fetch media from their public address; `hint` is shown above. */
function MediaTest({ test, hint }: { test: NonNullable<InstagramConfig['mediaTest']>; hint: string | null }) {
  const start = useTestMediaAddress();
  const { detail, checkedAt, isPending } = test;
  return (
    <Stack sx={{ gap: 2, mt: 3, alignItems: 'flex-start' }}>
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
        {detail === hint ? null : `${detail} `}
        {checkedAt === null ? null : TEXT.accounts.checked(formatDateTime(checkedAt))}
      </Box>
      <ActionButton
        small
        label={TEXT.testAddress}
        loading={isPending || start.isPending}
        onClick={() => void notifyResult(start.mutateAsync(undefined), null, TEXT.testFailed)}
      />
    </Stack>
  );
}

const Tool = ({ name, tool }: { name: string; tool: Compatibility['ffmpeg'] }) => (
  <Stack direction="row" sx={{ gap: 3, alignItems: 'flex-start' }}>
    <Box sx={{ color: `status.${tool.available ? 'green' : 'red'}.dot`, display: 'flex', pt: 0.5 }}>
      <Icon path={tool.available ? mdiCheck : mdiClose} title={tool.available ? 'Available' : 'Not available'} />
    </Box>
    <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
      <Box sx={{ fontWeight: 580 }}>
        {name}: {tool.available ? 'Available' : 'Not available'}
      </Box>
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{tool.message}</Box>
    </Box>
  </Stack>
);

function CompatibilityPanel() {
  const test = useCompatibilityTest();
  const { data } = test;
  return (
    <Panel title="Media tools" actions={<ActionButton label={TEXT.test} loading={test.isPending} onClick={() => test.mutate()} />}>
      <Stack sx={{ gap: 4 }}>
        {test.isError ? <MessageBar tone="red">{errorText(test.error)}</MessageBar> : null}
        {data?.error ? <MessageBar tone="red">{data.error}</MessageBar> : null}
        {data === undefined ? (
          test.isError ? null : (
            <Box sx={{ fontSize: 13, color: 'text.secondary' }}>Run the test to see whether videos can be processed.</Box>
          )
        ) : (
          <>
            <Tool name="FFmpeg" tool={data.ffmpeg} />
            <Tool name="FFprobe" tool={data.ffprobe} />
            {data.checkedAt === null || data.checkedAt === undefined ? null : (
              <Box sx={{ fontSize: 12, color: 'text.secondary' }}>Reported by the media worker on {formatDateTime(data.checkedAt)}</Box>
            )}
          </>
        )}
      </Stack>
    </Panel>
  );
}

export function SettingsScreen() {
  return (
    <Page title={TEXT.title}>
      <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}>
        <Box sx={{ display: 'grid', gap: 5, minWidth: 0, gridTemplateRows: 'auto 1fr' }}>
          <ApiPanel />
          <CompatibilityPanel />
        </Box>
        <SpecsPanel />
        <Box sx={{ gridColumn: '1 / -1', minWidth: 0 }}>
          <AccountsPanel />
        </Box>
        <Box sx={{ gridColumn: '1 / -1', minWidth: 0 }}>
          <CapabilitiesPanel />
        </Box>
        <Box sx={{ gridColumn: '1 / -1', minWidth: 0 }}>
          <PreferencesPanel />
        </Box>
      </Box>
    </Page>
  );
}
