import { LIMITS, PROOF_BYTES, WORK_BYTES } from '@autoposter/contracts';
import { useRef } from 'react';
import { ActionButton } from './actions';
import { megabytes } from './format';
import { Box } from './mui';
import { notify } from './notifications';

const tooLarge = ({ name, size }: File, limit: number): string =>
  `${name} has ${megabytes(size)}; a file must have at most ${limit / 1024 / 1024} MB`;

const PICTURES = 'image/jpeg,image/png,image/webp,image/gif,image/avif';
/** Types that the file dialog offers for each purpose; the server decides by the bytes. */
const ACCEPTED = {
  work: `video/mp4,video/quicktime,video/webm,video/x-matroska,${PICTURES},image/heic,image/heif,.heic,.heif,audio/*`,
  proof: `${PICTURES},application/pdf,.pdf,message/rfc822,.eml,text/plain,.txt`,
  cover: 'image/jpeg',
};

const MAX_BYTES = { work: WORK_BYTES, proof: PROOF_BYTES, cover: LIMITS.publishOptions.coverBytes };

interface FileButtonProps {
  label: string;
  loading?: boolean;
  small?: boolean;
  /** What the file is for. */
  purpose: keyof typeof ACCEPTED;
  onChosen: (file: File) => void;
}

/** A button that opens the file dialog. A file that is too large is refused before it is sent. */
export function FileButton({ label, loading = false, small = false, purpose, onChosen }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Box>
      <ActionButton small={small} label={label} loading={loading} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPTED[purpose]}
        aria-label={label}
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (chosen === undefined) return;
          if (chosen.size > MAX_BYTES[purpose]) notify.failure(tooLarge(chosen, MAX_BYTES[purpose]));
          else onChosen(chosen);
        }}
      />
    </Box>
  );
}
