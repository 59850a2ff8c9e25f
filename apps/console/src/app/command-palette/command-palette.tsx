import { mdiMagnify } from '@mdi/js';
import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import Typography from '@mui/material/Typography';
import { Fragment, useDeferredValue, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { PALETTE_TEXT as TEXT } from '../../text/keys.text';
import { VISUALLY_HIDDEN } from '../../theme/tokens';
import { Icon } from '../../ui/icon';
import { findCommands, type Command, useCommands, usePostCommands } from './commands';

/** Letters before posts are looked up. */
const LETTERS = 2;
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

interface PaletteProps {
  onClose: () => void;
  /** Opens the sheet of keys. */
  onKeys: () => void;
}

function Option({ id, command, chosen, onRun }: { id: string; command: Command; chosen: boolean; onRun: () => void }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen) element.current?.scrollIntoView?.({ block: 'nearest' });
  }, [chosen]);
  return (
    <Box
      ref={element}
      id={id}
      role="option"
      aria-selected={chosen}
      onClick={onRun}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 3,
        minHeight: 40,
        px: 4,
        mx: 2,
        borderRadius: 2,
        cursor: 'pointer',
        color: chosen ? 'accent.text' : 'text.primary',
        bgcolor: chosen ? 'accent.tint' : 'transparent',
        '&:hover': { bgcolor: chosen ? 'accent.tint' : 'sunken.main' },
        '@media (pointer: coarse)': { minHeight: 44 },
      }}
    >
      <Icon path={command.icon} sx={{ fontSize: 18, flexShrink: 0 }} />
      <Box component="span" sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
        {command.label}
      </Box>
      {command.note === undefined ? null : (
        <Box component="span" sx={{ fontSize: 12, color: 'text.secondary', whiteSpace: 'nowrap' }}>
          {command.note}
        </Box>
      )}
    </Box>
  );
}

/** What fits, which of it is chosen, and what the keys do. */
function useResults({ typed, commands, onClose }: { typed: string; commands: readonly Command[]; onClose: () => void }) {
  const found = findCommands(commands, typed);
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const at = Math.min(chosen, found.length - 1);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step !== undefined) setChosen((at + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') run(found[at]);
    else return;
    event.preventDefault();
  };
  return { found, at, list, run, onKey, choose: setChosen };
}

function Panel({ onClose, onKeys }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const posts = usePostCommands(typed.trim().length >= LETTERS);
  const commands = [...useCommands(onKeys), ...posts];
  const { found, at, list, run, onKey, choose } = useResults({ typed: useDeferredValue(typed), commands, onClose });
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, px: 5, borderBottom: 1, borderColor: 'line.main' }}>
        <Icon path={mdiMagnify} sx={{ color: 'text.secondary' }} />
        <Box
          component="input"
          type="text"
          role="combobox"
          autoFocus
          aria-label={TEXT.field}
          aria-expanded
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={found.length === 0 ? undefined : `${list}-${at}`}
          autoComplete="off"
          spellCheck={false}
          placeholder={TEXT.field}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            choose(0);
          }}
          onKeyDown={onKey}
          sx={{
            flex: 1,
            minWidth: 0,
            height: 52,
            border: 0,
            outline: 'none',
            font: 'inherit',
            fontSize: 16,
            color: 'text.primary',
            bgcolor: 'transparent',
            '&::placeholder': { color: 'text.secondary', opacity: 1 },
          }}
        />
      </Box>
      <Box id={list} role="listbox" aria-label={TEXT.field} sx={{ overflowY: 'auto', maxHeight: 'min(60vh, 440px)', py: 2 }}>
        {found.map((command, index) => (
          <Fragment key={command.id}>
            {command.group === found[index - 1]?.group ? null : (
              <Typography
                variant="overline"
                component="div"
                role="presentation"
                sx={{ color: 'text.secondary', px: 6, pt: index === 0 ? 0 : 2 }}
              >
                {command.group}
              </Typography>
            )}
            <Option id={`${list}-${index}`} command={command} chosen={index === at} onRun={() => run(command)} />
          </Fragment>
        ))}
      </Box>
      <Box role="status" sx={{ fontSize: 12, color: 'text.secondary', px: 6, py: 2.5, borderTop: 1, borderColor: 'line.main' }}>
        {found.length === 0 ? TEXT.nothing(typed) : TEXT.hint}
      </Box>
    </>
  );
}

/** One field for every screen, every post by its title, and what can be done from everywhere. */
export function CommandPalette(props: PaletteProps) {
  const title = useId();
  return (
    <Dialog
      open
      onClose={props.onClose}
      fullWidth
      maxWidth="sm"
      aria-labelledby={title}
      slotProps={{
        paper: { sx: { mt: { xs: 2, sm: '12vh' }, mx: { xs: 2, sm: 8 }, width: { xs: 'calc(100% - 16px)' } } },
        container: { sx: { alignItems: 'flex-start' } },
      }}
    >
      <Box component="h2" id={title} sx={VISUALLY_HIDDEN}>
        {TEXT.title}
      </Box>
      <Panel {...props} />
    </Dialog>
  );
}
