import { count } from '../ui/format';

export const SELECTION_TEXT = {
  one: (title: string) => `Select ${title}`,
  all: 'Select all',
  none: 'Clear selection',
  selected: (posts: number) => `${count(posts)} selected`,
};
