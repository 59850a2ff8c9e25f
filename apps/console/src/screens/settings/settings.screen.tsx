import { mdiCheck, mdiClose } from '@mdi/js';
import type { Compatibility } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { Fragment } from 'react';
import { errorText } from '../../data/http/client';
import { useCompatibilityTest, useInstagramConfig } from '../../data/publishing/use-instagram';
import { SETTINGS_TEXT as TEXT } from '../../text/operations.text';
import { moment } from '../../ui/format';
import { Icon } from '../../ui/icon';
import { LoadingRows } from '../../ui/loading-rows';
import { MessageBar } from '../../ui/message-bar';
import { Page } from '../../ui/page';
import { Panel } from '../../ui/panel';
import { REELS_SPECS } from './reels-specs';

function ApiPanel() {
  const config = useInstagramConfig();
  const { data } = config;
  return (
    <Panel title="Instagram API" lead={TEXT.fromServer}>
      {config.isPending ? <LoadingRows rows={1} height={44} label="Loading settings..." /> : null}
      {config.isError ? <MessageBar tone="red">{errorText(config.error)}</MessageBar> : null}
      {data?.isConfigured === true ? (
        <MessageBar tone={data.account?.ok === false ? 'orange' : 'green'}>
          <strong>{TEXT.configured}</strong>
          {data.account === null || data.account === undefined ? null : (
            <Box>
              {data.account.username === null ? '' : `@${data.account.username}: `}
              {data.account.detail} (looked at {moment(data.account.checkedAt)})
            </Box>
          )}
        </MessageBar>
      ) : null}
      {data?.isConfigured === false ? (
        <MessageBar tone="orange">
          <strong>{TEXT.notConfigured}</strong>
          <Box>{TEXT.setVariables}</Box>
        </MessageBar>
      ) : null}
    </Panel>
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
    <Panel
      title="Media tools"
      actions={
        <Button variant="outlined" loading={test.isPending} onClick={() => test.mutate()}>
          {TEXT.test}
        </Button>
      }
    >
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
              <Box sx={{ fontSize: 12, color: 'text.secondary' }}>Reported by the media worker on {moment(data.checkedAt)}</Box>
            )}
          </>
        )}
      </Stack>
    </Panel>
  );
}

function SpecsPanel() {
  return (
    <Panel title={TEXT.specs}>
      <Stack direction="row" sx={{ gap: 7, alignItems: 'flex-start' }}>
        <Box
          aria-hidden
          sx={{
            display: { xs: 'none', sm: 'grid' },
            width: 132,
            aspectRatio: '9 / 16',
            placeItems: 'center',
            border: 2,
            borderColor: 'primary.main',
            borderRadius: 3,
            bgcolor: 'accent.tint',
            color: 'accent.text',
            fontWeight: 620,
            flexShrink: 0,
          }}
        >
          9:16
        </Box>
        <Box
          component="dl"
          className="tabular"
          sx={{
            m: 0,
            flex: 1,
            display: 'grid',
            gridTemplateColumns: 'minmax(110px, max-content) minmax(0, 1fr)',
            columnGap: 6,
            rowGap: 2.5,
            fontSize: 13,
            '& dt': { color: 'text.secondary' },
            '& dd': { m: 0, fontWeight: 540 },
          }}
        >
          {REELS_SPECS.map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </Box>
      </Stack>
    </Panel>
  );
}

/** Whether publishing is set up, what a Reel needs, and whether the tools are there. */
export function SettingsScreen() {
  return (
    <Page title={TEXT.title}>
      <Box
        sx={{
          display: 'grid',
          gap: 5,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
          alignItems: 'start',
        }}
      >
        <ApiPanel />
        <CompatibilityPanel />
        <SpecsPanel />
      </Box>
    </Page>
  );
}
