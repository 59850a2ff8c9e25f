export const KEYS_TEXT = {
  title: 'Keyboard shortcuts',
  off: 'Keys of one letter are switched off. They can be switched on in Settings.',
  everywhere: 'Everywhere',
  goTo: (screen: string) => `Go to ${screen}`,
  palette: 'Go to, find, do',
  search: 'Search on this screen',
  refresh: 'Read everything again',
  next: 'Next row',
  previous: 'Previous row',
  open: 'Open the row',
  select: 'Select the row',
  undo: 'Undo the last change',
  help: 'This sheet',
  close: 'Close',
  then: 'then',
};

export const PALETTE_TEXT = {
  title: 'Go to, find, do',
  field: 'Go to a screen, find a post, do something',
  pages: 'Screens',
  actions: 'Actions',
  posts: 'Posts',
  nothing: (typed: string) => `Nothing fits “${typed}”`,
  hint: 'Up and down to choose, Enter to go, Esc to close',
  theme: (mode: string) => `Colour scheme: ${mode}`,
};
