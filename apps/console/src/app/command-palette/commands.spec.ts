import { findCommands, fit, type Command } from './commands';

const command = (group: string, label: string, note?: string): Command => ({
  id: label,
  group,
  label,
  note,
  icon: '',
  run: () => undefined,
});
const ALL = [
  command('Screens', 'Instagram Queue'),
  command('Screens', 'Logs'),
  command('Actions', 'Pause publishing'),
  ...Array.from({ length: 20 }, (_none, index) => command('Posts', `A quiet lake ${index}`, 'r/EarthPorn')),
];

describe('finding in the palette', () => {
  it('asks for every word, in any order and case', () => {
    expect(findCommands(ALL, 'queue INST').map(({ label }) => label)).toEqual(['Instagram Queue']);
    expect(findCommands(ALL, 'queue x')).toEqual([]);
  });

  it('prefers the start of the label, then of a word', () => {
    expect(fit('Logs', 'lo')).toBeGreaterThan(fit('Server logs', 'lo'));
    expect(fit('Server logs', 'lo')).toBeGreaterThan(fit('Catalogue', 'lo'));
    expect(fit('Logs', 'zz')).toBe(0);
  });

  it('looks into the note, keeps the order of groups, and does not flood the list', () => {
    expect(findCommands(ALL, 'earthporn')).toHaveLength(8);
    expect(
      findCommands(ALL, '')
        .map(({ group }) => group)
        .slice(0, 4),
    ).toEqual(['Screens', 'Screens', 'Actions', 'Posts']);
  });
});
