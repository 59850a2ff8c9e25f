import {
  mdiBellCheckOutline,
  mdiFilmstrip,
  mdiKeyboardOutline,
  mdiLogoutVariant,
  mdiPause,
  mdiPlay,
  mdiRefresh,
  mdiThemeLightDark,
} from '@mdi/js';
import type { Download } from '@autoposter/contracts';
import { useColorScheme } from '@mui/material/styles';
import { useNavigate } from 'react-router-dom';
import { useDownloads } from '../../data/downloads/use-downloads';
import { errorText } from '../../data/http/client';
import { usePublishing, useTogglePublishing } from '../../data/publishing/use-publishing';
import { logout } from '../../data/session/use-session';
import { useMarkFailuresSeen } from '../../data/status/use-status';
import { KEYS_TEXT, PALETTE_TEXT as TEXT, SHELL_TEXT } from '../../text/shell.text';
import { sourceName, titleText } from '../../ui/format';
import { notify } from '../../ui/notifications';
import { ALL_SCREENS } from '../paths';
import { useRefresh } from '../shell/global-shortcuts';

export interface Command {
  id: string;
  group: string;
  label: string;
  note?: string | undefined;
  icon: string;
  run: () => void;
}

const MAX_PER_GROUP = 8;

const words = (text: string): string[] => text.toLowerCase().split(/\s+/u).filter(Boolean);

/** 0 when a typed word is missing; matches at the start of the label or of a word score higher. */
export function matchScore(label: string, typed: string): number {
  const text = label.toLowerCase();
  let sum = 0;
  for (const word of words(typed)) {
    const at = text.indexOf(word);
    if (at === -1) return 0;
    sum += at === 0 ? 3 : /[^\p{L}\p{N}]/u.test(text.charAt(at - 1)) ? 2 : 1;
  }
  return sum === 0 ? 1 : sum;
}

/** Matching commands, best first within each group; the groups keep their order. */
export function findCommands(commands: readonly Command[], typed: string): Command[] {
  const groups = [...new Set(commands.map(({ group }) => group))];
  return groups.flatMap((group) =>
    commands
      .filter((command) => command.group === group)
      .map((command) => ({ command, score: matchScore(`${command.label} ${command.note ?? ''}`, typed) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, words(typed).length === 0 ? undefined : MAX_PER_GROUP)
      .map(({ command }) => command),
  );
}

const CAPTIONED = new Set(['ready', 'queued', 'posting', 'posted']);
/** The palette has closed by the time a request fails. */
const notifyFailure = (change: Promise<unknown>): void => void change.catch((error: unknown) => notify.failure(errorText(error)));

/** Captioned items open in Processed Content, others on their item page. */
const pathOf = (item: Download): string =>
  CAPTIONED.has(item.state ?? '')
    ? `/admin/processed?${new URLSearchParams({ item: item._id, dialog: 'details' }).toString()}`
    : `/admin/items/${item._id}`;

export function useCommands(openKeys: () => void): readonly Command[] {
  const navigate = useNavigate();
  const refresh = useRefresh();
  const { setMode } = useColorScheme();
  const publishing = usePublishing().data;
  const toggle = useTogglePublishing();
  const seen = useMarkFailuresSeen();
  const action = (label: string, icon: string, run: () => void): Command => ({ id: label, group: TEXT.actions, label, icon, run });
  const screens = ALL_SCREENS.map(({ path, label, icon }) => ({
    id: path,
    group: TEXT.pages,
    label,
    icon,
    run: () => void navigate(path),
  }));
  const togglePublishing =
    publishing === undefined
      ? []
      : [
          action(publishing.paused ? SHELL_TEXT.resume : SHELL_TEXT.pause, publishing.paused ? mdiPlay : mdiPause, () =>
            notifyFailure(toggle.mutateAsync(publishing)),
          ),
        ];
  return [
    ...screens,
    ...togglePublishing,
    action(KEYS_TEXT.refresh, mdiRefresh, refresh),
    action(SHELL_TEXT.markSeen, mdiBellCheckOutline, () => notifyFailure(seen.mutateAsync())),
    ...(['light', 'dark', 'system'] as const).map((mode) =>
      action(TEXT.theme(SHELL_TEXT.theme[mode]), mdiThemeLightDark, () => setMode(mode)),
    ),
    action(KEYS_TEXT.title, mdiKeyboardOutline, openKeys),
    action(SHELL_TEXT.logout, mdiLogoutVariant, logout),
  ];
}

/** Items by title and source, fetched when `enabled`. */
export function useItemCommands(enabled: boolean): readonly Command[] {
  const navigate = useNavigate();
  return (useDownloads(enabled).data ?? []).map((item) => ({
    id: item._id,
    group: TEXT.posts,
    label: titleText(item.title),
    note: sourceName(item),
    icon: mdiFilmstrip,
    run: () => void navigate(pathOf(item)),
  }));
}
