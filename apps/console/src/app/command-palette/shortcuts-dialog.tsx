import { Fragment, useState } from 'react';
import { usePreferences } from '../../preferences/preferences';
import { KEYS_TEXT as TEXT } from '../../text/shell.text';
import { DialogFrame } from '../../ui/dialogs';
import { activeScopes } from '../../ui/keyboard/use-shortcuts';
import { MessageBar } from '../../ui/feedback';
import { Box, Span, Typography } from '../../ui/mui';

const NAMES: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc', ' ': 'Space' };
const apple = /Mac|iPhone|iPad/u.test(navigator.userAgent);

const namesOf = (keys: string): string[] =>
  keys === ' '
    ? ['Space']
    : keys.split(' ').map((key) =>
        key
          .split('+')
          .map((part) =>
            part === 'mod'
              ? apple
                ? '⌘'
                : 'Ctrl'
              : part === 'shift'
                ? 'Shift'
                : (NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part)),
          )
          .join(' + '),
      );

function Keys({ keys }: { keys: string }) {
  return (
    <Span sx={{ whiteSpace: 'nowrap', display: 'inline-flex', gap: 1.5, alignItems: 'center', fontSize: 12 }}>
      {namesOf(keys).map((name, index) => (
        <Fragment key={name + String(index)}>
          {index === 0 ? null : <span>{TEXT.then}</span>}
          <Box
            component="kbd"
            sx={{
              fontFamily: 'inherit',
              border: 1,
              borderColor: 'line.strong',
              borderRadius: 1.5,
              px: 1.75,
              lineHeight: '22px',
              minWidth: 24,
              textAlign: 'center',
            }}
          >
            {name}
          </Box>
        </Fragment>
      ))}
    </Span>
  );
}

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [scopes] = useState(() => activeScopes().map(({ name, shortcuts }) => ({ name, shortcuts: shortcuts() })));
  const { shortcuts: on } = usePreferences();
  return (
    <DialogFrame maxWidth="md" title={TEXT.title} onClose={onClose}>
      {on ? null : <MessageBar tone="orange">{TEXT.off}</MessageBar>}
      {scopes.toReversed().map(({ name, shortcuts }) => (
        <section key={name}>
          <Typography variant="h3" sx={{ mb: 2 }}>
            {name}
          </Typography>
          <Box component="dl" sx={{ m: 0, columnGap: '32px', columnCount: { sm: 2 } }}>
            {shortcuts.map(({ keys, label }) => (
              <Box
                key={keys}
                sx={{
                  breakInside: 'avoid',
                  display: 'flex',
                  justifyContent: 'space-between',
                  gap: 3,
                  py: 1.5,
                  fontSize: 13,
                  borderBottom: 1,
                  borderColor: 'line.main',
                }}
              >
                <dt>{label}</dt>
                <Box component="dd" sx={{ m: 0 }}>
                  <Keys keys={keys} />
                </Box>
              </Box>
            ))}
          </Box>
        </section>
      ))}
    </DialogFrame>
  );
}
