import { type Command, findCommands, matchScore } from './commands';

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

describe('findCommands', () => {
  it('requires every typed word, in any order and case', () => {
    expect(findCommands(ALL, 'queue INST').map(({ label }) => label)).toEqual(['Instagram Queue']);
    expect(findCommands(ALL, 'queue x')).toEqual([]);
  });

  it('prefers matches at the start of the label, then at the start of a word', () => {
    expect(matchScore('Logs', 'lo')).toBeGreaterThan(matchScore('Server logs', 'lo'));
    expect(matchScore('Server logs', 'lo')).toBeGreaterThan(matchScore('Catalogue', 'lo'));
    expect(matchScore('Logs', 'zz')).toBe(0);
  });

  it('searches the note, keeps the order of groups and limits each group to eight', () => {
    expect(findCommands(ALL, 'earthporn')).toHaveLength(8);
    expect(
      findCommands(ALL, '')
        .map(({ group }) => group)
        .slice(0, 4),
    ).toEqual(['Screens', 'Screens', 'Actions', 'Posts']);
  });
});
