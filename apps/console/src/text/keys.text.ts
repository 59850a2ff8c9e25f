export const KEYS_TEXT = {
  title: 'Keyboard shortcuts',
  off: 'Single-key shortcuts are off. Turn them on in Settings.',
  everywhere: 'Everywhere',
  goTo: (screen: string) => `Go to ${screen}`,
  palette: 'Command palette',
  search: 'Search this screen',
  refresh: 'Refresh everything',
  next: 'Next row',
  previous: 'Previous row',
  open: 'Open the row',
  select: 'Select the row',
  undo: 'Undo the last change',
  help: 'Show keyboard shortcuts',
  close: 'Close',
  then: 'then',
};

export const PALETTE_TEXT = {
  title: 'Command palette',
  field: 'Search screens, posts and actions',
  pages: 'Screens',
  actions: 'Actions',
  posts: 'Posts',
  nothing: (typed: string) => `No results for “${typed}”`,
  hint: 'Up/Down to select, Enter to open, Esc to close',
  theme: (mode: string) => `Colour scheme: ${mode}`,
};
