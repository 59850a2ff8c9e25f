import { RIGHTS_TEXT as TEXT } from '../../text/rights.text';
import { FileButton } from '../../ui/file-button';
import { LabelledChoice } from '../../ui/fields';
import { megabytes } from '../../ui/format';
import { Box, Stack, TextField } from '../../ui/mui';

/** How a claim names the work. */
type Way = keyof typeof TEXT.ways;
const WAYS = Object.entries(TEXT.ways) as [Way, string][];

export interface Identification {
  way: Way;
  text: string;
  file: File | null;
}

interface ClaimIdentificationProps {
  value: Identification;
  problem: string;
  onChange: (value: Identification) => void;
}

/** Chooses a way to name the work and takes the text or file for it. */
export function ClaimIdentification({ value: { way, text, file }, problem, onChange }: ClaimIdentificationProps) {
  const { label, hint } = TEXT.identified[way];
  return (
    <>
      <LabelledChoice
        label={TEXT.by}
        value={way}
        options={WAYS}
        onChange={(next) => next !== null && onChange({ way: next, text: '', file })}
      />
      <Stack direction="row" sx={{ gridColumn: '1 / -1', gap: 2, alignItems: 'flex-start', flexWrap: 'wrap' }}>
        {way === 'file' ? (
          <Box sx={{ display: 'grid', gap: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
            <FileButton purpose="work" label={TEXT.choose} onChosen={(chosen) => onChange({ way, text, file: chosen })} />
            {file === null ? null : <span>{TEXT.chosen(file.name, megabytes(file.size))}</span>}
            <Box role={problem === '' ? undefined : 'alert'} sx={{ fontSize: 12, color: problem === '' ? 'text.secondary' : 'error.main' }}>
              {problem === '' ? hint : problem}
            </Box>
          </Box>
        ) : (
          <TextField
            label={label}
            value={text}
            error={problem !== ''}
            helperText={problem === '' ? hint : problem}
            onChange={(event) => onChange({ way, text: event.target.value, file })}
            slotProps={{ formHelperText: { role: problem === '' ? undefined : 'alert' }, htmlInput: { maxLength: 2000 } }}
            sx={{ flex: '1 1 260px' }}
          />
        )}
      </Stack>
    </>
  );
}
