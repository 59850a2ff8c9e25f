const NAME = /^[A-Za-z0-9][A-Za-z0-9_]{1,20}$/u;

/** The bare name of `r/name` or of a pasted URL. */
export const bareName = (text: string): string =>
  text
    .trim()
    .replace(/^(?:https?:\/\/)?(?:(?:www|old|new)\.)?(?:reddit\.com)?\/?(?:r\/)?/iu, '')
    .replace(/\/[^]*$/u, '');

/** The validation message for a typed name, or `true`. */
export const nameProblem = (text: string): string | true => {
  const name = bareName(text);
  if (name === '') return 'Please enter the name of a subreddit';
  return NAME.test(name) || 'A subreddit name has 2 to 21 letters, digits or underscores';
};

/** Whether the subreddit is already listed; Reddit ignores case. */
export const isTaken = (text: string, names: readonly string[]): boolean => {
  const name = bareName(text).toLowerCase();
  return names.some((known) => known.toLowerCase() === name);
};
