import { mdiMagnify } from '@mdi/js';
import { Fragment, type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { PALETTE_TEXT as TEXT } from '../../text/shell.text';
import { VISUALLY_HIDDEN } from '../../theme/tokens';
import { Icon } from '../../ui/icons';
import { type Command, findCommands, useCommands, useItemCommands } from './commands';
import { Dialog } from '../../ui/back-button';
import { Box, Span, Typography } from '../../ui/mui';

/** Typed characters from which items are searched. */
const MIN_CHARACTERS = 2;
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

interface PaletteProps {
  onClose: () => void;
  onKeys: () => void;
}

function Option({ id, command, selected, onRun }: { id: string; command: Command; selected: boolean; onRun: () => void }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (selected) element.current?.scrollIntoView?.({ block: 'nearest' });
  }, [selected]);
  return (
    <Box
      ref={element}
      id={id}
      role="option"
      aria-selected={selected}
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
        color: selected ? 'accent.text' : 'text.primary',
        bgcolor: selected ? 'accent.tint' : 'transparent',
        '&:hover': { bgcolor: selected ? 'accent.tint' : 'sunken.main' },
        '@media (pointer: coarse)': { minHeight: 44 },
      }}
    >
      <Icon path={command.icon} sx={{ fontSize: 18, flexShrink: 0 }} />
      <Span sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>{command.label}</Span>
      {command.note === undefined ? null : <Span sx={{ fontSize: 12, color: 'text.secondary', whiteSpace: 'nowrap' }}>{command.note}</Span>}
    </Box>
  );
}

function useResults({ typed, commands, onClose }: { typed: string; commands: readonly Command[]; onClose: () => void }) {
  const found = findCommands(commands, typed);
  const [selected, setSelected] = useState(0);
  const list = useId();
  const at = Math.min(selected, found.length - 1);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step !== undefined) setSelected((at + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') run(found[at]);
    else return;
    event.preventDefault();
  };
  return { found, at, list, run, onKey, select: setSelected };
}

function Panel({ onClose, onKeys }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const items = useItemCommands(typed.trim().length >= MIN_CHARACTERS);
  const commands = [...useCommands(onKeys), ...items];
  const { found, at, list, run, onKey, select } = useResults({ typed: useDeferredValue(typed), commands, onClose });
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
            select(0);
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
            <Option id={`${list}-${index}`} command={command} selected={index === at} onRun={() => run(command)} />
          </Fragment>
        ))}
      </Box>
      <Box role="status" sx={{ fontSize: 12, color: 'text.secondary', px: 6, py: 2.5, borderTop: 1, borderColor: 'line.main' }}>
        {found.length === 0 ? TEXT.nothing(typed) : TEXT.hint}
      </Box>
    </>
  );
}

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
