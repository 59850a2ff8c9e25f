/** Something that the palette can do. */
export interface Command {
  id: string;
  group: string;
  label: string;
  /** Shown behind the label. */
  note?: string | undefined;
  icon: string;
  run: () => void;
}

const MOST_PER_GROUP = 8;

const words = (text: string): string[] => text.toLowerCase().split(/\s+/u).filter(Boolean);

/** How well a label fits what was typed: 0 = not at all; the start of a word counts more than its middle. */
export function fit(label: string, typed: string): number {
  const text = label.toLowerCase();
  let sum = 0;
  for (const word of words(typed)) {
    const at = text.indexOf(word);
    if (at === -1) return 0;
    sum += at === 0 ? 3 : /[^\p{L}\p{N}]/u.test(text.charAt(at - 1)) ? 2 : 1;
  }
  return sum === 0 ? 1 : sum;
}

/** The commands that fit, the best of each group first; groups keep their order. */
export function findCommands(commands: readonly Command[], typed: string): Command[] {
  const groups = [...new Set(commands.map(({ group }) => group))];
  return groups.flatMap((group) =>
    commands
      .filter((command) => command.group === group)
      .map((command) => ({ command, score: fit(`${command.label} ${command.note ?? ''}`, typed) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, words(typed).length === 0 ? undefined : MOST_PER_GROUP)
      .map(({ command }) => command),
  );
}
