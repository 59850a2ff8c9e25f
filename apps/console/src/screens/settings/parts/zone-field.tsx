import TextField from '@mui/material/TextField';
import { useId, useState } from 'react';
import { isZone } from '../../../preferences/preferences';
import { SETTINGS_TEXT } from '../../../text/operations.text';
import { allZones, localZone } from '../../../ui/format';

const TEXT = SETTINGS_TEXT.preferences;

/** The zone in which times are told; an empty field is the zone of this machine. */
export function ZoneField({ zone, onChange }: { zone: string | null; onChange: (zone: string | null) => void }) {
  const list = useId();
  const [typed, setTyped] = useState(zone ?? '');
  const known = typed === '' || isZone(typed);
  // Only once it is typed to its end: another zone draws the whole screen anew.
  const take = () => {
    if (known && typed !== (zone ?? '')) onChange(typed === '' ? null : typed);
  };
  return (
    <>
      <TextField
        label={TEXT.zone}
        value={typed}
        placeholder={localZone()}
        error={!known}
        helperText={known ? TEXT.zoneHint(zone ?? localZone()) : TEXT.zoneUnknown}
        onChange={(event) => setTyped(event.target.value.trim())}
        onBlur={take}
        onKeyDown={(event) => event.key === 'Enter' && take()}
        slotProps={{ inputLabel: { shrink: true }, htmlInput: { list, autoComplete: 'off', spellCheck: false } }}
      />
      <datalist id={list}>
        {allZones().map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
