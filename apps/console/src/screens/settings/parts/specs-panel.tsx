import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { Fragment } from 'react';
import { SETTINGS_TEXT as TEXT } from '../../../text/operations.text';
import { Panel } from '../../../ui/panel';
import { REELS_SPECS } from '../reels-specs';
import { ReelFrame } from './reel-frame';

/** What a Reel has to be like. */
export function SpecsPanel() {
  return (
    <Panel title={TEXT.specs}>
      <Stack direction="row" sx={{ gap: 7, alignItems: 'flex-start' }}>
        <ReelFrame />
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
