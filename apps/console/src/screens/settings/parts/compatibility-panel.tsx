import { mdiCheck, mdiClose } from '@mdi/js';
import type { Compatibility } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { errorText } from '../../../data/http/client';
import { useCompatibilityTest } from '../../../data/publishing/use-publishing';
import { SETTINGS_TEXT as TEXT } from '../../../text/operations.text';
import { formatDateTime } from '../../../ui/format';
import { Icon } from '../../../ui/icon';
import { MessageBar } from '../../../ui/message-bar';
import { Panel } from '../../../ui/panel';

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

/** Asks on request whether the media tools are there. */
export function CompatibilityPanel() {
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
              <Box sx={{ fontSize: 12, color: 'text.secondary' }}>Reported by the media worker on {formatDateTime(data.checkedAt)}</Box>
            )}
          </>
        )}
      </Stack>
    </Panel>
  );
}
