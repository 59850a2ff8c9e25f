const NAME = /^[A-Za-z0-9][A-Za-z0-9_]{2,20}$/u;

/** The name alone, of `r/name` or of a pasted address. */
export const bareName = (text: string): string =>
  text
    .trim()
    .replace(/^(?:https?:\/\/)?(?:(?:www|old|new)\.)?(?:reddit\.com)?\/?(?:r\/)?/iu, '')
    .replace(/\/[^]*$/u, '');

/** What is wrong with a typed name, or `true`. */
export const nameProblem = (text: string): string | true => {
  const name = bareName(text);
  if (name === '') return 'Please enter the name of a subreddit';
  return NAME.test(name) || 'A subreddit name has 3 to 21 letters, digits or underscores';
};

/** Whether a community of that name is there already; Reddit does not tell upper from lower case. */
export const isTaken = (text: string, names: readonly string[]): boolean => {
  const name = bareName(text).toLowerCase();
  return names.some((known) => known.toLowerCase() === name);
};
