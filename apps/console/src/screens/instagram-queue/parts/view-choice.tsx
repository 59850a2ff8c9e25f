import { mdiCalendarMonthOutline, mdiCalendarWeekOutline, mdiFormatListBulleted } from '@mdi/js';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { Icon } from '../../../ui/icon';
import { QUEUE_VIEWS, type QueueView } from '../instagram-queue.url';

const TEXT = QUEUE_TEXT.views;
const ICONS: Record<QueueView, string> = { list: mdiFormatListBulleted, week: mdiCalendarWeekOutline, month: mdiCalendarMonthOutline };

export function ViewChoice({ view, onChange }: { view: QueueView; onChange: (view: QueueView) => void }) {
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={view}
      aria-label={TEXT.label}
      onChange={(_event, next: QueueView | null) => next && onChange(next)}
    >
      {QUEUE_VIEWS.map((one) => (
        <ToggleButton key={one} value={one} sx={{ gap: 1.5 }}>
          <Icon path={ICONS[one]} />
          {TEXT[one]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
