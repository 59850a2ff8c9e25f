import { mdiFileImageOutline, mdiFileVideoOutline } from '@mdi/js';
import { LIMITS, type ReadyForAi, type ReadyForDmca } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { DASHBOARD_TEXT } from '../../../text/dashboard.text';
import { megabytes, formatDateTime, sourceName } from '../../../ui/format';
import { Icon } from '../../../ui/icon';

export interface ReadyFile {
  id: string;
  /** Of the post; empty where it has none. */
  title: string;
  name: string;
  type: string;
  source: string;
  bytes: number;
  /** Why the file is not taken up now. */
  waiting?: { reason: string; until: string | null } | null;
}

export const dmcaFile = (file: ReadyForDmca): ReadyFile => ({
  id: file.id,
  title: file.title ?? '',
  name: file.fileName,
  type: file.fileType,
  source: sourceName(file),
  bytes: file.fileSize,
});

export const aiFile = (file: ReadyForAi): ReadyFile => ({
  id: file.id,
  title: file.title ?? '',
  name: file.filename,
  type: file.mediaType,
  source: sourceName(file),
  bytes: file.fileSize,
  waiting: file.waiting ?? null,
});

const headline = (file: ReadyFile): string => (file.title === '' ? file.name : file.title);

interface ReadyFilesProps {
  files: readonly ReadyFile[];
  action: string;
  busyId: string | null;
  disabled: boolean;
  onProcess: (id: string) => void;
}

/** The first files that wait, each with its button, and how many more there are. */
export function ReadyFiles({ files, action, busyId, disabled, onProcess }: ReadyFilesProps) {
  const shown = files.slice(0, LIMITS.console.dashboardFiles);
  const left = files.length - shown.length;
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {shown.map((file) => (
        <Stack
          key={file.id}
          component="li"
          direction="row"
          sx={{
            alignItems: 'center',
            flexWrap: { xs: 'wrap', sm: 'nowrap' },
            gap: 3.5,
            py: 3,
            borderTop: 1,
            borderColor: 'line.main',
            '&:first-of-type': { borderTop: 0, pt: 0 },
          }}
        >
          <Box
            sx={{
              width: 38,
              height: 38,
              borderRadius: 2,
              bgcolor: 'sunken.main',
              color: 'text.secondary',
              display: 'grid',
              placeItems: 'center',
            }}
          >
            <Icon path={file.type.startsWith('video') ? mdiFileVideoOutline : mdiFileImageOutline} />
          </Box>
          <Box sx={{ flex: '1 1 150px', minWidth: 0, overflowWrap: 'anywhere' }}>
            <Typography sx={{ fontWeight: 560 }}>{headline(file)}</Typography>
            <Typography variant="caption" component="p" className="tabular" sx={{ color: 'text.secondary' }}>
              {[...(file.title === '' ? [] : [file.name]), file.type, file.source, megabytes(file.bytes)].join(' · ')}
            </Typography>
            {file.waiting ? (
              <Typography variant="caption" component="p" sx={{ color: 'status.orange.text' }}>
                {DASHBOARD_TEXT.ai.waits(
                  file.waiting.reason,
                  file.waiting.until === null ? null : formatDateTime(file.waiting.until, { zone: true }),
                )}
              </Typography>
            ) : null}
          </Box>
          <Button size="small" variant="outlined" disabled={disabled} loading={busyId === file.id} onClick={() => onProcess(file.id)}>
            {action}
          </Button>
        </Stack>
      ))}
      {left > 0 ? (
        <Typography component="li" variant="body2" sx={{ color: 'text.secondary', pt: 3, borderTop: 1, borderColor: 'line.main' }}>
          {DASHBOARD_TEXT.more(left)}
        </Typography>
      ) : null}
    </Box>
  );
}
