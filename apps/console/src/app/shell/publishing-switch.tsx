import { mdiPause, mdiPlay } from '@mdi/js';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { errorText } from '../../data/http/client';
import { usePublishing, useSetPublishing } from '../../data/publishing/use-publishing';
import { SHELL_TEXT } from '../../text/shell.text';
import { useConfirm } from '../../ui/confirm-dialog';
import { Icon } from '../../ui/icon';
import { notify } from '../../ui/notices/notice-store';

/** The one switch that stops all publishing, Post Now included. */
export function PublishingSwitch() {
  const { data } = usePublishing();
  const change = useSetPublishing();
  const { confirm, dialog } = useConfirm();
  if (data === undefined) return null;
  const { paused } = data;
  const flip = () => change.mutate(!paused, { onError: (error) => notify.failure(errorText(error)) });
  const label = paused ? SHELL_TEXT.resume : SHELL_TEXT.pause;
  const ask = paused
    ? { question: SHELL_TEXT.resumeQuestion, detail: SHELL_TEXT.resumeDetail, confirm: label }
    : { question: SHELL_TEXT.pauseQuestion, detail: SHELL_TEXT.pauseDetail, confirm: label };
  return (
    <>
      <Button
        size="small"
        variant={paused ? 'contained' : 'outlined'}
        disabled={change.isPending}
        aria-label={label}
        onClick={() => confirm(ask, flip)}
        startIcon={<Icon path={paused ? mdiPlay : mdiPause} />}
        sx={{ '& .MuiButton-startIcon': { mr: { xs: 0, sm: 1.5 } }, minWidth: { xs: 36, sm: 64 } }}
      >
        <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
          {label}
        </Box>
      </Button>
      {dialog}
    </>
  );
}
